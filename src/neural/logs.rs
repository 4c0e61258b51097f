//! llama.cpp's log: it never reaches the terminal, and its last warning or error is the cause of a
//! failure that its return value doesn't name.

use std::fmt::{Debug, Display};
use std::sync::{Arc, Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::{Dispatch, Event, Level, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

/// Keeps the last complaint that is logged while it listens.
#[derive(Clone)]
pub(super) struct LogCapture {
    last: Arc<Mutex<Option<String>>>,
    dispatch: Dispatch,
}

impl LogCapture {
    pub(super) fn new() -> Self {
        let last = Arc::new(Mutex::new(None));
        let dispatch = Dispatch::new(tracing_subscriber::registry().with(Keep(Arc::clone(&last))));
        LogCapture { last, dispatch }
    }

    /// Listens on this thread while `work` runs.
    pub(super) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        tracing::dispatcher::with_default(&self.dispatch, work)
    }

    /// What was said last, else what the error says of itself.
    pub(super) fn cause(&self, error: &dyn Display) -> String {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.take().unwrap_or_else(|| error.to_string())
    }
}

struct Keep(Arc<Mutex<Option<String>>>);

impl<S: Subscriber> Layer<S> for Keep {
    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        *metadata.level() <= Level::WARN
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut message = Message(None);
        event.record(&mut message);
        let error = *event.metadata().level() == Level::ERROR;
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = message.0
            && (error || last.is_none())
        {
            *last = Some(text);
        }
    }
}

/// The message of an event.
struct Message(Option<String>);

impl Visit for Message {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "message" {
            self.0 = Some(value.trim().to_owned());
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            self.0 = Some(format!("{value:?}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_error_is_the_cause_and_is_told_once() {
        let logs = LogCapture::new();
        logs.during(|| {
            tracing::error!("first");
            tracing::error!("second");
            tracing::warn!("less");
            tracing::info!("nothing");
        });
        assert_eq!(logs.cause(&"itself"), "second");
        assert_eq!(logs.cause(&"itself"), "itself");
    }
}

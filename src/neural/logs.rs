//! llama.cpp's log: it never reaches the terminal, and its first complaint is the cause of a failure
//! that its return value doesn't name. (Later ones only say that things failed.)

use std::fmt::{Debug, Display};
use std::sync::{Arc, Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::{Dispatch, Event, Level, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

/// Keeps the first error that is logged while it listens, or the first warning if there is none.
#[derive(Clone)]
pub(super) struct LogCapture {
    first: Arc<Mutex<Option<(Level, String)>>>,
    dispatch: Dispatch,
}

impl LogCapture {
    pub(super) fn new() -> Self {
        let first = Arc::new(Mutex::new(None));
        let dispatch = Dispatch::new(tracing_subscriber::registry().with(Keep(Arc::clone(&first))));
        LogCapture { first, dispatch }
    }

    /// Listens on this thread while `work` runs; what was heard before is forgotten.
    pub(super) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        *self.first.lock().unwrap_or_else(PoisonError::into_inner) = None;
        tracing::dispatcher::with_default(&self.dispatch, work)
    }

    /// What was complained of, else what the error says of itself.
    pub(super) fn cause(&self, error: &dyn Display) -> String {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        first.take().map_or_else(|| error.to_string(), |(_, message)| message)
    }
}

struct Keep(Arc<Mutex<Option<(Level, String)>>>);

impl<S: Subscriber> Layer<S> for Keep {
    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        *metadata.level() <= Level::WARN
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut message = Message(None);
        event.record(&mut message);
        let level = *event.metadata().level();
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(message) = message.0
            && first.as_ref().is_none_or(|(worst, _)| level < *worst)
        {
            *first = Some((level, message));
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
    fn the_first_error_is_the_cause_and_is_told_once() {
        let logs = LogCapture::new();
        logs.during(|| {
            tracing::info!("nothing");
            tracing::warn!("less");
            tracing::error!("first");
            tracing::error!("second");
        });
        assert_eq!(logs.cause(&"itself"), "first");
        assert_eq!(logs.cause(&"itself"), "itself");
    }
}

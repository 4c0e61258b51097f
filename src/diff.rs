//! Real against predicted, field by field.
//!
//! Fields are those that a model can say (docs/json.md lists them): the event, the source line,
//! each local variable, the returned value, the exception, the exit. The order of locals is not
//! compared, as it isn't in Python.

use serde::Serialize;

use crate::state::{Field, State, Stop, Text};

/// How a field differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Both sides have it, with different texts.
    Changed,
    /// Only the real side has it.
    Missing,
    /// Only the prediction has it.
    Extra,
}

impl Kind {
    /// The word for it in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Changed => "changed",
            Kind::Missing => "missing",
            Kind::Extra => "extra",
        }
    }

    /// The sign that marks it where colour can't be relied on.
    pub fn sign(self) -> char {
        match self {
            Kind::Changed => '≠',
            Kind::Missing => '-',
            Kind::Extra => '+',
        }
    }
}

/// One field that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Which.
    pub field: Field,
    /// How.
    pub kind: Kind,
    /// The real text; none if only the prediction has the field.
    pub real: Option<Text>,
    /// The predicted text; none if only the real side has the field.
    pub predicted: Option<Text>,
}

impl Difference {
    /// The difference between two texts of a field; none if they are equal.
    fn between(field: Field, real: Option<Text>, predicted: Option<Text>) -> Option<Self> {
        let kind = match (&real, &predicted) {
            (Some(r), Some(p)) if r != p => Kind::Changed,
            (Some(_), None) => Kind::Missing,
            (None, Some(_)) => Kind::Extra,
            _ => return None,
        };
        Some(Difference { field, kind, real, predicted })
    }
}

/// Everything in which `predicted` differs from `real`, in the order event, source, locals,
/// argument; empty if they agree.
pub fn differences(real: &Stop, predicted: &Stop) -> Vec<Difference> {
    if let (Stop::At(real), Stop::At(predicted)) = (real, predicted) {
        return of_states(real, predicted);
    }
    let exit = |stop: &Stop| match stop {
        Stop::Exit(exit) => Some(exit.kind.name().into()),
        Stop::At(_) => None,
    };
    Difference::between(Field::Exit, exit(real), exit(predicted)).into_iter().collect()
}

fn of_states(real: &State, predicted: &State) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut compare = |field, real: Option<Text>, predicted: Option<Text>| {
        found.extend(Difference::between(field, real, predicted));
    };
    compare(Field::Event, Some(real.event.name().into()), Some(predicted.event.name().into()));
    compare(Field::Source, Some(real.source.clone()), Some(predicted.source.clone()));
    // With another event the states hold different things; naming each would hide the cause.
    if real.event != predicted.event {
        return found;
    }
    if real.event.shows_locals() {
        for (place, (name, value)) in real.locals.iter().enumerate() {
            let said = predicted.locals.get_near(place, name).cloned();
            compare(Field::Local(name.clone()), Some(value.clone()), said);
        }
        for (place, (name, value)) in predicted.locals.iter().enumerate() {
            if real.locals.get_near(place, name).is_none() {
                compare(Field::Local(name.clone()), None, Some(value.clone()));
            }
        }
    }
    compare(Field::Value, real.value.clone(), predicted.value.clone());
    let text =
        |state: &State| state.exception.as_ref().map(|raised| Text::from(raised.to_string()));
    compare(Field::Exception, text(real), text(predicted));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Event, Exit, ExitKind, Locals, Raised};

    fn line(source: &str, locals: &[(&str, &str)]) -> State {
        State {
            event: Event::Line,
            source: source.into(),
            locals: locals.iter().copied().collect::<Locals>(),
            value: None,
            exception: None,
            position: None,
        }
    }

    fn shown(real: Stop, predicted: Stop) -> Vec<String> {
        differences(&real, &predicted)
            .iter()
            .map(|d| {
                let side = |text: &Option<Text>| text.as_deref().unwrap_or("").to_owned();
                format!("{} {} {} {}", d.field, d.kind.sign(), side(&d.real), side(&d.predicted))
            })
            .collect()
    }

    #[test]
    fn equal_states_agree_whatever_the_order_of_locals() {
        let real = Stop::At(line("x", &[("a", "1"), ("b", "2")]));
        let predicted = Stop::At(line("x", &[("b", "2"), ("a", "1")]));
        assert_eq!(shown(real, predicted), [""; 0]);
    }

    #[test]
    fn each_variable_is_changed_missing_or_extra() {
        let real = Stop::At(line("x", &[("a", "1"), ("b", "2")]));
        let predicted = Stop::At(line("y", &[("a", "3"), ("c", "4")]));
        assert_eq!(
            shown(real, predicted),
            ["source ≠ x y", "locals.a ≠ 1 3", "locals.b - 2 ", "locals.c +  4"]
        );
    }

    #[test]
    fn another_event_is_not_blamed_on_the_variables() {
        let mut returned = line("x", &[]);
        returned.event = Event::Return;
        returned.value = Some("1".into());
        assert_eq!(
            shown(Stop::At(line("x", &[("a", "1")])), Stop::At(returned)),
            ["event ≠ line return"]
        );
    }

    #[test]
    fn exceptions_are_compared_by_class_and_message() {
        let raised = |message: &str| {
            let mut state = line("x", &[]);
            state.event = Event::Exception;
            state.exception = Some(Raised { class: "KeyError".into(), message: message.into() });
            Stop::At(state)
        };
        assert_eq!(
            shown(raised("'a'"), raised("'b'")),
            ["exception ≠ KeyError: 'a' KeyError: 'b'"]
        );
    }

    #[test]
    fn ends_are_compared_by_kind() {
        let exit = |kind| Stop::Exit(Exit::plain(kind));
        assert_eq!(shown(exit(ExitKind::Error), exit(ExitKind::Normal)), ["exit ≠ error normal"]);
        assert_eq!(shown(exit(ExitKind::Normal), Stop::At(line("x", &[]))), ["exit - normal "]);
        assert_eq!(shown(Stop::At(line("x", &[])), exit(ExitKind::Never)), ["exit +  never"]);
    }
}

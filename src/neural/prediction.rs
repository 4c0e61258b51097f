//! What a model predicted for one action, and how surprised it was by what really happened.

use serde::{Serialize, Serializer};

use super::dialect::{Frame, Predicted};
use crate::state::Field;

/// A model's answer to one action.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The state or exit that it predicts, or what it wrote instead.
    pub outcome: Predicted,
    /// How surprising the real state is to the model; known only if it was scored.
    pub surprise: Option<Surprise>,
    /// The probability that the model gives to this answer, all of its tokens; none if it wrote
    /// nothing, since it had said before that the run is over.
    pub confidence: Option<f64>,
    /// There was no more room in the model's context: before this action it began anew with the
    /// program and the state it was in.
    pub restarted: bool,
}

/// The surprise of a real state under the model, in bits: minus the base-2 logarithm of the
/// probability that it gives to that state's tokens.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surprise {
    fields: Vec<(Field, f64)>,
}

impl Surprise {
    /// Adds the surprise of a frame's tokens up by field.
    pub(super) fn new(frame: &Frame, bits: &[f64]) -> Self {
        let mut surprise = Surprise::default();
        for (field, range) in &frame.fields {
            let sum: f64 = bits.get(range.clone()).unwrap_or_default().iter().sum();
            match surprise.fields.iter_mut().find(|(known, _)| known == field) {
                Some((_, total)) => *total += sum,
                None => surprise.fields.push((field.clone(), sum)),
            }
        }
        surprise
    }

    /// Bits of the whole state.
    pub fn total(&self) -> f64 {
        self.fields.iter().map(|(_, bits)| bits).sum()
    }

    /// Bits of each field, in the order in which the state tells them.
    pub fn fields(&self) -> &[(Field, f64)] {
        &self.fields
    }
}

/// `{name: bits}` in the order of [`Surprise::fields`].
impl Serialize for Surprise {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.fields.iter().map(|(field, bits)| (field, bits)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_add_up_by_field() {
        let local = Field::Local("n".into());
        let fields = vec![(Field::Locals, 0..1), (local.clone(), 1..3), (Field::Locals, 3..4)];
        let frame = Frame { ids: vec![0; 4], fields };
        let surprise = Surprise::new(&frame, &[1.0, 2.0, 3.0, 0.5]);
        assert_eq!(surprise.fields(), [(Field::Locals, 1.5), (local, 5.0)]);
        assert_eq!(surprise.total(), 6.5);
        assert_eq!(serde_json::to_string(&surprise).unwrap(), r#"{"locals":1.5,"locals.n":5.0}"#);
    }
}

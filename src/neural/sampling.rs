//! Drawing tokens at random: temperature and top-p, from a seed.

use super::decoding::Decoding;
use super::engine::Row;
use super::vocabulary::TokenId;

/// How tokens are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampling {
    /// Logits are divided by it; at 0 the likeliest token is taken, as greedy decoding does.
    pub temperature: f64,
    /// Only the likeliest tokens that have at least this probability together are drawn from.
    pub top_p: f64,
    /// Where the random numbers start; the same seed draws the same.
    pub seed: u64,
}

impl Default for Sampling {
    /// The paper's horizon study (spec, section 5.4).
    fn default() -> Self {
        Sampling { temperature: 0.6, top_p: 0.95, seed: 0 }
    }
}

/// Draws tokens.
#[derive(Clone, Debug)]
pub struct Sampler {
    sampling: Sampling,
    random: fastrand::Rng,
}

impl Sampler {
    /// A sampler for the sample of this number, which doesn't depend on those before it.
    pub fn new(sampling: Sampling, number: u64) -> Self {
        let seed = sampling.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number);
        Sampler { sampling, random: fastrand::Rng::with_seed(seed) }
    }

    /// The next token; constrained, of the `legal` ones: if another is drawn, one is drawn among them.
    pub fn draw_by(
        &mut self,
        decoding: Decoding,
        row: Row<'_>,
        legal: impl Fn(TokenId) -> bool,
    ) -> TokenId {
        let drawn = self.draw(row);
        if decoding == Decoding::Greedy || legal(drawn) {
            return drawn;
        }
        let masked = |(id, &logit)| if legal(id) { logit } else { f32::NEG_INFINITY };
        let masked: Vec<f32> = (0..).zip(row.logits()).map(masked).collect();
        self.draw(Row::new(&masked))
    }

    /// The next token.
    pub fn draw(&mut self, row: Row<'_>) -> TokenId {
        let Sampling { temperature, top_p, .. } = self.sampling;
        if temperature <= 0.0 {
            return row.best();
        }
        let mut weights = weights(row.logits(), temperature);
        if top_p < 1.0 {
            keep_nucleus(&mut weights, top_p);
        }
        let mut point = self.random.f64() * weights.iter().map(|(_, weight)| weight).sum::<f64>();
        let drawn = weights.iter().find(|(_, weight)| {
            point -= weight;
            point < 0.0
        });
        drawn.or(weights.first()).map_or_else(|| row.best(), |(id, _)| *id)
    }
}

/// Tokens and their probabilities; those that have none are left out.
fn weights(logits: &[f32], temperature: f64) -> Vec<(TokenId, f64)> {
    let max = f64::from(logits.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    let weight = |logit: f32| ((f64::from(logit) - max) / temperature).exp();
    let sum: f64 = logits.iter().map(|&logit| weight(logit)).filter(|w| w.is_finite()).sum();
    let all = (0..).zip(logits).map(|(id, &logit)| (id, weight(logit) / sum));
    all.filter(|(_, weight)| *weight > 0.0).collect()
}

/// Keeps the fewest tokens that have this probability together, likeliest first. Tokens so unlikely
/// that all of them together could be left out need not be sorted.
fn keep_nucleus(weights: &mut Vec<(TokenId, f64)>, top_p: f64) {
    let negligible = (1.0 - top_p) / weights.len().max(1) as f64;
    weights.retain(|(_, weight)| *weight >= negligible);
    weights.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let mut sum = 0.0;
    let needed = weights.iter().take_while(|(_, weight)| {
        let is_needed = sum < top_p;
        sum += weight;
        is_needed
    });
    let count = needed.count().max(1);
    weights.truncate(count);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn draws(logits: &[f32], sampling: Sampling) -> Vec<TokenId> {
        let mut sampler = Sampler::new(sampling, 0);
        (0..4_000).map(|_| sampler.draw(Row::new(logits))).collect()
    }

    fn share(draws: &[TokenId], id: TokenId) -> f64 {
        draws.iter().filter(|drawn| **drawn == id).count() as f64 / draws.len() as f64
    }

    #[test]
    fn tokens_come_as_often_as_they_are_likely() {
        let logits = [0.0, 2.0_f32.ln(), 5.0_f32.ln()];
        let all = draws(&logits, Sampling { temperature: 1.0, top_p: 1.0, seed: 1 });
        for (id, expected) in [(0, 0.125), (1, 0.25), (2, 0.625)] {
            assert!((share(&all, id) - expected).abs() < 0.03, "{id}: {}", share(&all, id));
        }
        // Squared at half the temperature: 1, 4, 25 of 30.
        let cold = draws(&logits, Sampling { temperature: 0.5, top_p: 1.0, seed: 1 });
        assert!((share(&cold, 2) - 25.0 / 30.0).abs() < 0.03, "{}", share(&cold, 2));
    }

    #[test]
    fn top_p_cuts_the_tail_and_temperature_0_is_greedy() {
        let logits = [0.0, 2.0_f32.ln(), 5.0_f32.ln()];
        let top = draws(&logits, Sampling { temperature: 1.0, top_p: 0.8, seed: 1 });
        assert_eq!(share(&top, 0), 0.0);
        assert!(share(&top, 1) > 0.2);
        let one = draws(&logits, Sampling { temperature: 1.0, top_p: 0.0, seed: 1 });
        assert_eq!(share(&one, 2), 1.0);
        let greedy = draws(&logits, Sampling { temperature: 0.0, top_p: 1.0, seed: 1 });
        assert_eq!(share(&greedy, 2), 1.0);
    }

    #[test]
    fn only_legal_tokens_are_drawn_as_often_as_they_are_likely() {
        let logits = [0.0, 2.0_f32.ln(), 5.0_f32.ln(), 2.0_f32.ln()];
        let mut sampler = Sampler::new(Sampling { temperature: 1.0, top_p: 1.0, seed: 1 }, 0);
        let mut draw = || sampler.draw_by(Decoding::Constrained, Row::new(&logits), |id| id != 2);
        let drawn: Vec<_> = (0..4_000).map(|_| draw()).collect();
        for (id, expected) in [(0, 0.2), (1, 0.4), (2, 0.0), (3, 0.4)] {
            assert!((share(&drawn, id) - expected).abs() < 0.03, "{id}: {}", share(&drawn, id));
        }
    }

    #[test]
    fn a_sample_depends_on_its_number_and_seed_alone() {
        let logits = [0.0; 50];
        let draw = |seed, number| {
            let mut sampler = Sampler::new(Sampling { seed, ..Sampling::default() }, number);
            (0..8).map(|_| sampler.draw(Row::new(&logits))).collect::<Vec<_>>()
        };
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
    }

    proptest! {
        #[test]
        fn whatever_the_logits_a_token_of_the_vocabulary_is_drawn(
            logits in proptest::collection::vec(
                prop_oneof![any::<f32>(), Just(f32::NAN), Just(f32::INFINITY), -9.0f32..9.0], 1..40,
            ),
            temperature in 0.0f64..3.0, top_p in 0.0f64..=1.0, seed in any::<u64>(),
        ) {
            let mut sampler = Sampler::new(Sampling { temperature, top_p, seed }, 0);
            prop_assert!((sampler.draw(Row::new(&logits)) as usize) < logits.len());
        }
    }
}

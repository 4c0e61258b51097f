//! What holds for every generated program, as far as its text tells; that it runs and ends is
//! tested where programs are run (tests/dataset.rs).

use super::author::Author;
use super::shape::shapes;
use super::strategy::Programs;
use super::*;
use crate::check::{Severity, check};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_program_passes_the_static_check(program in Programs::default()) {
        let findings = check(&program.text);
        prop_assert!(findings.is_ok(), "{:?}", findings);
        let errors = findings.into_iter().flatten().filter(|f| f.severity != Severity::Note);
        let errors: Vec<_> = errors.collect();
        prop_assert!(errors.is_empty(), "{:?}", errors);
    }

    #[test]
    fn any_choices_make_a_program(choices in proptest::collection::vec(any::<u32>(), 0..300)) {
        let (text, given) = write(Choices::replayed(choices), &Difficulty::default());
        prop_assert!(check(&text).is_ok(), "{}", text);
        let again = write(Choices::replayed(given), &Difficulty::default());
        prop_assert_eq!(again.0, text);
    }
}

/// Programs at random seldom meet two rare alternatives of one shape; here each shape has its turn.
#[test]
fn every_shape_passes_the_static_check_however_it_is_filled() {
    let difficulty = Difficulty::default();
    for shape in shapes() {
        for seed in 0..60 {
            let mut author = Author::new(Choices::seeded(seed), &difficulty);
            author.shaped(shape);
            let (text, _) = author.finish();
            let findings = check(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
            let found = findings.iter().find(|finding| finding.severity != Severity::Note);
            assert!(found.is_none(), "{found:?}\n{text}");
        }
    }
}

#[test]
fn a_seed_decides_the_program() {
    let programs = |from: u64| (from..from + 50).map(|seed| generate(seed, &Difficulty::default()));
    assert!(programs(0).eq(programs(0)));
    let distinct: std::collections::HashSet<_> = programs(0).collect();
    assert!(distinct.len() > 45, "{}", distinct.len());
}

#[test]
fn no_choices_make_the_simplest_program() {
    let (text, _) = write(Choices::replayed(vec![]), &Difficulty::default());
    insta::assert_snapshot!(text);
}

#[test]
fn some_programs() {
    let programs: Vec<_> = (0..12).map(|seed| generate(seed, &Difficulty::default())).collect();
    insta::assert_snapshot!(programs.join("\n# ---\n\n"));
}

#[test]
fn the_knobs_turn() {
    let length = |difficulty: &Difficulty| -> usize {
        (0..300).map(|seed| generate(seed, difficulty).len()).sum()
    };
    let only_free = Manners { free: 1, shape: 0, pair: 0, several: 0, module: 0 };
    let easy = Difficulty {
        statements: 2,
        nesting: 1,
        expression: 1,
        elements: 2,
        letters: 4,
        number: 10,
        manners: only_free.clone(),
        ..Difficulty::default()
    };
    let hard =
        Difficulty { statements: 30, nesting: 4, manners: only_free, ..Difficulty::default() };
    let (easy, hard) = (length(&easy), length(&hard));
    assert!(5 * easy < 4 * hard, "{easy} {hard}");
}

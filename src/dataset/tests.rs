//! Splits, recipes and exclusions; whole datasets are made in tests/dataset.rs.

use super::*;

fn load(text: &str) -> Result<Recipe, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recipe.toml");
    fs::write(&path, text).unwrap();
    let shown =
        |error: DatasetError| error.to_string().replace(&*path.to_string_lossy(), "recipe.toml");
    Recipe::load(&path).map_err(shown)
}

#[test]
fn what_a_recipe_does_not_name_is_the_default() {
    assert_eq!(load("").unwrap(), Recipe::default());
    let recipe = load("[walks]\ninto = 0.5\n[generate.manners]\nfree = 1\n").unwrap();
    assert_eq!(recipe.walks.into, 0.5);
    assert_eq!(recipe.walks.per_program, Walks::default().per_program);
    assert_eq!(recipe.generate.manners.free, 1);
}

#[test]
fn a_recipe_that_makes_no_sense_is_refused() {
    let why = |text: &str| load(text).unwrap_err();
    assert!(why("[walks]\ninot = 0.5").contains("unknown field `inot`"));
    assert!(why("[walks").starts_with("recipe.toml: TOML parse error"));
    assert_eq!(why("[walks]\ninto = 2.0"), "recipe.toml: walks.into is 2; a share is from 0 to 1");
    assert_eq!(
        why("[walks]\ninto = nan"),
        "recipe.toml: walks.into is NaN; a share is from 0 to 1"
    );
    assert_eq!(
        why("[split]\ntest = 0.5\nvalidation = 0.5"),
        "recipe.toml: split.validation and split.test leave nothing to train on"
    );
    assert_eq!(
        why("[policy]\nrow_a = [0.0, 0.0, 0.0, 0.0, 0.0]"),
        "recipe.toml: policy.row_a or policy.row_b weighs nothing"
    );
    assert_eq!(
        why("[keep]\nmax_chars = 5"),
        "recipe.toml: keep.max_chars is 5; it goes from 200 to 1000000"
    );
    assert!(why("[policy]\nrow_a = [-1.0, 0.3, 0.2, 0.1, 0.05]").contains("no number from 0"));
}

#[test]
fn programs_are_split_by_their_shares() {
    let shares = Shares { validation: 0.1, test: 0.2 };
    let splits: Vec<_> = (0..10_000).map(|n| Split::of(fingerprint::mix(n, 0), &shares)).collect();
    let count = |split| splits.iter().filter(|found| **found == split).count();
    assert!((900..1_100).contains(&count(Split::Validation)), "{}", count(Split::Validation));
    assert!((1_900..2_100).contains(&count(Split::Test)), "{}", count(Split::Test));
}

#[test]
fn functions_that_are_excluded_are_found_under_other_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("items.jsonl");
    let item =
        r#"{"code": "def f(text):\n    return text.find(',')", "input": "'a'", "output": "-1"}"#;
    fs::write(&path, format!("{item}\n\n")).unwrap();
    let mut excluded = Excluded::default();
    excluded.add(&path).unwrap();
    let like = "def where(s):\n    return s.find('x')\n\n\ndef main():\n    return where('ax')\n";
    assert!(excluded.holds(like));
    assert!(!excluded.holds(&like.replace("find", "rfind")));
    fs::write(&path, "{}\n").unwrap();
    let error = excluded.add(&path).unwrap_err().to_string();
    assert!(
        error.ends_with("line 1: no item with `code`: missing field `code` at line 1 column 2"),
        "{error}"
    );
}

#[test]
fn special_tokens_are_told_from_other_text() {
    assert!(encoder::spells_token("print('<|frame_sep|>')"));
    assert!(encoder::spells_token("<|inv_step_call|>"));
    assert!(!encoder::spells_token("a <|b|> c, <|frame_sep"));
}

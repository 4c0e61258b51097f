//! Pages that come, are walked about in, grow and go.

use super::*;
use crate::page::Page;

fn show(model: &mut Model, snapshot: Snapshot) {
    update(model, Msg::Changed(Arc::new(snapshot)));
}

fn selected(model: &Model) -> usize {
    model.browse.as_ref().expect("a page is open").selected
}

#[test]
fn inspecting_means_the_selected_frame() {
    let mut model = model(agreeing());
    assert_eq!(
        commands(&mut model, "xuxVjxuxB"),
        [
            Command::Inspect(0),
            Command::Inspect(1),
            Command::Inspect(1),
            Command::Inspect(2),
            Command::Branches
        ]
    );
}

#[test]
fn items_are_opened_or_shown_in_full() {
    let mut model = model(agreeing());
    type_in(&mut model, "?");
    show(&mut model, with_page(variables()));
    assert_eq!(commands(&mut model, "j\n"), [Command::Open(1)]);
    assert_eq!(commands(&mut model, "\nl"), [], "the opened page has not come yet");
    show(&mut model, with_page(variables()));
    assert_eq!(commands(&mut model, "l"), [Command::Open(1)], "it could not be opened");
    show(&mut model, with_page(variables()));
    assert_eq!(commands(&mut model, "jl"), [], "a number has no parts");
    assert_eq!(commands(&mut model, "\n"), []);
    assert_eq!(model.overlay, Overlay::Value { subject: Subject::Item, top: 0 });
    assert_eq!(commands(&mut model, "\n"), []);
    assert_eq!((&model.overlay, selected(&model)), (&Overlay::None, 2), "back in the page");
    assert_eq!(commands(&mut model, "\n\x1bk\n"), [Command::Open(1)]);
}

#[test]
fn a_page_that_was_left_is_found_as_it_was() {
    let mut model = model(with_page(variables()));
    type_in(&mut model, "jj");
    type_in(&mut model, "k\n");
    show(&mut model, with_page(numbers(10)));
    assert_eq!(selected(&model), 0);
    type_in(&mut model, "jjj");
    assert_eq!(commands(&mut model, "h"), [Command::Up]);
    assert_eq!(press(&mut model, KeyCode::Backspace), Some(Effect::Send(Command::Up)));
    show(&mut model, with_page(variables()));
    assert_eq!(selected(&model), 1);
}

#[test]
fn going_beyond_the_last_item_asks_for_more_once() {
    let mut model = model(with_page(numbers(10)));
    assert_eq!(commands(&mut model, "G"), []);
    assert_eq!(commands(&mut model, "jjj"), [Command::More]);
    show(
        &mut model,
        Snapshot { running: Some("the program runs".into()), ..with_page(numbers(10)) },
    );
    assert_eq!(commands(&mut model, "j"), []);
    show(&mut model, with_page(numbers(20)));
    assert_eq!(selected(&model), 9);
    assert_eq!(commands(&mut model, "j"), []);
    assert_eq!(selected(&model), 10);
    let whole = Page { total: 20, ..numbers(20) };
    show(&mut model, with_page(whole));
    assert_eq!(commands(&mut model, "GjjG"), [], "there are no more");
}

#[test]
fn a_closed_page_stays_closed_until_one_is_asked_for() {
    for close in ["\x1b", "q"] {
        let mut model = model(with_page(numbers(10)));
        assert_eq!(commands(&mut model, close), [Command::Close]);
        show(&mut model, with_page(numbers(20)));
        assert_eq!(model.browse, None, "it was asked for before");
        assert_eq!(commands(&mut model, "zx"), [Command::Undo, Command::Inspect(0)]);
        show(&mut model, with_page(numbers(20)));
        assert_eq!(selected(&model), 0);
    }
}

#[test]
fn a_page_that_is_taken_away_closes() {
    let mut model = model(with_page(variables()));
    type_in(&mut model, "jj\n");
    show(&mut model, agreeing());
    assert_eq!((&model.browse, &model.overlay), (&None, &Overlay::None));
}

#[test]
fn a_page_leaves_alone_what_is_being_typed() {
    let mut model = model(agreeing());
    type_in(&mut model, ":p ");
    show(&mut model, with_page(variables()));
    assert_eq!(type_in(&mut model, "j\n"), [Effect::Enter("p j".into(), 0)]);
    assert_eq!(selected(&model), 0);
    show(&mut model, Snapshot { asks: Some("".into()), ..with_page(variables()) });
    assert_eq!(type_in(&mut model, "x\n"), [Effect::Answer(Some("x".into()))]);
    assert_eq!(commands(&mut model, "j\n"), [Command::Open(1)]);
}

//! Edits of a run, as they are written on the command line and behind `:` on the screen.

use crate::python::Edit;

/// What stands for the end of the input.
const END: &str = "^D";

/// Reads `n = 5`: a variable and the expression of its value.
pub fn assignment(text: &str) -> Result<(&str, &str), String> {
    match text.split_once('=').map(|(name, value)| (name.trim(), value.trim())) {
        Some((_, value)) if value.starts_with('=') => Err("write one =, such as n = 5".to_owned()),
        Some((name, value)) if !name.is_empty() && !value.is_empty() => Ok((name, value)),
        _ => Err("write a variable and its value, such as n = 5".to_owned()),
    }
}

/// Reads `STATE: NAME = EXPR`, or `STATE/FRAME: NAME = EXPR` for a caller's variable.
pub fn set(text: &str) -> Result<Edit, String> {
    let wrong = || "write a state's number, a variable and its value, such as 12: n = 5".to_owned();
    let (place, assigned) = text.split_once(':').ok_or_else(wrong)?;
    let (at, frame) = place.split_once('/').unwrap_or((place, "0"));
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
    let (name, expression) = assignment(assigned)?;
    Ok(Edit::Set {
        at: number(at)?,
        frame: number(frame)?,
        name: name.to_owned(),
        expression: expression.to_owned(),
    })
}

/// Reads `N: TEXT`: the number of a read, from 1, and what it reads, `^D` for the end of the input.
pub fn answer(text: &str) -> Result<Edit, String> {
    let wrong = || "write the number of a read, from 1, and its text, such as 2: yes".to_owned();
    let (number, text) = text.split_once(':').ok_or_else(wrong)?;
    let choice = number.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    Ok(Edit::Answer {
        // Answers hold from the start: which events come before the read isn't known yet.
        at: 0,
        choice: choice.ok_or_else(wrong)?,
        text: read(text.strip_prefix(' ').unwrap_or(text)),
    })
}

/// What a read gives that is answered so; none for the end of the input.
pub fn read(text: &str) -> Option<String> {
    (text.trim() != END).then(|| text.to_owned())
}

/// An edit as it is typed on the command line.
pub fn typed(edit: &Edit) -> String {
    match edit {
        Edit::Set { at, frame: 0, name, expression } => format!("{at}: {name} = {expression}"),
        Edit::Set { at, frame, name, expression } => {
            format!("{at}/{frame}: {name} = {expression}")
        }
        Edit::Answer { choice, text, .. } => {
            format!("{}: {}", choice + 1, text.as_deref().unwrap_or(END))
        }
        // No option makes one; it is told as elsewhere.
        Edit::Jump { .. } => edit.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_a_frame_a_variable_and_its_value() {
        let edit = set("12: n = m == 5").unwrap();
        let (name, expression) = ("n".to_owned(), "m == 5".to_owned());
        assert_eq!(edit, Edit::Set { at: 12, frame: 0, name, expression });
        let edit = set(" 12 / 1 : d = {1: 2}").unwrap();
        let (name, expression) = ("d".to_owned(), "{1: 2}".to_owned());
        assert_eq!(edit, Edit::Set { at: 12, frame: 1, name, expression });
        for bad in [
            "",
            "12",
            "n = 5",
            "x: n = 5",
            "12: n",
            "12: = 5",
            "12/: n = 5",
            "-1: n = 5",
            "4: n == 5",
        ] {
            assert!(set(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_read_and_its_text() {
        let told = |text: &str| match answer(text) {
            Ok(Edit::Answer { choice, text, .. }) => (choice, text.unwrap()),
            other => panic!("{other:?}"),
        };
        assert_eq!(told("2: yes: no "), (1, "yes: no ".to_owned()));
        assert_eq!(told("1:"), (0, String::new()));
        assert_eq!(answer("2: ^D").map(|edit| typed(&edit)), Ok("2: ^D".to_owned()));
        assert_eq!(set("4/1: n = 5").map(|edit| typed(&edit)), Ok("4/1: n = 5".to_owned()));
        for bad in ["", "yes", "0: yes", "x: yes"] {
            assert!(answer(bad).is_err(), "{bad}");
        }
    }
}

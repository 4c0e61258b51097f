//! The command line of the screen: what is typed behind `:`.

use super::edits::assignment;
use crate::points::{BadExpression, BadPoint, Expression, Id, Point, Power};
use crate::python::{BadPath, Path};

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// `b POINT`: set a point.
    Set(Point),
    /// `b`: say which there are.
    List,
    /// `clear N`: take a point away.
    Clear(Id),
    /// `clear`: take all away.
    ClearAll,
    /// `on N`, `off N`: switch a point.
    Switch(Id, Power),
    /// `watch EXPR`
    Watch(Expression),
    /// `unwatch EXPR`
    Unwatch(Expression),
    /// `goto N`: to the recorded state of this index.
    Goto(usize),
    /// `t N`: to the next state at this line.
    RunTo(u32),
    /// `p EXPR`: the value of an expression.
    Print(Expression),
    /// `set NAME = EXPR`: change a variable, as a branch.
    Assign(String, String),
    /// `branch`: say which branches there are.
    Branches,
    /// `branch N`: go to a branch.
    Branch(usize),
    /// `input N TEXT`: answer the read of this number, from 1, otherwise, as a branch.
    Input(usize, String),
    /// `x`: look into the frame's variables, or `x PATH` into a value.
    Inspect(Path),
    /// `check`: say what was found before the run.
    Findings,
}

/// A line that is no order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadOrder {
    /// An unknown word.
    #[error(
        "`{0}` is unknown here; known are b, clear, on, off, watch, unwatch, goto, t, p, x, set, \
         branch, input and check"
    )]
    Unknown(String),
    /// A number is wanted.
    #[error("`{word}` wants a number, such as {word} 3")]
    NoNumber {
        /// The order's word.
        word: String,
    },
    /// No point.
    #[error(transparent)]
    Point(#[from] BadPoint),
    /// No expression.
    #[error(transparent)]
    Expression(#[from] BadExpression),
    /// No path to a value.
    #[error(transparent)]
    Path(#[from] BadPath),
    /// No variable and value.
    #[error("{0}")]
    Assignment(String),
}

impl std::str::FromStr for Order {
    type Err = BadOrder;

    fn from_str(line: &str) -> Result<Self, BadOrder> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let no_number = || BadOrder::NoNumber { word: word.to_owned() };
        let id = || rest.parse().map(Id::new).map_err(|_| no_number());
        Ok(match word {
            "b" | "break" if rest.is_empty() => Order::List,
            "b" | "break" => Order::Set(rest.parse()?),
            "clear" if rest.is_empty() => Order::ClearAll,
            "clear" => Order::Clear(id()?),
            "on" => Order::Switch(id()?, Power::On),
            "off" => Order::Switch(id()?, Power::Off),
            "watch" => Order::Watch(rest.parse()?),
            "unwatch" => Order::Unwatch(rest.parse()?),
            "goto" => Order::Goto(rest.parse().map_err(|_| no_number())?),
            "t" => Order::RunTo(rest.parse().map_err(|_| no_number())?),
            "p" => Order::Print(rest.parse()?),
            "set" => {
                let (name, value) = assignment(rest).map_err(BadOrder::Assignment)?;
                Order::Assign(name.to_owned(), value.to_owned())
            }
            "branch" if rest.is_empty() => Order::Branches,
            "branch" => Order::Branch(rest.parse().map_err(|_| no_number())?),
            "input" => {
                let (number, text) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                Order::Input(number.parse().map_err(|_| no_number())?, text.to_owned())
            }
            "x" if rest.is_empty() => Order::Inspect(Path::frame()),
            "x" => Order::Inspect(rest.parse()?),
            "check" => Order::Findings,
            _ => return Err(BadOrder::Unknown(word.to_owned())),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_orders_of_the_help() {
        let order = |line: &str| line.parse::<Order>().unwrap();
        assert_eq!(order(" b  12, n > 3 "), Order::Set("12, n > 3".parse().unwrap()));
        assert_eq!(order("b"), Order::List);
        assert_eq!(order("clear 2"), Order::Clear(Id::new(2)));
        assert_eq!(order("clear"), Order::ClearAll);
        assert_eq!(order("off 1"), Order::Switch(Id::new(1), Power::Off));
        assert_eq!(order("watch n, m"), Order::Watch("n, m".parse().unwrap()));
        assert_eq!(order("unwatch n"), Order::Unwatch("n".parse().unwrap()));
        assert_eq!(order("goto 37"), Order::Goto(37));
        assert_eq!(order("t 4"), Order::RunTo(4));
        assert_eq!(order("p f'{n};'"), Order::Print("f'{n};'".parse().unwrap()));
        assert_eq!(order("set n = m == 5"), Order::Assign("n".into(), "m == 5".into()));
        assert_eq!(order("branch"), Order::Branches);
        assert_eq!(order("branch 2"), Order::Branch(2));
        assert_eq!(order("input 2 a b "), Order::Input(2, "a b".into()));
        assert_eq!(order("input 1"), Order::Input(1, String::new()));
        assert_eq!(order("x"), Order::Inspect(Path::frame()));
        assert_eq!(order("x tree.0.2"), Order::Inspect(Path::variable("tree").part(0).part(2)));
        assert_eq!(order("check"), Order::Findings);
    }

    #[test]
    fn what_is_no_order_is_told() {
        let bad = ["", "run", "goto", "goto x", "off", "p", "watch", "b 12,", "clear x", "t -1"];
        let worse = ["set", "set n", "set = 5", "branch x", "input", "input yes", "x .0", "x a.b"];
        for bad in bad.into_iter().chain(worse) {
            assert!(bad.parse::<Order>().is_err(), "{bad}");
        }
        assert!("run 3".parse::<Order>().unwrap_err().to_string().starts_with("`run` is unknown"));
    }
}

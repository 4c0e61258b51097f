//! What values are made of, and which of them are one object.

use std::fmt::Write;

use lockstep::python::{Child, Children, Evaluated, Inspector, Path, PythonError};

use super::{first_at, inspect};

/// A program that ends in a line `end`, and the state before that line.
#[track_caller]
fn at_end(source: &str) -> (Inspector, usize) {
    let source = format!("{source}end = 1\n");
    let line = source.lines().count() as u32;
    (inspect(&source), first_at(&source, line))
}

/// All parts of a value, one a line.
fn shown(children: &Children) -> String {
    let mut text = format!("{:?}, {} in all\n", children.kind, children.total);
    for child in &children.items {
        let more = if child.expandable { " >" } else { "" };
        let number = child.identity.map(|n| format!(" #{n}")).unwrap_or_default();
        let _ = writeln!(text, "{}: {} ({}){number}{more}", child.key, child.value, child.class);
    }
    text
}

const VALUES: &str = "\
from collections import namedtuple, deque, Counter, defaultdict, OrderedDict
from dataclasses import dataclass, field
from enum import Enum
from types import SimpleNamespace
import math
class Point:
    origin = 0
    def __init__(self, x):
        self.x = x
    def __repr__(self):
        self.asked = True
        return 'P'
class Slots:
    __slots__ = ('a', 'b')
class Bag(list):
    pass
@dataclass
class Data:
    name: str
    hidden: list = field(default_factory=list, repr=False)
class Color(Enum):
    RED = [1]
Pair = namedtuple('Pair', 'left right')
def outer():
    kept = [0]
    def inner():
        return kept
    return inner
a_list = [1, 'two', [3]]
a_tuple = (1, (2,))
a_dict = {'k': [1], (1, 2): {}, 3: None}
a_set = {3, 'a', (1, 2), 20}
point = Point([1])
slots = Slots()
slots.a = {}
bag = Bag([1, 2])
bag.label = 'b'
data = Data('n')
color = Color.RED
pair = Pair(1, [2])
closure = outer()
method = point.__init__
queue = deque([1, [2]], 5)
counter = Counter('hello')
default = defaultdict(list, a=[1])
ordered = OrderedDict(z=1)
space = SimpleNamespace(q=[1])
view = a_dict.keys()
try:
    try:
        raise KeyError('k')
    except KeyError as e:
        raise ValueError('v', [1]) from e
except ValueError as e:
    error = e
";

#[test]
fn values_fall_into_their_parts() {
    let (mut inspector, at) = at_end(VALUES);
    let mut text = String::new();
    for name in [
        "a_list", "a_tuple", "a_dict", "a_set", "point", "Point", "slots", "bag", "data", "color",
        "pair", "closure", "method", "queue", "counter", "default", "ordered", "space", "view",
        "error", "end", "outer",
    ] {
        match inspector.expand(at, 0, &Path::variable(name), 0..100) {
            Ok(children) => text += &format!("{name}: {}\n", shown(&children)),
            Err(error) => text += &format!("{name}: {error}\n\n"),
        }
    }
    let math = inspector.expand(at, 0, &Path::variable("math"), 0..100).unwrap();
    assert!(math.items.iter().any(|child| &*child.key == "pi"), "{math:?}");
    assert!(math.items.iter().all(|child| !child.key.starts_with("__")), "{math:?}");
    insta::assert_snapshot!(text);
    // No code of the program ran.
    let asked = inspector.evaluate(at, 0, "hasattr(point, 'asked')").unwrap();
    assert!(matches!(&asked, Evaluated::Value { truthy: false, .. }), "{asked:?}");
}

#[test]
fn a_path_leads_into_parts_of_parts() {
    let (mut inspector, at) = at_end("x = {'a': [0, ({'deep': 'end'},)]}\n");
    let path = Path::variable("x").part(0).part(1).part(0);
    let children = inspector.expand(at, 0, &path, 0..9).unwrap();
    assert_eq!(shown(&children), "Entries, 1 in all\n'deep': 'end' (str)\n");
    for (wrong, shown) in [
        (Path::variable("nope"), "nope"),
        (Path::variable("x").part(1), "x.1"),
        (path.clone().part(0).part(0), "x.0.1.0.0.0"),
    ] {
        let error = inspector.expand(at, 0, &wrong, 0..9).unwrap_err();
        assert_eq!(error.to_string(), format!("no value {shown} at state {at}"));
    }
    let error = inspector.expand(at, 1, &path, 0..9).unwrap_err();
    assert!(matches!(error, PythonError::NoFrame { running: 1, .. }), "{error}");
}

#[test]
fn a_value_that_holds_itself_can_be_followed_for_ever() {
    let (mut inspector, at) = at_end("x = [1]\nx.append(x)\nclass A: pass\na = A()\na.me = a\n");
    let mut path = Path::variable("x");
    for _ in 0..20 {
        path = path.part(1);
        let children = inspector.expand(at, 0, &path, 0..9).unwrap();
        assert_eq!(children.items[1].identity, Some(1), "{path}");
        assert!(children.items[1].expandable);
    }
    let me = inspector.expand(at, 0, &Path::variable("a").part(0).part(0), 0..9).unwrap();
    assert_eq!(shown(&me), "Attributes, 1 in all\nme: A(me=A(...)) (A) #2 >\n");
}

#[test]
fn long_values_come_in_pages() {
    let (mut inspector, at) = at_end(
        "xs = list(range(500_000))\nd = dict(enumerate(range(100_000)))\ns = set(range(50_000))\n",
    );
    for (name, total) in [("xs", 500_000), ("d", 100_000), ("s", 50_000)] {
        let path = Path::variable(name);
        let page = inspector.expand(at, 0, &path, total - 2..total + 5).unwrap();
        assert_eq!((page.total, page.items.len()), (total, 2), "{name}");
        assert_eq!(*page.items[1].value, *(total - 1).to_string());
        let beyond = inspector.expand(at, 0, &path, total..usize::MAX).unwrap();
        assert!(beyond.items.is_empty());
    }
    let deep = "x = []\nfor i in range(5000):\n    x = [x]\n";
    let (mut inspector, at) = at_end(deep);
    let path = (0..4000).fold(Path::variable("x"), |path, _| path.part(0));
    assert!(inspector.expand(at, 0, &path, 0..1).unwrap().items[0].expandable);
}

#[test]
fn names_of_one_object_have_one_number() {
    let source = "\
def f(mine, other, n):
    alias = mine
    end = 1
a = [1]
b = a
c = [1]
n = 1000
m = n
s = 'text'
t = ()
u = ()
holder = {'in': c}
f(holder['in'], b, n)
";
    let at = first_at(source, 3);
    let mut inspector = inspect(source);
    let numbers = |inspector: &mut Inspector, frame| {
        let found = inspector.expand(at, frame, &Path::frame(), 0..100).unwrap();
        let numbered = |child: &Child| Some(format!("{}#{}", child.key, child.identity?));
        found.items.iter().filter_map(numbered).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(numbers(&mut inspector, 0), "mine#2 other#1 alias#2");
    assert_eq!(numbers(&mut inspector, 1), "a#1 b#1 c#2 holder#3");
    let value = inspector.evaluate(at, 0, "other").unwrap();
    let Evaluated::Value { identity, .. } = value else { panic!("{value:?}") };
    assert_eq!(identity, Some(1));
    let value = inspector.evaluate(at, 0, "[mine]").unwrap();
    let Evaluated::Value { identity, .. } = value else { panic!("{value:?}") };
    assert_eq!(identity, None);
    let holder = inspector.expand(at, 1, &Path::variable("holder"), 0..1).unwrap();
    assert_eq!(holder.items[0].identity, Some(2));
}

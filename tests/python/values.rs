//! Texts of values.

use super::{exit, last_text, limits, options, record, start, states};

/// The text of a value that an expression gives.
#[track_caller]
fn shows(expression: &str, text: &str) {
    assert_eq!(last_text(&format!("x = {expression}\ny = 0\n"), "x"), text);
}

#[test]
fn built_in_values_are_shown_as_repr_shows_them() {
    for literal in [
        "None",
        "True",
        "-12345678901234567890",
        "1.5",
        "1e+100",
        "-0.0",
        "(1+2j)",
        r"'it\'s \n \x00 é 😀'",
        r#""don't""#,
        r"b'a\xff'",
        "[]",
        "[1, [2, ()]]",
        "(1,)",
        "{}",
        "{'a': [1], (2, 3): None}",
        "{1, 2}",
        "set()",
        "frozenset({1})",
        "range(0, 3)",
        "range(0, 9, 2)",
        "slice(1, None, None)",
        "Ellipsis",
        "NotImplemented",
        r"bytearray(b'x')",
    ] {
        let shown = if literal.starts_with(r"'it") { r#""it's \n \x00 é 😀""# } else { literal };
        shows(literal, shown);
    }
}

#[test]
fn sets_are_sorted_by_their_texts() {
    shows("{10, 9, 'b', 'a', (1,)}", "{'a', 'b', (1,), 10, 9}");
    shows("frozenset([3, 1, 2])", "frozenset({1, 2, 3})");
}

#[test]
fn nothing_shows_an_address() {
    shows(
        "[lambda: 0, int, print, [].append, object()]",
        "[<function <lambda>>, <class 'int'>, <built-in function print>, \
         <built-in method append of list object at 0x…>, object()]",
    );
    shows("(i for i in [1])", "<generator <genexpr>>");
    shows(
        "[iter([]), iter({}), enumerate('a'), map(str, [])]",
        "[<list_iterator>, <dict_keyiterator>, <enumerate>, <map>]",
    );
    shows("str(object())", "'<object object at 0x…>'");
    shows("__import__('math')", "<module 'math'>");
    shows(
        "repr(print.__class__.__call__)",
        "\"<slot wrapper '__call__' of 'builtin_function_or_method' objects>\"",
    );
}

#[test]
fn a_value_that_holds_itself_is_shown_with_dots() {
    let text = last_text("x = [1]\nx.append(x)\nd = {}\nd['d'] = (d, x)\ny = 0\n", "d");
    assert_eq!(text, "{'d': ({...}, [1, [...]])}");
}

#[test]
fn instances_without_a_repr_show_their_attributes() {
    let source = "\
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y
class Slots:
    __slots__ = ('a', 'b')
class Bag(list):
    pass
p = Point(1, 'a')
s = Slots()
s.b = 2
b = Bag([1, 2])
k = Point
m = p.__init__
e = ValueError('no', 1)
z = 0
";
    for (name, text) in [
        ("p", "Point(x=1, y='a')"),
        ("s", "Slots(b=2)"),
        ("b", "[1, 2]"),
        ("k", "<class 'Point'>"),
        ("m", "<bound method Point.__init__>"),
        ("e", "ValueError('no', 1)"),
    ] {
        assert_eq!(last_text(source, name), text);
    }
}

#[test]
fn classes_of_the_standard_library_are_shown_as_their_repr_shows_them() {
    let source = "\
from dataclasses import dataclass, field
from collections import namedtuple, Counter, defaultdict, deque, OrderedDict
from enum import Enum, Flag
from fractions import Fraction
from decimal import Decimal
import datetime
@dataclass
class Item:
    name: str
    secret: int = field(default=1, repr=False)
class Color(Enum):
    RED = 1
class Perm(Flag):
    R = 1
    W = 2
Pair = namedtuple('Pair', 'a b')
values = [Item('x'), Color.RED, Perm.R | Perm.W, Pair(1, b=[2]), Counter('aab'),
    defaultdict(list, {'k': [1]}), deque([1], maxlen=2), OrderedDict(a=1), Fraction(1, 3),
    Decimal('1.50'), datetime.timedelta(seconds=5), {}.keys(), {1: 2}.items()]
z = 0
";
    assert_eq!(
        last_text(source, "values"),
        "[Item(name='x'), <Color.RED: 1>, <Perm.R|W: 3>, Pair(a=1, b=[2]), Counter({'a': 2, 'b': 1}), \
         defaultdict(<class 'list'>, {'k': [1]}), deque([1], maxlen=2), OrderedDict({'a': 1}), \
         Fraction(1, 3), Decimal('1.50'), datetime.timedelta(seconds=5), dict_keys([]), \
         dict_items([(1, 2)])]"
    );
}

#[test]
fn long_values_are_cut_and_say_their_size() {
    let list = last_text("x = list(range(5000))\ny = 0\n", "x");
    assert!(list.starts_with("[0, 1, 2, 3, "), "{list}");
    assert!(list.ends_with(" <5,000 items>…"), "{list}");
    assert!(list.chars().count() < 1_020, "{}", list.len());
    let text = last_text("x = 'é' * 5000\ny = 0\n", "x");
    assert!(text.ends_with("é <5,000 characters>…"), "{text}");
    let nested = last_text("x = {'k': [['a' * 900] * 100]}\ny = 0\n", "x");
    assert!(nested.ends_with(" <1 items>…") && nested.chars().count() < 1_020, "{nested}");
    let deep = last_text("x = []\nfor i in range(100_000):\n    x = [x]\ny = 0\n".trim(), "x");
    assert!(deep.starts_with("[[[[") && deep.contains('…'), "{deep}");
    shows("10 ** 2000", "<int of 6,644 bits>");
    shows("-(1 << 5000)", "<int of 5,001 bits>");
}

#[test]
fn the_limit_on_values_is_an_option() {
    let mut options = options();
    options.limits.value = 5;
    let mut recording = start("x = 'abcdefgh'\ny = 0\n", &options).unwrap();
    let last = states(&mut recording).pop().unwrap();
    assert_eq!(&**last.locals.get("x").unwrap(), "'abcd <8 characters>…");
    assert_eq!(limits().value, 1_000);
}

#[test]
fn lone_surrogates_are_escaped() {
    shows(r"'\ud800'", r"'\ud800'");
    shows(r"{'\udfff': '\ud800\udc00'}", r"{'\udfff': '\ud800\udc00'}");
    let exit = exit("raise ValueError('\\ud800')");
    assert_eq!(exit.exception.unwrap().message.chars().count(), 1);
}

#[test]
fn a_repr_of_the_program_is_used_if_it_changes_nothing() {
    let source = "\
class Money:
    def __init__(self, amount):
        self.amount = amount
    def __repr__(self):
        return f'€{self.amount:.2f}'
    def __str__(self):
        return 'money'
x = [Money(1), {'k': Money(2.5)}]
y = 0
";
    assert_eq!(last_text(source, "x"), "[€1.00, {'k': €2.50}]");
}

#[test]
fn a_repr_of_the_program_that_could_be_noticed_does_not_run() {
    for body in [
        "self.n += 1\n        return 'R'",
        "log.append(1)\n        return 'R'",
        "print('shown')\n        return 'R'",
        "while True: pass",
        "return str(next(self.it))",
    ] {
        let source = format!(
            "\
log = []
class A:
    def __init__(self):
        self.n = 0
        self.it = iter([1, 2])
    def __repr__(self):
        {body}
a = A()
b = 1
c = (a.n, log, next(a.it))
d = 0
"
        );
        let mut recording = record(&source);
        let last = states(&mut recording).pop().unwrap();
        assert_eq!(&**last.locals.get("c").unwrap(), "(0, [], 1)", "{body}");
        let shown = last.locals.get("a").unwrap();
        assert!(shown.starts_with("A(n=0, it="), "{body}: {shown}");
        assert_eq!(recording.output_so_far(), [], "{body}");
    }
}

#[test]
fn a_repr_that_raises_or_takes_too_long_leaves_the_attributes() {
    let raises =
        "class A:\n    def __repr__(self):\n        return self.missing\nx = A()\nx.n = 1\ny = 0\n";
    assert_eq!(last_text(raises, "x"), "A(n=1)");
    let slow = "\
class A:
    def __repr__(self):
        return str(sum([i for i in range(10 ** 9)]))
x = A()
x.n = 1
y = 0
";
    assert_eq!(last_text(slow, "x"), "A(n=1)");
}

/// What a program finds out about whether its own code was called while its values were shown.
#[track_caller]
fn assert_unseen(program: &str) {
    let source = format!(
        "calls = []\ndef note(*args):\n    calls.append(1)\n    return 7\n{program}\nn = len(calls)\n\
         z = 0\nz = 1\nm = len(calls) - n\nend = 0\n"
    );
    assert_eq!(last_text(&source, "m"), "0", "{program}");
}

#[test]
fn showing_a_value_calls_nothing_of_the_program() {
    let key = "class K:\n    def __hash__(self): note(); return 1\n    \
               def __eq__(self, o): note(); return self is o\n";
    for program in [
        "from collections import defaultdict\nx = defaultdict(list)\nx[K()] = x[K()] = 1",
        "from collections import Counter, OrderedDict\nx = Counter([K(), K()]), OrderedDict({K(): 1})",
        "x = {K(), K()}, {K(): K()}.items()",
        "class C(complex):\n    pass\nC.__repr__ = C.__str__ = type('F', (), {'__call__': note})()\nx = C(1)",
        "import functools\nclass E(Exception):\n    __str__ = functools.partial(note)\n\
         try:\n    raise E(1)\nexcept E as e:\n    x = e",
        "class S(str):\n    def __repr__(self): note(); return 's'\nimport re\nx = re.compile(S('a'))",
        "class F:\n    def __repr__(self): note(); return 'f'\n    __str__ = __repr__\n\
         try:\n    raise OSError(1, 'x', F())\nexcept OSError as e:\n    x = e",
        "class D(__import__('collections').deque):\n    def __iter__(self): note(); return iter([])\n    \
         def __len__(self): note(); return 1\nx = D([1])",
        "import typing\nclass F:\n    def __repr__(self): note(); return 'f'\nx = typing.Annotated[int, F()]",
        "import fractions\nclass F:\n    def __str__(self): note(); return 'f'\n\
         x = fractions.Fraction(1, 2)\nx._numerator = F()",
    ] {
        assert_unseen(&format!("{key}{program}"));
    }
}

#[test]
fn a_program_s_own_classes_are_not_taken_for_the_library_s() {
    for (class, value, text) in [
        ("class Counter(dict): __module__ = 'collections'", "Counter(a=1)", "{'a': 1}"),
        ("class defaultdict(dict): __module__ = 'collections'", "defaultdict(a=1)", "{'a': 1}"),
        ("class OrderedDict(dict): pass", "OrderedDict(a=1)", "{'a': 1}"),
        ("class T(tuple): _fields = ('a', 'b')", "T((1, 2))", "(1, 2)"),
        ("class A(int): _member_map_ = {}", "A(3)", "3"),
        ("class deque(list): maxlen = 3", "deque([1])", "[1]"),
    ] {
        assert_eq!(last_text(&format!("{class}\nx = {value}\ny = 0\n"), "x"), text, "{class}");
    }
    let subclasses = "\
from collections import *
class C(Counter): pass
class D(defaultdict): pass
class Q(deque): pass
class P(namedtuple('P', 'a b')): pass
x = [C('aab'), D(int, a=1), Q([1, 2], 3), P(1, 2), Counter(), OrderedDict()]
y = 0
";
    assert_eq!(
        last_text(subclasses, "x"),
        "[C({'a': 2, 'b': 1}), D(<class 'int'>, {'a': 1}), Q([1, 2], maxlen=3), P(a=1, b=2), \
         Counter(), OrderedDict()]"
    );
}

#[test]
fn large_values_cost_no_more_than_what_is_shown_of_them() {
    let nested = "\
x = frozenset([0])
for level in range(12):
    x = frozenset((x, i) for i in range(8))
y = 0
";
    let text = last_text(nested, "x");
    assert!(text.starts_with("frozenset({(") && text.ends_with(" <8 items>…"), "{text}");
    for (value, size) in [
        ("{str(i) * 300 for i in range(1_000)}", " <1,000 items>…"),
        ("deque(range(1_000_000))", " <1,000,000 items>…"),
        ("Counter(range(300_000))", " <300,000 items>…"),
        ("dict.fromkeys(range(300_000)).keys()", " <300,000 items>…"),
        ("array('i', range(300_000))", " <300,000 items>…"),
        ("set(range(300_000))", " <300,000 items>…"),
    ] {
        let source = format!(
            "from collections import *\nfrom array import array\nx = {value}\n\
             for i in range(5_000):\n    pass\ny = 0\n"
        );
        let text = last_text(&source, "x");
        assert!(text.ends_with(size) && text.chars().count() < 1_030, "{text}");
    }
}

#[test]
fn honest_numbers_in_strings_are_shown() {
    shows("'look at 0x123456'", "'look at 0x123456'");
    shows("'the fault at 0x7f3a12bc4d50'", "'the fault at 0x7f3a12bc4d50'");
    shows("str([object()])", "'[<object object at 0x…>]'");
    let many = last_text("x = str([object() for i in range(500)])\ny = 0\n", "x");
    assert!(!many.contains("at 0x7") && many.ends_with(" characters>…"), "{many}");
}

#[test]
fn messages_of_exceptions_are_those_of_str() {
    for (raises, message) in [
        ("{}['k']", "'k'"),
        ("raise OSError(2, 'No such file', 'f')", "[Errno 2] No such file: 'f'"),
        ("raise ValueError('a', 1)", "('a', 1)"),
        (
            "b'\\xff'.decode()",
            "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
        ),
        ("raise ExceptionGroup('g', [ValueError(1), KeyError(2)])", "g (2 sub-exceptions)"),
        ("raise StopIteration", ""),
        ("import nowhere", "No module named 'nowhere'"),
    ] {
        assert_eq!(&*exit(raises).exception.unwrap().message, message, "{raises}");
    }
}

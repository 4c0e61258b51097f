//! Endless runs that are proved to be so, and those that only look endless.

use lockstep::state::ExitKind;

use super::exit;

#[test]
fn a_whole_state_that_comes_again_never_ends() {
    for source in [
        "while True:\n    pass\n",
        "while True: pass\n",
        "def main():\n    i = 0\n    while i < 10:\n        print(i)\n",
        "x = [1, 2, 3]\nwhile x:\n    x.append(x.pop(0))\n",
        "def main():\n    n = 7\n    while n != 1:\n        n = 3 * n + 1 if n % 2 else n // 2\n        if n == 1:\n            n = 7\n",
        "d = {}\ndef f():\n    d['x'] = {1, 2}\n    return True\nwhile f():\n    continue\n",
        "def outer():\n    n = 0\n    def inner():\n        nonlocal n\n        n = (n + 1) % 5\n        return n < 9\n    while inner():\n        pass\nouter()\n",
        "for i in range(3):\n    pass\nwhile i:\n    i = i\n",
    ] {
        let exit = exit(source);
        assert_eq!(exit.kind, ExitKind::Never, "{source}{exit:?}");
        assert!(exit.reason.unwrap().contains("everything repeats every "), "{source}");
    }
}

#[test]
fn loops_that_end_are_not_taken_for_endless() {
    for source in [
        // Something counts where the frame doesn't show it.
        "def make():\n    c = 0\n    def g():\n        nonlocal c\n        c += 1\n        return c\n    return g\ng = make()\nwhile g() < 50:\n    pass\n",
        "log = []\ndef f():\n    log.append(1)\n    return len(log) < 50\nwhile f():\n    pass\n",
        "def f(x=[]):\n    x.append(1)\n    return len(x) < 50\nwhile f():\n    pass\n",
        "def f(*, x={}):\n    x[len(x)] = 0\n    return len(x) < 50\nwhile f():\n    pass\n",
        "def f():\n    f.n += 1\n    return f.n < 50\nf.n = 0\nwhile f():\n    pass\n",
        "class C:\n    n = 0\nc = C()\ndef f():\n    c.n += 1\n    return c.n < 50\nwhile f():\n    pass\n",
        "class C:\n    n = 0\n    def step(self):\n        C.n += 1\n        return C.n < 50\nc = C()\nwhile c.step():\n    pass\n",
        // Iterators and generators move on.
        "it = iter(range(50))\nwhile next(it) < 40:\n    pass\n",
        "def count():\n    n = 0\n    while True:\n        n += 1\n        yield n\ng = count()\nwhile next(g) < 50:\n    pass\n",
        "for i in range(50):\n    while True:\n        x = 1\n        break\n",
        "def g():\n    while True:\n        yield 1\nn = 0\nfor x in g():\n    n += 1\n    if n > 50: break\n",
        "def f():\n    for x in [1, 2, 3]:\n        y = 0\n        while y < 1:\n            y += 1\n        y = 0\n    return True\nf()\n",
        "it = iter([1] * 50)\nwhile 1 in it:\n    x = 2\n",
        // Closures of one code share other variables each time.
        "fs = []\ndef a():\n    c = 0\n    def g():\n        nonlocal c\n        c = (c + 1) % 3\n        return c\n    fs.append(g)\n    return g()\nwhile a() + len(fs) < 40:\n    pass\n",
        "def main():\n    keep = None\n    n = 0\n    def make():\n        c = [0]\n        def g():\n            c[0] += 1\n            return c[0]\n        return g\n    g = make()\n    while g() < 30:\n        pass\n",
        // Outside of the program's values.
        "import random\nwhile random.random() < 0.99:\n    pass\n",
        "import time\nt = time.time()\nwhile time.time() - t < 0.0001:\n    pass\n",
        "import sys\nsys.n = 0\ndef f():\n    sys.n += 1\n    return sys.n < 50\nwhile f():\n    pass\n",
        // Equal, but not the same.
        "x = 1000\nwhile x is 1000:\n    x = int('1000')\n",
        "a = [1]\nb = a\nn = [a, b]\nwhile n[0] is n[1]:\n    n[1] = [1]\n",
        "a = []\nb = a\nwhile len(b) < 3:\n    a.append(0)\n    a = a[:]\n    b = a\n",
    ] {
        let exit = exit(source);
        assert_eq!(exit.kind, ExitKind::Normal, "{source}{exit:?}");
    }
}

#[test]
fn what_cannot_be_proved_is_only_stopped() {
    for source in [
        "class A: pass\na = A()\nwhile a:\n    pass\n",
        "import math\nwhile True:\n    pass\n",
        "i = 0\nwhile True:\n    i += 1\n",
    ] {
        let exit = exit(source);
        assert_eq!(exit.kind, ExitKind::Stopped, "{source}{exit:?}");
    }
}

#[test]
fn reading_input_is_no_repetition() {
    let mut options = super::options();
    options.stdin = "a\n".repeat(60);
    let source = "while input() == 'a':\n    pass\n";
    let exit = super::start(source, &options).unwrap().exit().unwrap();
    assert_eq!(exit.exception.unwrap().class.as_ref(), "EOFError");
}

#: a metaclass whose class body never ends | stopped steps
class Meta(type):
    @classmethod
    def __prepare__(cls, name, bases):
        n = 0
        while True:
            n += 1
class A(metaclass=Meta):
    pass

#: a metaclass that recurses when it is called | error RecursionError
class Meta(type):
    def __call__(cls):
        return cls()
class A(metaclass=Meta):
    pass
A()

#: a metaclass whose classes claim to be everything | normal
class Meta(type):
    def __instancecheck__(cls, other):
        return True
    def __subclasscheck__(cls, other):
        return True
    def __eq__(cls, other):
        return True
    def __hash__(cls):
        return 0
    def __getattribute__(cls, name):
        raise SystemExit(name)
    def __repr__(cls):
        raise KeyboardInterrupt
class A(metaclass=Meta):
    pass
a = A()
b = [A, a, {A: a}]

#: __del__ that never ends | stopped steps
class A:
    def __del__(self):
        n = 0
        while True:
            n += 1
a = A()
del a

#: __del__ that makes its own successor | normal
class A:
    def __del__(self):
        A()
a = A()
a = None

#: __del__ that raises SystemExit | normal
class A:
    def __del__(self):
        raise SystemExit(3)
a = A()
del a
b = 1

#: __getattr__ that never ends | stopped steps
class A:
    def __getattr__(self, name):
        n = 0
        while True:
            n += 1
A().x

#: __getattribute__ that raises BaseException | error KeyboardInterrupt
class A:
    def __getattribute__(self, name):
        raise KeyboardInterrupt(name)
a = A()
b = [a]
a.x

#: __eq__ and __hash__ that never end | stopped steps
class A:
    def __hash__(self):
        return 1
    def __eq__(self, other):
        n = 0
        while True:
            n += 1
x = {A(): 1, A(): 2}

#: __hash__ that changes at every call | normal
class A:
    n = 0
    def __hash__(self):
        A.n += 1
        return A.n
a = A()
d = {a: 1}
for i in range(20):
    d[a] = i
s = {a, a}

#: __len__ that is beyond all bounds | error OverflowError
class A:
    def __len__(self):
        return 10**30
len(A())

#: __length_hint__ that promises everything | error MemoryError
class A:
    def __iter__(self):
        return self
    def __next__(self):
        raise StopIteration
    def __length_hint__(self):
        return 2**62
list(A())

#: __bool__ that recurses | error RecursionError
class A:
    def __bool__(self):
        return not self
if A():
    pass

#: __iter__ that returns itself for ever | stopped steps
class A:
    def __iter__(self):
        return self
    def __next__(self):
        return self
for x in A():
    y = x

#: __next__ that never stops, inside a builtin | stopped steps
class A:
    def __iter__(self):
        return self
    def __next__(self):
        return 1
sum(A())

#: __repr__ that never ends, as a local and printed | stopped steps
class A:
    def __repr__(self):
        n = 0
        while True:
            n += 1
a = A()
b = [a, {1: a}, (a,)]
print(a)

#: __repr__ that never ends inside one builtin | normal
class A:
    def __repr__(self):
        return str(sum(range(10**12)))
a = A()
b = [a]
c = 1

#: __repr__ that allocates without end | normal
class A:
    def __repr__(self):
        return 'x' * 10**11
a = A()
b = [a] * 100
c = 1

#: __repr__ that changes what it shows | normal
class A:
    seen = []
    def __repr__(self):
        self.seen.append(len(self.seen))
        return 'A'
a = A()
b = 1
c = 2
assert A.seen == []

#: __repr__ that prints and exits | normal
import sys
class A:
    def __repr__(self):
        print('seen')
        sys.exit(1)
a = A()
b = 1

#: __repr__ of a str subclass that never ends | normal
class S(str):
    def __repr__(self):
        while True: pass
    __str__ = __len__ = __iter__ = __eq__ = __format__ = __repr__
    __hash__ = str.__hash__
s = S('abc')
t = [s]
u = 1

#: an int subclass whose every operation never ends | normal
class I(int):
    def __repr__(self):
        while True: pass
    __str__ = __eq__ = __index__ = __int__ = __bool__ = __format__ = __hash__ = __repr__
i = I(5)
j = (i, [i])
k = 1

#: dict and list subclasses that never end | normal
class D(dict):
    def __repr__(self):
        while True: pass
    __len__ = __iter__ = items = keys = values = __getitem__ = __eq__ = __repr__
class L(list):
    __len__ = __iter__ = __getitem__ = __repr__ = __eq__ = D.__repr__
d = D(a=1)
l = L([1, 2])
m = [d, l]
n = 1

#: __str__ of an exception that never ends | error E
class E(Exception):
    def __str__(self):
        while True: pass
    __repr__ = __str__
raise E(1)

#: __format__ that recurses | error RecursionError
class A:
    def __format__(self, spec):
        return f'{self:{spec}}'
f'{A():x}'

#: __index__ that returns itself | error TypeError
class A:
    def __index__(self):
        return self
[1, 2][A()]

#: __index__ that recurses | error RecursionError
class A:
    def __index__(self):
        return [0][self]
[1, 2][A()]

#: __eq__ that recurses in a comparison of lists | error RecursionError
class A:
    def __eq__(self, other):
        return [self] == [other]
A() == A()

#: __missing__ that recurses | error RecursionError
class D(dict):
    def __missing__(self, key):
        return self[key]
D()[1]

#: __contains__, __call__ and __get__ that recurse into each other | error RecursionError
class A:
    def __get__(self, instance, owner):
        return instance.x
    def __call__(self):
        return 1 in self
    def __contains__(self, item):
        return self()
class B:
    x = A()
try:
    B().x
except RecursionError:
    pass
A()()

#: __set_name__ and __init_subclass__ that raise everything | error GeneratorExit
class A:
    def __init_subclass__(cls):
        raise GeneratorExit
class B(A):
    pass

#: an exception with a huge message | error ValueError
raise ValueError('x' * 10**7)

#: an exception with huge arguments | error ValueError
raise ValueError(*['x' * 1000] * 10**5)

#: 20,000 exceptions in a chain | error ValueError or stopped stack
exec('''
e = None
for n in range(20_000):
    previous, e = e, ValueError(n)
    e.__cause__ = e.__context__ = previous
''', globals())
raise e

#: an exception that is its own cause | error ValueError
e = ValueError(1)
e.__cause__ = e
e.__context__ = e
raise e

#: exception groups in exception groups | error ExceptionGroup
e = ValueError('x')
for i in range(500):
    e = ExceptionGroup(str(i), [e])
raise e

#: BaseException swallowed without end | stopped steps
n = 0
while True:
    try:
        n += 1
        raise type('E', (BaseException,), {})
    except BaseException:
        pass

#: sys.exit in finally, for ever | stopped steps
import sys
def f(n):
    try:
        sys.exit(n)
    finally:
        try:
            sys.exit(n)
        except SystemExit:
            return n
n = 0
while True:
    n = f(n) + 1

#: return in finally hides every exception | stopped steps
def f(n):
    while True:
        try:
            raise MemoryError
        finally:
            n += 1
            continue
f(0)

#: a generator that refuses to be closed | error RuntimeError
def g():
    while True:
        try:
            yield 1
        except GeneratorExit:
            pass
x = g()
next(x)
x.close()

#: an endless generator in sum | stopped steps
def g():
    while True:
        yield 1
sum(g())

#: an endless generator in dict, join and max | stopped steps
def g():
    n = 0
    while True:
        n += 1
        yield str(n)
max(dict(zip(g(), map(str.upper, g()))), key=len)

#: an endless generator in sorted | stopped steps
def g():
    n = 0
    while True:
        n -= 1
        yield n
sorted(g())

#: a key function that never ends | stopped steps
def key(x):
    while True:
        x += 1
sorted([1, 2, 3], key=key)

#: an endless iterator of the library in join | stopped memory
import itertools
','.join(itertools.repeat('x' * 1000))

#: an endless iterator of the library in set | stopped memory
import itertools
set(itertools.count())

#: an endless iterator of the library in a tuple | stopped memory
import itertools
tuple(itertools.cycle([1, 2]))

#: an endless iterator of the library in all | stopped time
import itertools
all(itertools.repeat(True))

#: all permutations | stopped memory
import itertools
list(itertools.permutations(range(50)))

#: the product of many | error MemoryError or stopped memory
import itertools
list(itertools.product(range(100), repeat=100))

#: the deque of everything | stopped memory
import collections, itertools
collections.deque(itertools.count())

#: a Counter of everything | stopped memory
import collections, itertools
collections.Counter(itertools.count())

#: a power that fills the memory | stopped time
10**10**8

#: the decimal digits of a huge integer | error ValueError
x = 1 << 10**6
str(x)

#: a factorial without end | stopped time
import math
math.factorial(10**7)

#: a modular power without end | stopped time
pow(3, 10**2_000_000, 10**100_000 + 7)

#: a shift that fills the memory | error MemoryError
x = 1 << 10**11

#: a product of strings in an f-string | error MemoryError
f"{'x' * 10**12}"

#: a width that fills the memory | error MemoryError or stopped memory
'{:>1000000000}'.format(1)

#: a width in an f-string beyond all bounds | error ValueError
f'{1:>99999999999999999999}'

#: a precision that fills the memory | error MemoryError or stopped memory or error ValueError
'%.1000000000f' % 1.5

#: a replacement that fills the memory | stopped memory
('a' * 10**5).replace('a', 'b' * 10**5)

#: a translation that fills the memory | stopped memory
('a' * 10**6).translate({97: 'b' * 10**5})

#: a pattern that backtracks for ever | stopped time
import re
re.match('(a+)+$', 'a' * 40 + 'b')

#: a pattern of many nested groups | normal
import re
try:
    re.compile('(' * 2000 + ')' * 2000)
except (RecursionError, re.error, OverflowError):
    pass

#: JSON of a deep structure | normal
import json
x = []
for i in range(5000):
    x = [x]
json.dumps(x)

#: JSON text that is deep | error JSONDecodeError or error RecursionError
import json
json.loads('[' * 100_000)

#: JSON of a cycle | error ValueError
import json
x = {}
x['x'] = x
json.dumps(x)

#: deep copy of a cycle, and of a deep structure | error RecursionError
import copy
x = []
x.append(x)
y = copy.deepcopy(x)
for i in range(5000):
    x = [x]
copy.deepcopy(x)

#: a pickle that is a program | error ZeroDivisionError
import pickle
class A:
    def __reduce__(self):
        return eval, ("1 / 0",)
pickle.loads(pickle.dumps(A()))

#: the recursion limit lifted, in Python code | stopped depth
import sys
sys.setrecursionlimit(2**31 - 1)
def f():
    f()
f()

#: the recursion limit lifted, in code that is not seen | error RecursionError
import sys
sys.setrecursionlimit(2**31 - 1)
exec('def f(): f()\nf()', {})

#: the recursion limit lifted, through a protocol | error RecursionError or stopped stack or stopped depth
import sys
sys.setrecursionlimit(2**31 - 1)
exec('''
class A:
    def __getattr__(self, name):
        return getattr(self, name)
A().x
''', {})

#: a trace function that wants to see everything | normal
# sees: y = 2
import sys
def trace(*args):
    while True: pass
sys.settrace(trace)
sys.setprofile(trace)
import threading
threading.settrace(trace)
x = 1
y = 2

#: a frame that switches its lines off | normal
# sees: y = 2
import sys
f = sys._getframe()
try:
    f.f_trace_lines = False
except Exception:
    pass
x = 1
y = 2

#: a frame that deletes its trace function | normal
# sees: y = 2
import sys
f = sys._getframe()
try:
    del f.f_trace
except Exception:
    f.f_trace = None
x = 1
y = 2

#: a frame that sets its own trace function | normal
# sees: y = 2
import sys
f = sys._getframe()
f.f_trace = lambda *args: None
x = 1
y = 2

#: a frame that asks for opcodes | normal
# sees: y = 2
import sys
f = sys._getframe()
f.f_trace_opcodes = True
x = 1
y = 2

#: a frame that switches its caller's lines off | normal
# sees: y = 2
import sys
def hide():
    f = sys._getframe(1)
    f.f_trace_lines = False
    f.f_trace = None
def main():
    hide()
    x = 1
    y = 2
main()

#: a jump by f_lineno | error ValueError
import sys
f = sys._getframe()
f.f_lineno = 1

#: f_locals written from outside | normal
# sees: y = x
import sys
def write():
    sys._getframe(1).f_locals['x'] = 5
def main():
    x = 1
    write()
    y = x
    assert y == 5
main()

#: a frame that clears itself and its callers | error RuntimeError
import sys
def f():
    sys._getframe(1).clear()
f()

#: code replaced by junk | stopped interpreter
def f(): pass
f.__code__ = f.__code__.replace(co_code=b'\x64\xff' * 40)
f()

#: code replaced by the code of another file | normal
def f():
    return 1
f.__code__ = compile('x = 1\nwhile True: break', 'p.py', 'exec')
f()

#: a loop inside exec | stopped time
exec('while True: pass')

#: an exec that recurses | error RecursionError
s = 'exec(s)'
exec(s)

#: an eval of a deep expression | error RecursionError
eval('(' * 100 + '-' * 100_000 + '1' + ')' * 100)

#: an eval of many operations | normal
try:
    eval('1' + '+1' * 200_000)
except (RecursionError, MemoryError):
    pass

#: a compile bomb | normal
try:
    compile('if 1:\n' + ''.join(' ' * i + 'if 1:\n' for i in range(1, 90)) + ' ' * 90 + 'pass\n' , 'x', 'exec')
except SyntaxError:
    pass

#: __import__ overridden | error ZeroDivisionError
import builtins
def load(*args):
    return 1 / 0
builtins.__import__ = load
import json

#: a module that is found nowhere, and one of the program's making | error ModuleNotFoundError
import sys, importlib
sys.modules['made'] = sys
import made
importlib.import_module('nowhere')

#: importlib reloads everything | normal
import importlib, sys
for name in list(sys.modules):
    try:
        importlib.reload(sys.modules[name])
    except BaseException:
        pass
x = 1

#: sys.modules emptied | normal
import sys
sys.modules.clear()
x = 1
y = 2

#: builtins taken away | error NameError
import builtins
for name in list(vars(builtins)):
    delattr(builtins, name)
x = 1
print(x)

#: builtins replaced | normal
# sees: y = 2
import builtins
def never(*args, **kwargs):
    while True: pass
for name in 'isinstance repr str len id type hash iter next getattr format print'.split():
    setattr(builtins, name, never)
x = [1, 2, {3: 'x'}]
y = 2

#: __build_class__ that never ends | stopped steps
import builtins
def build(*args):
    n = 0
    while True:
        n += 1
builtins.__build_class__ = build
class A:
    pass

#: threads | normal
import _thread, threading
def f():
    pass
_thread.start_new_thread(f, ())
t = threading.Thread(target=f)
t.start()
t.join()

#: a thread that never ends | stopped steps
import threading
def f():
    n = 0
    while True:
        n += 1
t = threading.Thread(target=f)
t.start()

#: a lock that is taken twice | normal
import _thread
lock = _thread.allocate_lock()
lock.acquire()
lock.acquire()

#: a queue that stays empty | stopped time
import queue
queue.Queue().get()

#: a sleep for ever | normal
import time
time.sleep(10**18)

#: processes | error PermissionError
import os
os.system('true')

#: signals | error ModuleNotFoundError or error AttributeError
import signal
signal.signal(signal.SIGTERM, lambda *a: None)

#: input without end | error EOFError
while True:
    input()

#: atexit | normal
import atexit
@atexit.register
def never():
    while True: pass

#: a weak reference whose callback never ends | stopped steps
import weakref
class A: pass
def never(ref):
    n = 0
    while True:
        n += 1
a = A()
r = weakref.ref(a, never)
del a

#: a weak reference whose callback raises | normal
import weakref
class A: pass
def fail(ref):
    raise SystemExit
a = A()
r = weakref.ref(a, fail)
del a
b = 1

#: cycles with finalizers, collected | normal
import gc
class A:
    def __del__(self):
        self.me = self
for i in range(100):
    a = A()
    a.a = a
a = None
gc.collect()

#: a coroutine that never ends | stopped steps
class Forever:
    def __await__(self):
        while True:
            yield
async def main():
    await Forever()
for step in main().__await__():
    pass

#: a coroutine that waits for itself | error ValueError or error RuntimeError
async def f():
    await c
c = f()
c.send(None)

#: an async generator without end | stopped steps
async def g():
    while True:
        yield 1
async def main():
    async for x in g():
        pass
try:
    main().send(None)
except StopIteration:
    pass

#: a huge end and separator | stopped output
print(1, 2, sep='-' * 10**6, end='\n' * 10**6)

#: many small prints | stopped output
i = 0
while True:
    i += 1
    print(end=str(i))

#: standard output replaced by a stream that never ends | stopped steps
import sys
class Out:
    def write(self, text):
        n = 0
        while True:
            n += 1
sys.stdout = Out()
print('x')

#: standard output replaced by a stream that prints | error RecursionError
import sys
class Out:
    def write(self, text):
        print(text)
sys.stdout = Out()
print('x')

#: standard streams deleted and closed | error ZeroDivisionError
import sys
sys.stderr.close()
sys.stdout.close()
sys.stdin.close()
del sys.stderr, sys.stdout, sys.stdin
1 / 0

#: excepthook that never ends | error ZeroDivisionError
import sys
def never(*args):
    while True: pass
sys.excepthook = sys.unraisablehook = sys.displayhook = never
1 / 0

#: a flood of warnings | stopped output or stopped steps
import warnings
warnings.simplefilter('always')
i = 0
while True:
    i += 1
    warnings.warn(str(i))

#: a class with 100,000 attributes | normal
class A: pass
for i in [0]:
    exec('for i in range(100_000): setattr(A, f"a{i}", i)', {'A': A})
a = A()
a.__dict__.update(A.__dict__)
b = a

#: a dict with 100,000 keys whose repr never ends | normal
class K:
    def __repr__(self):
        while True: pass
d = {}
exec('d.update((K(), 1) for i in range(100_000))', {'d': d, 'K': K})
x = 1
y = 2

#: containers that hold themselves | normal
l = []
l.append(l)
d = {'d': l}
d['self'] = d
s = [d, l] * 50
class A: pass
a = A()
a.a = a
a.s = s
t = (a, s)
s.append(t)

#: a list nested 100,000 deep | normal
x = []
exec('for i in range(100_000): x = [x]', globals())
y = x
z = 1

#: a linked list of 100,000 objects | normal
class N: pass
n = None
exec('''
for i in range(100_000):
    new = N()
    new.next, n = n, new
''', globals())
x = 1

#: an exponential structure | normal
x = ()
for i in range(100):
    x = (x, x)
y = [x, x]

#: a flood of interned strings | stopped memory
import sys
exec('i = 0\nwhile True:\n    i += 1\n    x = sys.intern(str(i) * 1000); l.append(x)', {'sys': sys, 'l': []})

#: bytearray growth | stopped memory
exec('b = bytearray(1000)\nwhile True: b += bytes(b)', {})

#: bytearray growth under a view | error BufferError
b = bytearray(10)
v = memoryview(b)
b.extend(b'x' * 100)

#: string search without end | stopped time
s = 'a' * 10**6
exec('while True: (s + "b").find("a" * 10**5 + "c")', {'s': s})

#: decimal with huge precision | stopped time
import decimal
decimal.getcontext().prec = 10**6
decimal.Decimal(2).sqrt()

#: a decimal power beyond all bounds | error Overflow or error OverflowError or stopped time or stopped memory
from decimal import Decimal
Decimal(10) ** Decimal(10**9)
int(Decimal('1e1000000000'))

#: fractions that grow | stopped steps or stopped time
from fractions import Fraction
x = Fraction(1, 3)
while True:
    x = x * x + 1

#: random and entropy | normal
import random, os, time
random.seed(10**1000)
random.seed()
x = random.random()
random.setstate(random.getstate())
b = os.urandom(10)
y = len(os.urandom(1 << 20))

#: entropy without end | error MemoryError
import os
os.urandom(10**12)

#: a hash flood | normal
d = {}
for i in range(1000):
    d[i * (2**61 - 1)] = i

#: int() of a huge text | error ValueError
int('9' * 10**6)

#: a slice assignment that fills the memory | stopped memory
x = [0] * 10**6
exec('while True: x[0:0] = x', {'x': x})

#: a list that grows while it is walked | stopped steps or stopped memory
x = [1]
for i in x:
    x.append(i)

#: a dict that changes while it is walked | error RuntimeError
d = {1: 1}
for k in d:
    d[k + 1] = 1

#: a sort whose comparison changes the list | error ValueError
x = []
class A:
    def __lt__(self, other):
        x.append(self)
        return False
x += [A() for i in range(5)]
x.sort()

#: a map over itself | error RecursionError or error RuntimeError or stopped stack
x = iter([1])
exec('for i in range(200_000): x = map(abs, x)', globals())
next(x)

#: types nested without end | normal
t = int
for i in range(500):
    t = list[t]
u = int
for i in range(500):
    u = u | type(f'A{i}', (), {})

#: a chain of 5,000 base classes | stopped time or normal
A = type('A', (), {})
for i in range(5000):
    A = type('A', (A,), {})
a = A()
try:
    a.x
except AttributeError:
    pass

#: partial functions nested without end | normal or error RecursionError or stopped stack
from functools import partial
f = lambda: 1
exec('class P(partial): pass\nfor i in range(100_000): f = partial(P(f), *())', globals())
f()

#: a comprehension of comprehensions without end | stopped steps or stopped memory
x = [[y for y in range(10**6)] for z in range(10**6)]

#: a loop with its body on the same line | stopped steps
i = 0
while True: i += 1

#: a lambda that calls itself | error RecursionError
f = lambda: f()
f()

#: mutual recursion of properties | error RecursionError
class A:
    x = property(lambda self: self.y)
    y = property(lambda self: self.x)
A().x

#: with blocks that swallow everything | stopped steps
class Swallow:
    def __enter__(self): return self
    def __exit__(self, *args): return True
n = 0
while True:
    with Swallow():
        n += 1
        raise SystemExit

#: the host's own streams by their numbers | error TypeError or error UnsupportedOperation
import io
io.FileIO(1, 'w').write(b'forged')

#: the recorder's own modules | error ModuleNotFoundError
import _testinternalcapi

#: marshal of junk | error ValueError or error EOFError or error TypeError
import marshal
marshal.loads(b'c' + b'\xff' * 100)

#: struct with a huge count | error error or error MemoryError or stopped memory or error OverflowError
import struct
struct.pack('1000000000000x')

#: ctypes | error ModuleNotFoundError
import ctypes
ctypes.string_at(0)

#: a loop that counts | stopped steps
i = 0
while True:
    i += 1

#: a loop that repeats | never
x = 1
while x:
    x = 1

#: a comprehension without end | stopped steps
x = [0 for i in range(10**12) if i < 0]

#: a loop that calls itself when it is stopped | stopped steps
def f():
    try:
        i = 0
        while True: i += 1
    finally:
        f()
f()

#: a sum without end | stopped time
sum(range(10**12))

#: a list that doubles | stopped memory
x = [1]
while True:
    x = x + x

#: a string that doubles | stopped memory
x = 'a'
while True:
    x = x + x

#: a dict that grows | stopped memory
x = {}
while True:
    x[len(x)] = 'a' * 100_000 + str(len(x))

#: a list of 10**12 | error MemoryError
x = [0] * 10**12

#: a list of all numbers | stopped memory
x = list(map(str, range(10**9)))

#: recursion | error RecursionError
def f(n):
    return f(n + 1)
f(0)

#: one large print | stopped output
print('x' * 10**7)

#: one large print to the error stream | stopped output
import sys
print('x' * 20_000, file=sys.stderr)

#: a print beyond the memory | error MemoryError
print('x' * 10**12)

#: generators that close each other | stopped output or stopped stack
def make():
    exec('''
def g(x):
    try:
        yield 1
    finally:
        x = None
x = None
for i in range(60_000):
    x = g(x)
    next(x)
x = None
''', {})
make()

#: files | error PermissionError
open('/etc/passwd')

#: files by another name | error UnsupportedOperation
import io
io.open('/etc/passwd')

#: the network | error ModuleNotFoundError
import socket

#: subprocesses | error ModuleNotFoundError
import subprocess

#: an endless sleep that a clock shows | normal
import time
a = time.time()
time.sleep(10**9)
assert time.time() - a >= 10**9

#: the objects of the garbage collector | error AttributeError
import gc
gc.get_objects()

#: a module that is thrown away and imported anew | error AttributeError
import sys
del sys.modules['gc']
import gc
gc.get_objects()

#: a forbidden module whose mark is thrown away | error ModuleNotFoundError
import sys
del sys.modules['_testinternalcapi']
import _testinternalcapi

#: the real clock | normal
import sys
import time
now = time.time()
del sys.modules['time']
import time as again
assert 0 <= again.time() - now < 1
assert 0 <= time.clock_gettime(time.CLOCK_REALTIME) - now < 1
assert time.clock_gettime_ns(time.CLOCK_MONOTONIC) < 10**9

#: the real clock by the calendar | normal
import datetime
import time
assert time.time() - datetime.datetime.now().timestamp() < 1
assert datetime.datetime.now(datetime.timezone.utc).year == 2026
assert datetime.date.today() == datetime.date(2026, 1, 1)
x = datetime.datetime.now()
assert repr(x).startswith('datetime.datetime(2026, 1, 1, 0, 0')

#: the recorder's hook, called by hand | normal
# sees: y = 2
import sys
f = sys._getframe()
assert f.f_trace is None and f.f_trace_lines is True and f.f_trace_opcodes is False
try:
    f.f_trace(f, 'return', None)
except TypeError:
    pass
x = 1
y = 2

#: monitoring | error AttributeError
import sys
sys.monitoring

#: os.environ, os.fork and other ways out | error AttributeError
import os
assert not os.environ
os.fork()

#: an exit code | error SystemExit
import sys
sys.exit(3)

#: an exit from deep inside, with a value whose text never ends | error SystemExit
class A:
    def __str__(self):
        while True: pass
    __repr__ = __str__
def f(n):
    if n:
        f(n - 1)
    raise SystemExit(A())
f(50)

#: match on objects that never end | stopped steps
class A:
    def __getattr__(self, name):
        n = 0
        while True:
            n += 1
match A():
    case A(x=1):
        pass

#: a descriptor that deletes its class | error TypeError
class D:
    def __get__(self, instance, owner):
        del owner.x
        return None
class A:
    x = D()
A().x()

#: __slots__, __class__ and __dict__ replaced while shown | normal
class A: pass
class B:
    def __repr__(self):
        while True: pass
a = A()
a.x = a
a.__class__ = B
a.__dict__ = {'a': a, 1: 2}
b = [a]

#: keys that are no strings in globals and locals | normal
globals()[1] = 2
globals()['a b'] = 3
globals()['\ud800'] = '\ud800'
x = 1

#: a code object with a forged file name | normal
# sees: y = 2
def f():
    return 1
f.__code__ = f.__code__.replace(co_filename='/etc/passwd', co_name='\n', co_firstlineno=10**6)
f()
x = 1
y = 2

#: a line number beyond the file | normal
def f():
    return 1
f.__code__ = f.__code__.replace(co_firstlineno=2**31 - 1)
f()

#: a tree of calls as deep as they go | stopped steps
def f(n):
    return f(n - 1) + f(n - 1) if n else 1
f(500)

#: a zip bomb | stopped memory or error MemoryError
import zlib
data = zlib.compress(b'0' * 10**7, 9)
for i in range(4):
    data = zlib.compress(data * 1000, 9)
while True:
    data = zlib.decompress(data)

#: base64, hex and ranges of everything | stopped memory
x = b'x' * 10**6
exec('while True: x = x.hex().encode()', {'x': x})

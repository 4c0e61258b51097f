def defined(code):
    names = {'__name__': 'program'}
    exec(code, names)
    return names


def called(code, call):
    return eval(call, defined(code))


def evaluated(expression, pairs, names):
    scope = dict(names)
    for name, text in pairs.items():
        scope[name] = built(text)
    return eval(expression, scope)


def applied(function, pairs):
    values = {name: built(text) for name, text in pairs.items()}
    code = function.__code__
    names = code.co_varnames
    at, keywords = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    positional = [values.pop(name) for name in names[:at]]
    named = {name: values.pop(name) for name in names[at:keywords]}
    if code.co_flags & 4:
        positional += values.pop(names[keywords])
        keywords += 1
    if code.co_flags & 8:
        named.update(values.pop(names[keywords]))
    if values:
        raise TypeError('no such argument: ' + ', '.join(values))
    return function(*positional, **named)


def built(text):
    return eval(text, {'inf': 1e999, 'nan': 1e999 - 1e999})


def against(real, text):
    try:
        value = built(text)
    except Exception:
        return None
    return compared(real, value)


def compared(real, value):
    if not real == value:
        return 0
    return 2 if alike(real, value) else 1


def alike(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        keys = {key: key for key in b}
        return all(alike(key, keys[key]) and alike(a[key], b[key]) for key in a)
    if isinstance(a, (set, frozenset)):
        items = {item: item for item in b}
        return all(alike(item, items[item]) for item in a)
    if isinstance(a, (list, tuple)):
        return all(alike(x, y) for x, y in zip(a, b))
    return True

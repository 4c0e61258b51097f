# title: Which handler catches
# topic: exceptions
# shows: Handlers are tried from the top and a base class catches its subclasses, so the handler
#   written for KeyError is never reached. The most fitting one doesn't win: the first does.


def look_up(table, key):
    try:
        return table[key]
    except LookupError as error:
        return f"lookup: {error!r}"
    except KeyError:
        return "key"
    except TypeError:
        return "type"


def main():
    found = look_up({"a": 1}, "a")
    missing = look_up({"a": 1}, "b")
    outside = look_up([1, 2], 2)
    unhashable = look_up({}, [])
    return found, missing, outside, unhashable

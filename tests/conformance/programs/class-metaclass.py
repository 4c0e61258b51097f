# A metaclass sees the class being made.
class Registry(type):
    known = []

    def __new__(meta, name, bases, body):
        cls = super().__new__(meta, name, bases, body)
        meta.known.append(name)
        return cls

    def __call__(cls, *args):
        instance = super().__call__(*args)
        instance.tag = cls.__name__.lower()
        return instance


class Plugin(metaclass=Registry):
    pass


plugin = Plugin()
tag = plugin.tag
known = Registry.known

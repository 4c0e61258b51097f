# match over mappings with a value captured and the rest kept.
def handle(message):
    match message:
        case {"kind": "move", "to": (x, y)}:
            return x + y
        case {"kind": "say", "text": str(text), **rest}:
            return text, rest
        case {}:
            return "unknown"


def main():
    return (
        handle({"kind": "move", "to": (1, 2)}),
        handle({"kind": "say", "text": "hi", "loud": True}),
        handle({"kind": "say", "text": 5}),
    )

# Division and modulo by zero of every kind, and conversions that fail.
def main():
    texts = []
    for attempt in (
        lambda: 1 / 0, lambda: 1 // 0, lambda: 1 % 0, lambda: 1.0 / 0, lambda: 1.0 // 0,
        lambda: 0 ** -1, lambda: int("1.5"), lambda: float("x"), lambda: int(None), lambda: 1 << -1,
    ):
        try:
            attempt()
        except (ArithmeticError, ValueError, TypeError) as error:
            texts.append(f"{type(error).__name__}: {error}")
    return texts

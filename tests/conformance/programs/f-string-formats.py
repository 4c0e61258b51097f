# f-strings: conversions, format specs, nested fields, the = form.
def main():
    n, pi, name = 42, 3.14159, "ada"
    width = 8
    return (
        f"{n:>5}|{n:<5}|{n:^5}|{n:05}|{n:+}|{n:x}|{n:#b}",
        f"{pi:.2f} {pi:{width}.3f} {pi:e} {0.25:.1%}",
        f"{name!r:>{width}} {name.upper()} {{}} {n=} {pi = :.1f}",
        f"{1234567:,} {1234567.5:_.2f}",
    )

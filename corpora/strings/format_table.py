# title: A table of formatted numbers
# topic: strings
# shows: Format specifications pad, align, group and round. Rounding is half to even on the binary
#   value, and a width is a minimum: longer text isn't cut.

rows = [("tea", 1234.5, 0.125), ("coffee", -7, 2 / 3), ("hot chocolate", 1e6, 1)]
width = 9
for name, amount, share in rows:
    print(f"|{name:<{width}}|{amount:>12,.2f}|{share:^8.1%}|")
code = f"{255:#06x} {5:03b} {-3:+d} {'ok'!r:>6}"
halves = [f"{value:.0f}" for value in (0.5, 1.5, 2.5)]
print(code)
print(halves)

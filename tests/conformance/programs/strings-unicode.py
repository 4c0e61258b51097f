# Strings beyond ASCII: escapes, lengths, case and code points.
def main():
    text = "naïve café ☃ 😀"
    size = len(text), len(text.encode("utf-8"))
    upper = "straße".upper(), "İ".lower() == "i̇"
    points = [ord(c) for c in "aé😀"], chr(0x2603)
    escaped = "tab\t newline\n quote' \"both' backslash\\ nul\x00 bell\x07 nbsp\xa0"
    raw = r"\n", "a" "b", """multi
line"""
    return size, upper, points, escaped, raw, text[-1]

# title: The Caesar cipher
# topic: strings
# shows: Letters wrap around the alphabet by modulo, in both directions, and everything else
#   passes through. The shift back is the same function with a negative key.


def shift(text, key):
    result = ""
    for char in text:
        if char.isalpha():
            base = ord("A") if char.isupper() else ord("a")
            char = chr((ord(char) - base + key) % 26 + base)
        result += char
    return result


def main():
    secret = shift("Zoo, yes!", 3)
    return secret, shift(secret, -3)

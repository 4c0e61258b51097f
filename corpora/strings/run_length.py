# title: Run-length encoding
# topic: strings
# shows: A run ends only when a different letter comes, so the last run must be added after the
#   loop. The count restarts at one, not at zero.


def encode(text):
    encoded = ""
    count = 1
    for i in range(1, len(text)):
        if text[i] == text[i - 1]:
            count += 1
        else:
            encoded += text[i - 1] + str(count)
            count = 1
    return encoded + text[-1] + str(count)


def main():
    return encode("aaabccd")

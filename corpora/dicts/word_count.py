# title: Counting words
# topic: dicts
# shows: A dict grows in the order in which keys are first seen, and counting again leaves a key
#   where it is. The order of the result is the order of the text, not of the counts.


def count_words(text):
    counts = {}
    for word in text.lower().split():
        word = word.strip(".,")
        counts[word] = counts.get(word, 0) + 1
    return counts


def main():
    return count_words("The cat saw the dog. The dog ran.")

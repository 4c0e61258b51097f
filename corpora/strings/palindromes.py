# title: Is it a palindrome?
# topic: strings
# shows: Two indexes walk towards each other and skip what is no letter, each on its own. They
#   meet in the middle, or the first pair that differs ends the walk.


def is_palindrome(text):
    left = 0
    right = len(text) - 1
    while left < right:
        if not text[left].isalpha():
            left += 1
        elif not text[right].isalpha():
            right -= 1
        elif text[left].lower() != text[right].lower():
            return False
        else:
            left += 1
            right -= 1
    return True


def main():
    return is_palindrome("No, on!"), is_palindrome("Noah")

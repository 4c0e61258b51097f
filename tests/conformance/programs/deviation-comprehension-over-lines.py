# A comprehension of several lines within a call: RustPython comes to its first line once more.
def main():
    return len([n
                for n in range(2)
                if n])

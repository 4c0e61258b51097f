# f-strings inside f-strings, with quotes of the same kind and lambdas.
def main():
    names = ["a", "b"]
    text = f"{", ".join(f"{name!r}{i}" for i, name in enumerate(names))}"
    chosen = f"{"yes" if names else "no"} {(lambda x: x * 2)(4)} {names[0]} { {"k": 1}["k"]}"
    return text, chosen

# Docstrings, comments, blank lines and constant expressions are no lines that run.
def documented():
    """Says what it does.

    Over several lines.
    """

    # A comment.
    x = 1  # another

    """A string that stands alone."""
    42
    ...

    return x


def only_docstring():
    """Nothing else."""


def main():
    return documented(), only_docstring(), documented.__doc__[:4]

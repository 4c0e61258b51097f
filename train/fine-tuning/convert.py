"""Run llama.cpp's converter on a model whose tokenizer it doesn't know by its hash.

llama.cpp splits text by one of its named rules, and its converter knows the rule only for
tokenizers of well-known models. For your own one you name the rule. A wrong name is no error: it
shows as tokens that differ from those that the model was trained on.
"""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("converter", type=Path, help="convert_hf_to_gguf.py of llama.cpp")
    parser.add_argument("rule", help="its name in llama.cpp, as smollm (digits one by one)")
    parser.add_argument("rest", nargs=argparse.REMAINDER, help="what the converter takes")
    args = parser.parse_args()
    if not (args.converter.parent / "conversion").is_dir():
        raise SystemExit(f"{args.converter}: no folder `conversion` is beside it")

    sys.path[:0] = [str(args.converter.parent), str(args.converter.parent / "gguf-py")]
    from conversion.base import TextModel

    TextModel.get_vocab_base_pre = lambda self, tokenizer: args.rule
    sys.argv = [str(args.converter), *args.rest]
    runpy.run_path(str(args.converter), run_name="__main__")


if __name__ == "__main__":
    main()

"""Teach a base model's tokenizer the format of `lockstep dataset`, and tokenise a dataset with it.

Writes OUT/model (the base model with its new special tokens) and OUT/data (token ids and labels).
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

from datasets import DatasetDict, load_dataset
from transformers import AddedToken, AutoModelForCausalLM, AutoTokenizer, PreTrainedTokenizerBase

from trajectory import ACTION, END, FRAME, IGNORED, labels, special_tokens

SPLITS = ("train", "validation", "test")
#: Where `lockstep dataset` puts a split, by the name that `datasets` has for the format.
FILES = {"json": "jsonl/{}*.jsonl", "parquet": "data/{}*.parquet"}
#: GPUs multiply matrices whose sizes are multiples of this fastest.
ROWS = 64
#: Trajectories on which the tokenizer is tried.
SAMPLE = 200


def main() -> None:
    args = arguments()
    rows = load(args.dataset, args.direction)
    names = special_tokens(args.dataset)

    tokenizer = AutoTokenizer.from_pretrained(args.base)
    known = set(tokenizer.get_vocab())
    tokens = [AddedToken(name, special=True, normalized=False) for name in names]
    tokenizer.add_tokens(tokens, special_tokens=True)
    if tokenizer.pad_token is None:
        tokenizer.pad_token = END
    check(tokenizer, rows["train"][:SAMPLE]["text"], names)
    digits = len(tokenizer.encode("271828", add_special_tokens=False))
    print(f"special tokens: {len(names)}, {len(known.intersection(names))} of them in the base")
    print(f"digits: a number of six is {digits} tokens")

    data = tokenise(rows, tokenizer, args.longest)
    if not len(data["train"]):
        raise SystemExit(f"{args.dataset}: no trajectory runs {args.direction} and fits --longest")
    data.save_to_disk(args.out / "data")

    model = AutoModelForCausalLM.from_pretrained(args.base, dtype="auto")
    # Bases often have more rows than tokens: never fewer rows than before.
    size = max(len(tokenizer), model.get_input_embeddings().num_embeddings)
    model.resize_token_embeddings(size, pad_to_multiple_of=ROWS)
    model.save_pretrained(args.out / "model")
    tokenizer.save_pretrained(args.out / "model")

    for split, part in data.items():
        learned = sum(sum(label != IGNORED for label in row) for row in part["labels"])
        left_out = len(rows[split]) - len(part)
        print(
            f"{split}: {len(part):,} trajectories, {sum(part['length']):,} tokens, "
            f"{learned:,} of them in states; {left_out:,} longer than {args.longest:,} left out"
        )


def load(folder: Path, direction: str) -> DatasetDict:
    """The splits of a dataset that have rows, from its JSONL or its Parquet files."""
    for form, pattern in FILES.items():
        found = {split: folder.glob(pattern.format(split)) for split in SPLITS}
        paths = {
            split: sorted(str(path) for path in files if path.stat().st_size)
            for split, files in found.items()
        }
        if paths["train"]:
            rows = load_dataset(
                form, data_files={split: some for split, some in paths.items() if some}
            )
            if direction != "both":
                rows = rows.filter(lambda row: row["direction"] == direction)
            return rows
    raise SystemExit(
        f"{folder}: no files of trajectories to train on; `lockstep dataset` makes them"
    )


def check(tokenizer: PreTrainedTokenizerBase, texts: list[str], names: list[str]) -> None:
    """Refuses a tokenizer whose tokens differ from what Lockstep feeds to the model.

    Lockstep tokenises the texts between special tokens one by one. So they must have the same
    tokens in place and alone, and nothing may be lost, leading spaces least of all.
    """
    backend = json.loads(tokenizer.backend_tokenizer.to_str())
    if "ByteLevel" not in json.dumps([backend["pre_tokenizer"], backend["decoder"]]):
        raise SystemExit("the base has no byte-level BPE tokenizer; take a base that has one")
    between = re.compile("(" + "|".join(map(re.escape, names)) + ")")
    for text in texts:
        whole = tokenizer.encode(text, add_special_tokens=False)
        pieces = [piece for piece in between.split(text) if piece]
        alone = tokenizer(pieces, add_special_tokens=False)["input_ids"]
        if whole != [token for piece in alone for token in piece]:
            raise SystemExit(f"the tokenizer splits a text differently in place: {text[:200]!r}")
        if tokenizer.decode(whole, clean_up_tokenization_spaces=False) != text:
            raise SystemExit(f"the tokenizer does not give a text back: {text[:200]!r}")


def tokenise(rows: DatasetDict, tokenizer: PreTrainedTokenizerBase, longest: int) -> DatasetDict:
    """Token ids, labels and lengths of the trajectories that fit."""
    frame, action, end = tokenizer.convert_tokens_to_ids([FRAME, ACTION, END])

    def batch(texts: dict[str, list[str]]) -> dict[str, list]:
        ids = tokenizer(texts["text"], add_special_tokens=False)["input_ids"]
        ids = [row for row in ids if len(row) <= longest]
        return {
            "input_ids": ids,
            "labels": [labels(row, frame, action, end) for row in ids],
            "length": [len(row) for row in ids],
        }

    columns = rows["train"].column_names
    return rows.map(batch, batched=True, remove_columns=columns, desc="tokenising")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base", help="the base model: a folder, or its name on the hub")
    parser.add_argument("dataset", type=Path, help="the folder that `lockstep dataset` made")
    parser.add_argument("out", type=Path, help="the folder to write")
    parser.add_argument("--direction", choices=("forward", "inverse", "both"), default="both")
    parser.add_argument(
        "--longest", type=int, default=4096, metavar="N", help="tokens; longer ones are left out"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()

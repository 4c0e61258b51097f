"""Label a GGUF file as a neural debugger: what `lockstep` reads of its metadata.

Copies the file. The format's special tokens become CONTROL tokens, which no program text can forge,
and `lockstep.*` says how the model was trained.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from gguf import GGUFReader, GGUFValueType, GGUFWriter, Keys, TokenType
from gguf.scripts.gguf_new_metadata import MetadataDetails, copy_with_new_metadata

from trajectory import FORWARD, INVERSE


def main() -> None:
    args = arguments()
    if args.out.exists() and args.out.samefile(args.model):
        raise SystemExit(f"{args.out}: the copy needs another name than the file that is read")
    reader = GGUFReader(args.model)
    metadata = {
        "lockstep.dialect": "debugger",
        # tune.py trains each state with the token that ends it.
        "lockstep.frame_end": args.frame_end,
        # `lockstep dataset` writes source lines without their newline.
        "lockstep.source_end": args.source_end,
    }
    if args.name:
        metadata[Keys.General.NAME] = args.name
    details = {key: MetadataDetails(GGUFValueType.STRING, value) for key, value in metadata.items()}
    details[Keys.Tokenizer.TOKEN_TYPE] = MetadataDetails(
        GGUFValueType.ARRAY, token_types(reader), sub_type=GGUFValueType.INT32
    )
    writer = GGUFWriter(args.out, arch=contents(reader, Keys.General.ARCHITECTURE))
    copy_with_new_metadata(reader, writer, details, [])


def token_types(reader: GGUFReader) -> list[int]:
    """The types of all tokens, with the format's own as CONTROL."""
    tokens = contents(reader, Keys.Tokenizer.LIST)
    ids = {token: at for at, token in enumerate(tokens)}
    missing = [name for name in FORWARD if name not in ids]
    if missing:
        raise SystemExit(f"its vocabulary lacks {' '.join(missing)}; was it made by prepare.py?")
    types = contents(reader, Keys.Tokenizer.TOKEN_TYPE)
    for name in (*FORWARD, *INVERSE):
        if name in ids:
            types[ids[name]] = TokenType.CONTROL
    return types


def contents(reader: GGUFReader, key: str) -> Any:
    """A value of the metadata."""
    field = reader.get_field(key)
    if field is None:
        raise SystemExit(f"its metadata lacks {key}; only models with a tokenizer can be labelled")
    return field.contents()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path, help="the GGUF file from llama.cpp's converter")
    parser.add_argument("out", type=Path, help="the GGUF file to write")
    parser.add_argument("--name", help="what reports call the model")
    parser.add_argument(
        "--frame-end",
        choices=("action_sep", "grammar"),
        default="action_sep",
        help="whether the model writes <|action_sep|> after a state, as tune.py teaches it",
    )
    parser.add_argument(
        "--source-end",
        choices=("bare", "newline"),
        default="bare",
        help="what follows a source line in the texts it was trained on",
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()

"""Merge a tuned adapter into its model: the folder that llama.cpp's converter takes."""

from __future__ import annotations

import argparse
from pathlib import Path

from peft import PeftModel
from transformers import AutoModelForCausalLM, AutoTokenizer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prepared", type=Path, help="the folder that prepare.py wrote")
    parser.add_argument("adapter", type=Path, help="the folder that tune.py wrote, or a checkpoint")
    parser.add_argument("out", type=Path, help="the folder to write")
    args = parser.parse_args()
    if not (args.adapter / "adapter_config.json").exists():
        raise SystemExit(f"{args.adapter}: holds no adapter; has tune.py come to its end?")

    model = AutoModelForCausalLM.from_pretrained(args.prepared / "model", dtype="auto")
    dtype = model.dtype
    merged = PeftModel.from_pretrained(model, args.adapter).merge_and_unload()
    # Embeddings and head were trained in float32.
    merged.to(dtype).save_pretrained(args.out)
    AutoTokenizer.from_pretrained(args.prepared / "model").save_pretrained(args.out)


if __name__ == "__main__":
    main()

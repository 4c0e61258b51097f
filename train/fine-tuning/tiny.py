"""Make a tiny base model with random weights, to try the other scripts on any machine.

Llama architecture, and a byte-level BPE tokenizer that is trained on the dataset's texts, one token
a digit. It knows nothing of the format's special tokens but two, as Llama 3 does.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from prepare import load
from trajectory import END, special_tokens

BEGIN = "<|begin_of_text|>"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dataset", type=Path, help="the folder that `lockstep dataset` made")
    parser.add_argument("out", type=Path, help="the folder to write")
    parser.add_argument("--tied", action="store_true", help="embeddings and head are one matrix")
    args = parser.parse_args()

    tokenizer = train_tokenizer(args.dataset)
    torch.manual_seed(0)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=64,
            intermediate_size=192,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=2048,
            tie_word_embeddings=args.tied,
            bos_token_id=tokenizer.bos_token_id,
            eos_token_id=tokenizer.eos_token_id,
        )
    )
    model.save_pretrained(args.out)
    tokenizer.save_pretrained(args.out)
    print(f"{model.num_parameters():,} parameters, {len(tokenizer)} tokens")


def train_tokenizer(dataset: Path) -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=512,
        special_tokens=[BEGIN, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    marks = re.compile("|".join(map(re.escape, special_tokens(dataset))))
    texts = load(dataset, "both")["train"]["text"]
    tokenizer.train_from_iterator((marks.sub("\n", text) for text in texts), trainer)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token=BEGIN, eos_token=END)


if __name__ == "__main__":
    main()

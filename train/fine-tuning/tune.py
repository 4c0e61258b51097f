"""Tune a prepared model with LoRA, on the states of its trajectories only.

The attention and MLP projections get adapters; embeddings and head are trained in full, or only
their rows of new tokens. Started again with the same options it goes on from its last checkpoint.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from datasets import load_from_disk
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    DataCollatorForSeq2Seq,
    EvalPrediction,
    PreTrainedModel,
    Trainer,
    TrainingArguments,
)
from transformers.trainer_utils import get_last_checkpoint

from trajectory import IGNORED

PROJECTIONS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]


def main() -> None:
    args = arguments()
    if not (args.prepared / "data" / "dataset_dict.json").exists():
        raise SystemExit(f"{args.prepared}: not a folder that prepare.py wrote")
    torch.manual_seed(args.seed)
    tokenizer = AutoTokenizer.from_pretrained(args.prepared / "model")
    data = load_from_disk(args.prepared / "data")
    model = AutoModelForCausalLM.from_pretrained(
        args.prepared / "model", dtype=torch.bfloat16 if args.bf16 else torch.float32
    )
    model = adapt(model, args, special=sorted(tokenizer.added_tokens_decoder))
    model.print_trainable_parameters()

    validation = data.get("validation")
    trainer = Trainer(
        model=model,
        args=TrainingArguments(
            output_dir=str(args.out),
            seed=args.seed,
            bf16=args.bf16,
            use_cpu=not torch.accelerator.is_available(),
            num_train_epochs=args.epochs,
            max_steps=args.steps,
            per_device_train_batch_size=args.batch,
            per_device_eval_batch_size=args.batch,
            gradient_accumulation_steps=args.accumulate,
            activation_checkpointing=args.checkpointing,
            activation_checkpointing_kwargs={"use_reentrant": False},
            # Trajectories of like length go together, so little is padding.
            train_sampling_strategy="group_by_length",
            length_column_name="length",
            lr_scheduler_type="cosine",
            warmup_steps=args.warmup,
            max_grad_norm=1.0,
            logging_steps=args.report,
            eval_strategy="steps" if validation else "no",
            eval_steps=args.save,
            save_steps=args.save,
            save_total_limit=2,
            dataloader_pin_memory=torch.cuda.is_available(),
            report_to="none",
        ),
        train_dataset=data["train"],
        eval_dataset=validation,
        data_collator=DataCollatorForSeq2Seq(tokenizer, label_pad_token_id=IGNORED),
        optimizers=(optimizer(model, args), None),
        preprocess_logits_for_metrics=lambda logits, _: logits.argmax(dim=-1),
        compute_metrics=exact_states,
    )
    last = get_last_checkpoint(args.out) if args.out.exists() else None
    trainer.train(resume_from_checkpoint=last)
    trainer.save_model(args.out)


def adapt(model: PreTrainedModel, args: argparse.Namespace, special: list[int]) -> PeftModel:
    """The model with what is to be trained: adapters, and the vocabulary in full or in part."""
    tied = model.config.tie_word_embeddings
    vocabulary = {
        "all": {"modules_to_save": ["embed_tokens", "lm_head"], "ensure_weight_tying": tied},
        "special": {
            "trainable_token_indices": {"embed_tokens": special}
            | ({} if tied else {"lm_head": special})
        },
    }
    config = LoraConfig(
        task_type="CAUSAL_LM",
        r=args.rank,
        lora_alpha=args.alpha,
        target_modules=PROJECTIONS,
        **vocabulary[args.vocabulary],
    )
    model = get_peft_model(model, config)
    for parameter in model.parameters():
        if parameter.requires_grad:
            # Steps this small vanish in the eight bits of bfloat16.
            parameter.data = parameter.data.float()
    return model


def optimizer(model: PeftModel, args: argparse.Namespace) -> torch.optim.Optimizer:
    """AdamW; what has full rank learns at a tenth of the adapters' rate."""
    trained = [(n, p) for n, p in model.named_parameters() if p.requires_grad]
    adapters = [parameter for name, parameter in trained if "lora_" in name]
    full = [parameter for name, parameter in trained if "lora_" not in name]
    groups = [
        {"params": adapters, "lr": args.rate},
        {"params": full, "lr": args.vocabulary_rate or args.rate / 10},
    ]
    return torch.optim.AdamW(groups, betas=(0.9, 0.95), weight_decay=0.0)


def exact_states(prediction: EvalPrediction) -> dict[str, float]:
    """The share of states whose every token is the likeliest: what greedy decoding gets right."""
    guesses, truths = prediction.predictions[:, :-1], prediction.label_ids[:, 1:]
    states = exact = 0
    for guess, truth in zip(guesses, truths, strict=True):
        carried = np.flatnonzero(truth != IGNORED)
        if not len(carried):
            continue
        right = guess[carried] == truth[carried]
        # States lie apart: an action stands between any two.
        starts = np.flatnonzero(np.diff(carried, prepend=-2) > 1)
        states += len(starts)
        exact += int(np.logical_and.reduceat(right, starts).sum())
    return {"states": states, "exact": exact / max(states, 1)}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("prepared", type=Path, help="the folder that prepare.py wrote")
    parser.add_argument("out", type=Path, help="the folder for checkpoints and the adapter")
    parser.add_argument("--rank", type=int, default=64, help="of the adapters")
    parser.add_argument("--alpha", type=int, default=32, help="adapters are scaled by alpha / rank")
    parser.add_argument(
        "--vocabulary",
        choices=("all", "special"),
        default="all",
        help="rows of embeddings and head to train; special ones cost little memory",
    )
    parser.add_argument(
        "--rate", type=float, default=3e-4, help="peak learning rate of the adapters"
    )
    parser.add_argument(
        "--vocabulary-rate",
        type=float,
        metavar="RATE",
        help="of embeddings and head; a tenth of --rate if not given",
    )
    parser.add_argument("--batch", type=int, default=4, help="trajectories at a time on a device")
    parser.add_argument("--accumulate", type=int, default=8, help="such batches in a step")
    parser.add_argument("--epochs", type=float, default=1.0)
    parser.add_argument("--steps", type=int, default=-1, help="steps, whatever --epochs says")
    parser.add_argument("--warmup", type=int, default=100, help="steps to the peak rate")
    parser.add_argument("--save", type=int, default=250, help="steps between checkpoints")
    parser.add_argument("--report", type=int, default=10, help="steps between reports")
    parser.add_argument("--seed", type=int, default=0)
    gpu = torch.cuda.is_available()
    parser.add_argument(
        "--bf16",
        action=argparse.BooleanOptionalAction,
        default=gpu and torch.cuda.is_bf16_supported(),
        help="frozen weights and arithmetic in bfloat16",
    )
    parser.add_argument(
        "--checkpointing",
        action=argparse.BooleanOptionalAction,
        default=gpu,
        help="compute activations twice rather than keep them",
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()

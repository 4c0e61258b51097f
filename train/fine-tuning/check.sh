#!/usr/bin/env bash
# Runs the whole path on a tiny random model: dataset, tokenizer, LoRA, merge, GGUF, doctor.
# The model learns a handful of trajectories by heart and must then agree with every state of one.
#
# Usage: check.sh FOLDER [OPTION OF tiny.py or tune.py]...
# Environment: LOCKSTEP (the binary), PYTHON (with requirements.txt installed), LLAMA_CPP (a
# checkout; if not given, the copy in the source package of llama-cpp-python is downloaded).
set -euo pipefail

scripts=$(cd "$(dirname "$0")" && pwd)
folder=${1:?usage: check.sh FOLDER [OPTION]...}
shift
lockstep=$(realpath "$(command -v "${LOCKSTEP:-lockstep}")")
python=$(command -v "${PYTHON:-python3}")
# Not resolved: the link is what makes a virtual environment's interpreter.
[[ $python = /* ]] || python=$PWD/$python
llama_cpp=${LLAMA_CPP:+$(realpath "$LLAMA_CPP")}
export HF_HUB_OFFLINE=1 HF_HUB_DISABLE_PROGRESS_BARS=1 OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}

base=() tune=()
for option in "$@"; do
    case $option in
        --tied) base+=("$option") ;;
        *) tune+=("$option") ;;
    esac
done

step() { printf '\n== %s\n' "$*"; }

"$python" -m doctest "$scripts/trajectory.py"
mkdir -p "$folder"
cd "$folder"

step 'Trajectories of one program; what was learnt by heart is measured on the same'
cat > count.py <<'PROGRAM'
def count(word, letter):
    found = 0
    for one in word:
        if one == letter:
            found += 1
    return found


def main():
    return count('banana', 'n')
PROGRAM
printf '[split]\nvalidation = 0.0\ntest = 0.0\n' > dataset.toml
"$lockstep" dataset count.py --walks 24 --seed 1 --config dataset.toml --out data
cp data/jsonl/train.jsonl data/jsonl/validation.jsonl

step 'A random model with a tokenizer of its own'
"$python" "$scripts/tiny.py" data base "${base[@]}"

step 'Special tokens, token ids, labels'
"$python" "$scripts/prepare.py" base data prepared

step 'LoRA, stopped half-way and taken up again'
recipe=(--rank 32 --alpha 32 --rate 5e-3 --vocabulary-rate 5e-3 --batch 6 --accumulate 1
    --steps 240 --warmup 10 --save 60 --report 60)
"$python" "$scripts/tune.py" prepared run "${recipe[@]}" "${tune[@]}" &
pid=$!
until [ -e run/checkpoint-60/trainer_state.json ] || ! kill -0 $pid 2>/dev/null; do sleep 0.2; done
kill -9 $pid 2>/dev/null || true
wait $pid || true
"$python" "$scripts/tune.py" prepared run "${recipe[@]}" "${tune[@]}"

step 'Merged'
"$python" "$scripts/merge.py" prepared run merged

step 'GGUF'
if [ -z "$llama_cpp" ]; then
    "$python" -m pip download -q --no-deps --no-binary llama-cpp-python -d sdist \
        llama-cpp-python==0.3.36
    mkdir -p sdist/unpacked
    tar -xzf sdist/llama_cpp_python-*.tar.gz -C sdist/unpacked --strip-components=1
    llama_cpp=$PWD/sdist/unpacked/vendor/llama.cpp
fi
"$python" "$scripts/convert.py" "$llama_cpp/convert_hf_to_gguf.py" smollm \
    merged --outtype f16 --outfile converted.gguf 2> convert.log || { cat convert.log; exit 1; }
"$python" "$scripts/label.py" converted.gguf tiny.gguf --name tiny

step 'lockstep doctor'
"$lockstep" doctor tiny.gguf

step 'lockstep debug, over a run that it learnt'
"$lockstep" debug count.py --model tiny.gguf --plain \
    --actions "$(printf 'into %.0s' {1..22})" | tee transcript.txt
grep -q '(100.0%)' transcript.txt

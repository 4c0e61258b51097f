#!/bin/sh
# Makes docs/report.png: the page of an evaluation of generated programs by the model that is built
# in, with a program and a divergence chosen. Needs lockstep, jq and chromium on the PATH.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

lockstep dataset --generate 24 --seed 77 --format jsonl --out dataset
# The program of a walk stands before its first frame.
cat dataset/jsonl/*.jsonl | jq -s -c '
    map(select(.direction == "forward" and .start == 0)
        | .text | split("<|trace_context_start|>")[1] | split("<|frame_sep|>")[0])
    | unique | to_entries[] | {id: "generated/\(.key)", program: .value}' > programs.jsonl
lockstep eval programs.jsonl --policy mixed --steps 150 --threads 1 > summary
lockstep report eval.jsonl --format html --corpus programs.jsonl --out page.html

# What a reader would click; what is looked at less is left out, to fit on one picture.
cat > clicks <<'SCRIPT'
<script>
setTimeout(() => {
  for (const id of ["remarks", "groups", "calibration", "horizon"]) document.getElementById(id).hidden = true;
  document.querySelectorAll(".heat tbody tr:nth-child(n + 5)").forEach((row) => row.remove());
  document.getElementById("step-list").style.height = "12.5rem";
  document.getElementById("program-list").style.height = "30rem";
  // Of the programs with a fault that with the most right steps.
  const score = (program) => (program.share < 1 ? program.share * program.length : 0);
  const best = programs.reduce((a, b) => (score(b) > score(a) ? b : a));
  programList.select(programs.indexOf(best) + 1);
  document.getElementById("next").click();
}, 100);
</script>
SCRIPT
sed -e '/^<\/body>/{r clicks
}' page.html > shown.html
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$folder/browser" \
    --window-size=1000,1740 --virtual-time-budget=10000 \
    --screenshot="$root/docs/report.png" "file://$folder/shown.html"

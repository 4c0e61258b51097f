// Records the golden event streams of programs/ under CPython 3.14 (pyodide) into golden/.
// Usage: node record.mjs [--check] [NAME...]; --check writes nothing and says which differ.

import { existsSync, mkdirSync, readFileSync, readdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadPyodide } from "pyodide";

const here = import.meta.dirname;
const programs = join(here, "programs");
const goldens = join(here, "golden");
const check = process.argv.includes("--check");
const asked = process.argv.slice(2).filter((argument) => argument !== "--check");

const names = readdirSync(programs)
  .filter((file) => file.endsWith(".py"))
  .map((file) => file.slice(0, -3))
  .filter((name) => asked.length === 0 || asked.includes(name));

const python = await loadPyodide({ env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" } });
const version = python.runPython("import sys; sys.version_info[:2]").toJs();
if (version.join(".") !== "3.14") {
  console.error(`pyodide runs Python ${version.join(".")}, but the goldens are of 3.14; see package.json`);
  process.exit(2);
}
python.FS.writeFile("record.py", readFileSync(join(here, "record.py")));
python.runPython("import sys; sys.path.insert(0, '.')");
const record = python.pyimport("record");

mkdirSync(goldens, { recursive: true });
const different = [];
const settle = (name, recorded) => {
  const path = join(goldens, `${name}.jsonl`);
  const kept = existsSync(path) ? readFileSync(path, "utf8") : null;
  if (kept === recorded) return;
  different.push(name);
  if (check) return;
  if (recorded === null) unlinkSync(path);
  else writeFileSync(path, recorded);
};
for (const name of names) {
  const text = readFileSync(join(programs, `${name}.py`), "utf8");
  try {
    settle(name, record.golden(`${name}.py`, text));
  } catch (error) {
    console.error(`${name}.py can't be recorded: ${error.message}`);
    process.exit(2);
  }
}
if (asked.length === 0) {
  for (const file of readdirSync(goldens)) {
    const name = file.replace(/\.jsonl$/, "");
    if (!names.includes(name)) settle(name, null);
  }
}

for (const name of different) console.log(`${check ? "differs" : "recorded"}: ${name}`);
console.log(`${names.length} programs, ${different.length} ${check ? "differ" : "recorded"}`);
if (check && different.length > 0) process.exitCode = 1;

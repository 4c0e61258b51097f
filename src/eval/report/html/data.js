// What the page holds: the numbers, and programs with their steps, decoded from rows of numbers.
// Everything in them may come from a program or a model: it is only ever shown as text.

const byId = (id) => document.getElementById(id);

const held = (id) => JSON.parse(byId(id).textContent);

const numbers = held("numbers");
const strings = numbers.strings;
const programs = held("programs");

const VERDICTS = ["right", "wrong", "malformed", "unjudged"];
const SIGNS = ["=", "≠", "!", "?"];
const RIGHT = 0, WRONG = 1, MALFORMED = 2, UNJUDGED = 3;

const text = (place) => (place < 0 ? null : strings[place]);

// The rows' order is told in steps.rs.
function decodeStep(row, program, number) {
  const [verdict, action, from, line, depth, horizon, event, toLine, predictedLine, bits, confidence,
    worth, constructs, wrong] = row;
  return {
    program, number, verdict, action, from, line, depth, horizon, event, toLine, predictedLine, bits,
    confidence, worth, constructs, wrong, rest: row.slice(14),
  };
}

const steps = [];
programs.forEach((program, place) => {
  program.first = steps.length;
  program.steps.forEach((row, at) => steps.push(decodeStep(row, place, at + 1)));
  program.length = program.steps.length;
  program.steps = null;
  let judged = 0, right = 0;
  for (let at = program.first; at < steps.length; at += 1) {
    judged += steps[at].verdict !== UNJUDGED;
    right += steps[at].verdict === RIGHT;
  }
  program.share = judged ? right / judged : null;
});

const isDivergence = (step) => step.verdict === WRONG || step.verdict === MALFORMED;

// Whether a step's texts are those of fields that differ: a right one has such going back, where a
// predecessor may work and not be the recorded one.
const isDiffering = (step) => step.verdict === WRONG || step.verdict === RIGHT;

// The fields in which a step differs: name, how, real and predicted text.
function differences(step) {
  const found = [];
  if (isDiffering(step)) {
    for (let at = 0; at + 3 < step.rest.length; at += 4) {
      const [field, kind, real, predicted] = step.rest.slice(at, at + 4);
      found.push({
        field: strings[field], kind: ["changed", "missing", "extra"][kind],
        real: text(real), predicted: text(predicted),
      });
    }
  } else if (step.verdict === MALFORMED) {
    found.push({ field: "malformed", kind: "changed", real: null, predicted: text(step.rest[1]) });
  }
  return found;
}

// A breakpoint's action holds the text of its line.
const nameOfAction = (action) => action.split(":", 1)[0];

const percent = (share) => `${(share * 100).toFixed(1)}%`;
const grouped = (number) => number.toLocaleString("en-US");

function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element && key !== "role") element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// The chosen step: what really came and what the model said, field by field, and the source.

// A text with the part in which it differs from the other marked.
function marked(own, other) {
  if (own === null) return [make("span", { className: "soft" }, "absent")];
  if (other === null) return [own];
  let start = 0;
  while (start < own.length && own[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(own.length, other.length) - start && own.at(-1 - end) === other.at(-1 - end)) end += 1;
  const middle = own.slice(start, own.length - end);
  return [own.slice(0, start), ...(middle ? [make("mark", {}, middle)] : []), own.slice(own.length - end)];
}

function sides(step) {
  const cell = (className, ...children) => make("div", { className }, ...children);
  const grid = make("div", { className: "sides" },
    cell("head name", "field"), cell("head", "real"), cell("head", "predicted"));
  for (const { field, real, predicted } of differences(step)) {
    grid.append(cell("name", field), cell("real", ...marked(real, predicted)),
      cell("predicted", ...marked(predicted, real)));
  }
  return grid;
}

const MAX_LINES = 2000; // of a source

function source(step, program) {
  const lines = program.source.split("\n").slice(0, MAX_LINES).map((line, at) => {
    const number = at + 1;
    const isFrom = number === step.line, isReal = number === step.toLine;
    const isPredicted = isDivergence(step) && number === step.predictedLine && !isReal;
    const sign = `${isFrom ? "•" : " "}${isReal ? "→" : isPredicted ? "≠" : " "}`;
    return make("div", { className: isReal ? "at-real" : isPredicted ? "at-predicted" : "" },
      make("span", { className: "mark" }, sign), make("span", { className: "number" }, String(number)), line);
  });
  return make("div", { className: "source", tabIndex: 0, "aria-label": "Source" }, ...lines);
}

function facts(step) {
  const where = step.toLine ? `${text(step.event)} at line ${step.toLine}` : text(step.event);
  const told = [`${text(step.action)} from line ${step.line}, depth ${step.depth}: really ${where}`];
  if (step.horizon >= 0) told.push(`${step.horizon} state${step.horizon === 1 ? "" : "s"} passed`);
  if (step.bits >= 0) told.push(`${step.bits} bits of surprise`);
  if (step.confidence >= 0) told.push(`confidence ${percent(step.confidence)}`);
  if (step.worth >= 0) told.push(`as a predecessor ${text(step.worth)}`);
  if (text(step.constructs)) told.push(text(step.constructs));
  return told.join(" · ");
}

const OUTCOMES = ["Everything agrees.", "", "What the model says is no state: ", "There is no verdict: "];

const WORKS = "It is not the recorded predecessor, and it works: the run comes from it to the given state.";

function drawDetail(step) {
  const program = programs[step.program];
  const place = byId("detail");
  const sign = make("span", { className: `sign-${VERDICTS[step.verdict]}` }, SIGNS[step.verdict]);
  place.replaceChildren(
    make("h3", {}, sign, ` ${program.id}, step ${step.number}`),
    make("p", { className: "soft" }, facts(step)));
  if (step.verdict !== WRONG) {
    const outcome = step.verdict === RIGHT && step.rest.length ? WORKS : OUTCOMES[step.verdict];
    place.append(make("p", {}, outcome + (step.verdict === RIGHT ? "" : text(step.rest[0]))));
  }
  if (differences(step).length) place.append(sides(step));
  if (program.source !== null) {
    const shown = source(step, program);
    place.append(shown);
    const line = shown.querySelector(".at-real, .at-predicted") ?? shown.children[step.line - 1];
    if (line) shown.scrollTop = line.offsetTop - shown.offsetTop - shown.clientHeight / 3;
  }
}

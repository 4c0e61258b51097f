// Programs, steps, filters and search, and how they hang together.

let inSight = []; // places in `steps` of those that pass the filters
let programsInSight = []; // places in `programs`, in their order
let program = -1; // the chosen one

const filters = ["by-verdict", "by-action", "by-event", "by-construct", "by-field"];

// ----- which steps are in sight -----

// Places of the texts that hold a query: a step's texts are looked up, not read again.
const lowered = [];
function holding(query) {
  const held = new Uint8Array(strings.length);
  for (let place = 0; place < strings.length; place += 1) {
    lowered[place] ??= strings[place].toLowerCase();
    held[place] = lowered[place].includes(query);
  }
  return held;
}

const names = { action: strings.map(nameOfAction), words: strings.map((s) => s.split(" ").filter(Boolean)) };

function passes(chosen, query) {
  const texts = query && holding(query);
  const ids = query && programs.map((program) => program.id.toLowerCase().includes(query));
  const { "by-verdict": verdict, "by-action": action, "by-event": event, "by-construct": construct, "by-field": field } = chosen;
  const holds = (step) => ids[step.program] || texts[step.action] || texts[step.event] || texts[step.constructs]
    || step.rest.some((place, at) => place >= 0 && (!isDiffering(step) || at % 4 !== 1) && texts[place]);
  return (step) => (program < 0 || step.program === program)
    && (!verdict || VERDICTS[step.verdict] === verdict || (verdict === "wrong" && step.verdict === MALFORMED))
    && (!action || names.action[step.action] === action)
    && (!event || strings[step.event] === event)
    && (!construct || names.words[step.constructs].includes(construct))
    && (!field || names.words[step.wrong].includes(field))
    && (!query || holds(step));
}

function refresh() {
  const chosen = Object.fromEntries(filters.map((id) => [id, byId(id).value]));
  const pass = passes(chosen, byId("query").value.trim().toLowerCase());
  const kept = current();
  inSight = [];
  for (let at = 0; at < steps.length; at += 1) if (pass(steps[at])) inSight.push(at);
  byId("count").textContent = `${grouped(inSight.length)} of ${grouped(steps.length)} steps`
    + (program < 0 ? "" : ` · program ${programs[program].id}`);
  byId("list-h").textContent = program < 0 ? "All steps" : programs[program].id;
  stepList.show(inSight.length, kept < 0 ? -1 : inSight.indexOf(kept));
}

// ----- the lists -----

// Programs without the folders that all of them are in.
const folders = programs.map((program) => program.id.slice(0, program.id.lastIndexOf("/") + 1));
const shared = folders.reduce((a, b) => {
  let end = 0;
  while (end < a.length && a[end] === b[end]) end += 1;
  return end ? a.slice(0, a.lastIndexOf("/", end - 1) + 1) : "";
}, folders[0] ?? "");
const shortId = (program) => program.id.slice(shared.length);

function drawStep(at) {
  const step = steps[inSight[at]];
  const [first, ...more] = differences(step);
  const side = (text) => (first ? (text === null ? "absent" : text.trim()) : "");
  const field = first ? first.field + (more.length ? ` +${more.length}` : "") : "";
  return make("div", {},
    make("span", { className: "soft" }, String(step.number)),
    make("span", { className: `sign-${VERDICTS[step.verdict]}`, title: VERDICTS[step.verdict] }, SIGNS[step.verdict]),
    make("span", {}, nameOfAction(text(step.action))),
    make("span", { className: "soft" }, `${step.line} → ${step.toLine || text(step.event)}`),
    make("span", { className: "field" }, field),
    make("span", { className: "real" }, side(first?.real ?? null)),
    make("span", { className: "predicted" }, side(first?.predicted ?? null)));
}

const stepList = new List(byId("step-list"), drawStep, () => chooseStep());

function drawProgram(at) {
  if (at === 0) return make("div", {}, make("span", {}, "all programs"), make("span", { className: "soft" }, grouped(programs.length)));
  const shown = programs[programsInSight[at - 1]];
  return make("div", { title: shown.id }, make("span", {}, shortId(shown)),
    make("span", { className: "soft" }, shown.share === null ? "–" : percent(shown.share)), make("canvas", { "aria-hidden": "true" }));
}

const programList = new List(byId("program-list"), drawProgram, (at) => chooseProgram(at === 0 ? -1 : programsInSight[at - 1]));

// A canvas knows its size when it is in the page.
programList.drawn = () => {
  for (const row of programList.inner.children) {
    const canvas = row.querySelector("canvas");
    if (canvas) drawStrip(canvas, programs[programsInSight[Number(row.dataset.place) - 1]]);
  }
};

function orderPrograms() {
  const by = {
    log: (a, b) => a - b,
    share: (a, b) => (programs[a].share ?? 2) - (programs[b].share ?? 2) || a - b,
    name: (a, b) => programs[a].id.localeCompare(programs[b].id) || a - b,
  };
  programsInSight = programs.map((_, place) => place).sort(by[byId("order").value]);
  programList.show(programs.length + 1, program < 0 ? 0 : programsInSight.indexOf(program) + 1);
}

// ----- choices -----

const current = () => (stepList.chosen < 0 ? -1 : inSight[stepList.chosen]);

function chooseProgram(place) {
  program = place;
  refresh();
  showTimeline();
}

function chooseStep() {
  drawDetail(steps[current()]);
  showTimeline();
}

function showTimeline() {
  byId("timeline").hidden = program < 0;
  if (program < 0) return;
  const at = current();
  const isOwn = at >= 0 && steps[at].program === program;
  drawTimeline(program, isOwn ? at - programs[program].first : -1);
}

// To the next divergence in sight, forwards or back.
function toDivergence(direction) {
  let at = stepList.chosen < 0 && direction < 0 ? inSight.length : stepList.chosen;
  do at += direction; while (at >= 0 && at < inSight.length && !isDivergence(steps[inSight[at]]));
  stepList.select(at);
}

// Only the wrong steps with these properties, of all programs. A wrong field says by itself what is
// wrong: a predecessor may have one, and work.
function showWrong(chosen) {
  byId("query").value = "";
  for (const id of filters) {
    fill(id, [chosen[id] ?? ""]);
    byId(id).value = chosen[id] ?? "";
  }
  byId("by-verdict").value = chosen["by-field"] ? "" : "wrong";
  program = -1;
  programList.show(programs.length + 1, 0);
  refresh();
  showTimeline();
  byId("steps").scrollIntoView();
  byId("step-list").focus({ preventScroll: true });
}

// ----- the page's own -----

// Adds choices to a filter that it doesn't have yet.
function fill(id, values) {
  const known = [...byId(id).options].map((option) => option.value);
  const sorted = [...new Set(values)].filter((value) => !known.includes(value)).sort();
  byId(id).append(...sorted.map((value) => make("option", { value }, value)));
}

const used = (of) => [...new Set(steps.flatMap(of))];
fill("by-action", used((step) => step.action).map((place) => names.action[place]));
fill("by-event", used((step) => step.event).map((place) => strings[place]));
fill("by-construct", used((step) => step.constructs).flatMap((place) => names.words[place]));
fill("by-field", used((step) => step.wrong).flatMap((place) => names.words[place]));

byId("filters").addEventListener("input", refresh);
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("filters").addEventListener("reset", (event) => {
  event.preventDefault();
  byId("query").value = "";
  for (const id of filters) byId(id).value = "";
  chooseProgram(-1);
  orderPrograms();
});
byId("order").addEventListener("input", orderPrograms);
byId("next").addEventListener("click", () => toDivergence(1));
byId("previous").addEventListener("click", () => toDivergence(-1));
byId("timeline-canvas").addEventListener("click", (event) => {
  const wanted = programs[program].first + timelineStep(program, event);
  const at = inSight.indexOf(wanted);
  if (at >= 0) stepList.select(at);
  else drawDetail(steps[wanted]);
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
  const keys = { n: () => toDivergence(1), p: () => toDivergence(-1), "/": () => byId("query").focus() };
  if (!(event.key in keys)) return;
  event.preventDefault();
  keys[event.key]();
});
const redraw = () => {
  programList.render();
  showTimeline();
};
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
new ResizeObserver(showTimeline).observe(byId("timeline"));

const told = programs.reduce((sum, program) => sum + program.length, 0);
byId("listed").textContent = told < report.steps
  ? `The first ${grouped(told)} of ${grouped(report.steps)} steps; the numbers above are those of all.`
  : "";
orderPrograms();
refresh();

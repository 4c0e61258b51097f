// The parts above the steps: shares with error bars, the heat map, calibration and horizon.

const report = numbers.report;
const sharesOf = (by) => report.shares.filter((row) => row.by === by);

// A bar from 0 to 1 with its interval.
function bar(share, interval) {
  const svg = draw("svg", { viewBox: "0 0 100 14", preserveAspectRatio: "none", "aria-hidden": "true" });
  svg.append(
    draw("rect", { class: "bar-track", x: 0, y: 4, width: 100, height: 6 }),
    draw("rect", { class: "bar-share", x: 0, y: 4, width: 100 * share, height: 6 }),
  );
  if (interval) {
    const [low, high] = interval.map((end) => 100 * end);
    svg.append(draw("path", {
      class: "whisker", "vector-effect": "non-scaling-stroke",
      d: `M${low} 7H${high}M${low} 3V11M${high} 3V11`,
    }));
  }
  return svg;
}

const points = (interval) => (interval ? `[${interval.map((end) => (100 * end).toFixed(1)).join(", ")}]` : "");

function shareRow(name, row, filter) {
  const label = filter
    ? make("button", { type: "button", title: `show the wrong steps of ${name}`, onclick: filter }, name)
    : make("span", { title: name }, name);
  return make("tr", {},
    make("th", { scope: "row" }, label),
    make("td", { className: "bar" }, bar(row.share, row.interval)),
    make("td", { className: "number" }, percent(row.share)),
    make("td", { className: "number soft interval" }, points(row.interval)),
    make("td", { className: "number soft" }, grouped(Math.round(row.of))),
    make("td", { className: "number soft programs" }, grouped(row.programs)));
}

function shareTable(caption, rows) {
  const heads = [["", ""], ["", ""], ["right", "number"], ["95%", "number soft interval"],
    ["of", "number soft"], ["programs", "number soft programs"]];
  const head = heads.map(([name, className]) => make("th", { scope: "col", className }, name));
  return make("table", { className: "shares" }, make("caption", {}, caption),
    make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
}

// The groups by which the steps below can be filtered.
const FILTERS = { action: "by-action", event: "by-event", construct: "by-construct", field: "by-field" };

function filterOf(by, key) {
  if (!(by in FILTERS)) return null;
  return () => showWrong({ [FILTERS[by]]: key });
}

function drawOverview() {
  byId("title").textContent = numbers.title;
  document.title = `Lockstep: ${numbers.title}`;
  const remarks = [...numbers.remarks];
  if (numbers.held < numbers.of) {
    remarks.unshift(`Not finished: ${grouped(numbers.held)} of ${grouped(numbers.of)} programs.`);
  }
  byId("remarks").append(...remarks.map((remark) => make("p", { className: "note" }, remark)));
  const headlines = numbers.headlines.flatMap(([by, title]) =>
    sharesOf(by).filter((row) => row.key === "").map((row) => shareRow(title, row, null)));
  byId("headlines").append(shareTable("Shares", headlines));
  const other = report.numbers.map((row) => make("tr", {},
    make("th", { scope: "row" }, row.name),
    make("td", { className: "number" }, row.value.toFixed(3)),
    make("td", { className: "number soft" }, row.interval ? `[${row.interval.map((end) => end.toFixed(3)).join(", ")}]` : "")));
  if (other.length) {
    byId("numbers-table").append(make("details", {}, make("summary", {}, "Other numbers"),
      make("table", {}, make("tbody", {}, ...other))));
  }
  const flat = (value, name) => (value !== null && typeof value === "object"
    ? Object.entries(value).flatMap(([key, inner]) => flat(inner, name ? `${name}.${key}` : key))
    : [[name, String(value)]]);
  for (const [name, value] of flat(report.recipe, "")) {
    byId("recipe").append(make("dt", {}, name), make("dd", {}, value));
  }
}

function drawGroups() {
  for (const [by, title] of numbers.groups) {
    const rows = sharesOf(by).map((row) => shareRow(row.key.trim(), row, filterOf(by, row.key)));
    if (rows.length) byId("group-tables").append(shareTable(title, rows));
  }
  byId("groups").hidden = !byId("group-tables").childElementCount;
}

function drawHeatMap() {
  const cells = numbers.crossed;
  byId("crossed").hidden = cells.length === 0;
  const order = ["event", "source", "locals", "value", "exception", "exit"];
  const fields = order.filter((field) => cells.some((cell) => cell.field === field));
  const constructs = [...new Set(cells.map((cell) => cell.construct))];
  const head = make("tr", {}, make("td", {}), ...fields.map((field) => make("th", { scope: "col" }, field)));
  const rows = constructs.map((construct) => make("tr", {}, make("th", { scope: "row" }, construct),
    ...fields.map((field) => heatCell(construct, field, cells))));
  byId("heat-map").append(make("table", { className: "heat" }, make("thead", {}, head), make("tbody", {}, ...rows)));
}

function heatCell(construct, field, cells) {
  const cell = cells.find((cell) => cell.construct === construct && cell.field === field);
  if (!cell) return make("td", {}, make("span", { className: "soft" }, "·"));
  const share = cell.right / cell.of;
  const label = `${construct} × ${field}: ${percent(share)} of ${grouped(cell.of)}`;
  const button = make("button", {
    type: "button", title: label, "aria-label": label,
    onclick: () => showWrong({ "by-construct": construct, "by-field": field }),
  }, percent(share));
  button.dataset.cell = `${construct} ${field}`;
  button.dataset.wrong = cell.of - cell.right;
  button.style.background = `color-mix(in srgb, var(--heat) ${(100 * share).toFixed(0)}%, var(--panel))`;
  // Few fields say little.
  button.classList.toggle("few", cell.of < 10);
  return make("td", {}, button);
}

const PLOT = { width: 430, height: 300, left: 42, right: 14, top: 12, bottom: 44 };

// An empty plot with shares on the vertical axis; where things are on it.
function plot(title, ticks, xName) {
  const { width, height, left, right, top, bottom } = PLOT;
  const x = (share) => left + share * (width - left - right);
  const y = (share) => height - bottom - share * (height - top - bottom);
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title });
  for (const share of [0, .25, .5, .75, 1]) {
    svg.append(draw("path", { class: "axis", d: `M${x(0)} ${y(share)}H${x(1)}` }),
      draw("text", { x: left - 6, y: y(share) + 4, "text-anchor": "end" }, `${100 * share}%`));
  }
  for (const [share, label] of ticks) {
    svg.append(draw("text", { x: x(share), y: height - bottom + 16, "text-anchor": "middle" }, label));
  }
  svg.append(draw("text", { x: x(.5), y: height - 8, "text-anchor": "middle" }, xName));
  return { svg, x, y, figure: make("figure", { className: "plot" }, svg) };
}

function drawCalibration() {
  const found = report.calibration;
  byId("calibration").hidden = !found;
  if (!found) return;
  const shares = [0, .25, .5, .75, 1];
  const { svg, x, y, figure } = plot("Calibration: confidence against right answers",
    shares.map((share) => [share, `${100 * share}%`]), "mean confidence");
  svg.append(draw("path", { class: "diagonal", d: `M${x(0)} ${y(0)}L${x(1)} ${y(1)}` }));
  const bins = found.bins.filter((bin) => bin.steps > 0);
  const most = Math.max(...bins.map((bin) => bin.steps));
  svg.append(draw("path", {
    class: "curve", d: bins.map((bin, at) => `${at ? "L" : "M"}${x(bin.confidence)} ${y(bin.right)}`).join(""),
  }));
  for (const bin of bins) {
    const told = `sure of ${percent(bin.confidence)}, right ${percent(bin.right)}, ${grouped(bin.steps)} steps`;
    svg.append(draw("circle", {
      class: "dot", cx: x(bin.confidence), cy: y(bin.right), r: 2.5 + 6 * Math.sqrt(bin.steps / most),
    }, draw("title", {}, told)));
  }
  figure.append(make("figcaption", {}, `expected calibration error ${found.error.value.toFixed(3)}, `
    + `mean confidence ${percent(found.confidence)}, right ${percent(found.right)}`));
  byId("calibration-plot").append(figure, plainTable(["confidence", "right", "steps"],
    bins.map((bin) => [percent(bin.confidence), percent(bin.right), grouped(bin.steps)])));
}

function plainTable(heads, rows) {
  const cells = (tag, row) => row.map((cell) => make(tag, { className: "number" }, cell));
  return make("details", {}, make("summary", {}, "As a table"), make("table", {},
    make("thead", {}, make("tr", {}, ...cells("th", heads))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...cells("td", row))))));
}

// Curves over the same named places, each point with its interval.
function curves(title, xName, places, series) {
  const at = (place) => (places.indexOf(place) + .5) / places.length;
  const short = (place) => place.trim().replace(" to ", "–").replace(" and more", "+");
  const { svg, x, y, figure } = plot(title, places.map((place) => [at(place), short(place)]), xName);
  series.forEach(([name, rows], number) => {
    const group = draw("g", { class: `series-${number % 3}` });
    // Intervals of several curves would hide each other.
    const shift = (number - (series.length - 1) / 2) * 5;
    const px = (row) => x(at(row.place)) + shift;
    group.append(draw("path", {
      class: "curve", d: rows.map((row, at) => `${at ? "L" : "M"}${px(row)} ${y(row.share)}`).join(""),
    }));
    for (const row of rows) {
      if (row.interval) {
        const [low, high] = row.interval.map(y);
        group.append(draw("path", {
          class: "whisker", d: `M${px(row)} ${low}V${high}M${px(row) - 3} ${low}h6M${px(row) - 3} ${high}h6`,
        }));
      }
      const told = `${name} ${row.place.trim()}: ${percent(row.share)} of ${grouped(Math.round(row.of))}`;
      group.append(draw("circle", { class: "dot", cx: px(row), cy: y(row.share), r: 3.5 }, draw("title", {}, told)));
    }
    svg.append(group);
  });
  const colours = ["--right", "--wrong", "--malformed"];
  figure.append(make("figcaption", {}, ...series.map(([name], number) => {
    const key = make("span", {}, `● ${name}`);
    key.style.color = `var(${colours[number % 3]})`;
    return key;
  })));
  return figure;
}

function drawHorizon() {
  const passed = sharesOf("horizon").map((row) => ({ ...row, place: row.key }));
  const place = byId("horizon-plots");
  if (passed.length) {
    place.append(curves("Right steps by states passed", "states passed", passed.map((row) => row.place), [["steps", passed]]));
  }
  // Keys are an action and a bin: `step_return 0.2 to 0.4`.
  const skipped = sharesOf("skipped").map((row) => {
    const [, action, bin] = row.key.match(/^(\S+) (.*)$/);
    return { ...row, action, place: bin };
  });
  if (skipped.length) {
    const bins = [...new Set(skipped.map((row) => row.place))].sort();
    const actions = [...new Set(skipped.map((row) => row.action))];
    place.append(curves("Right jumps by the share of states skipped", "share of the frame's states skipped",
      bins, actions.map((action) => [action, skipped.filter((row) => row.action === action)])));
  }
  byId("horizon").hidden = !place.childElementCount;
}

drawOverview();
drawGroups();
drawHeatMap();
drawCalibration();
drawHorizon();

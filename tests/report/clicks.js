// Clicks through the page as a person would, and tells the page around it what was not as it should
// be, or how many things were.
"use strict";
(async () => {
  const id = (name) => document.getElementById(name);
  const frame = () => new Promise((done) => setTimeout(done, 50));
  const faults = [];
  let checked = 0;
  const check = (holds, what) => {
    checked += 1;
    if (!holds) faults.push(what);
  };
  const count = () => Number(id("count").textContent.split(" ")[0].replaceAll(",", ""));
  const rows = () => [...document.querySelectorAll("#step-list .row")];
  const choose = async (name, value) => {
    id(name).value = value;
    id(name).dispatchEvent(new Event("input", { bubbles: true }));
    await frame();
  };
  const press = async (element, key) => {
    element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    await frame();
  };
  window.addEventListener("error", (event) => faults.push(`an error: ${event.message}`));
  window.addEventListener("securitypolicyviolation", (event) => faults.push(`asked for ${event.blockedURI}`));

  try {
    await frame();
    const all = count();
    check(all > 10 && rows().length > 5, `${all} steps, ${rows().length} rows`);
    check(id("title").textContent.includes("lockstep-2.6m"), "the title names the model");
    check(document.querySelectorAll("#headlines svg .whisker").length > 3, "shares have error bars");
    check(document.querySelectorAll("#horizon-plots .dot").length > 0, "the horizon is plotted");
    check(document.querySelectorAll("#heat-map button").length > 5, "the heat map has cells");
    check(id("calibration").hidden === !document.querySelector("#calibration .dot"), "calibration");
    check(document.querySelectorAll("script").length === 4, "no text became a script");
    check(!document.querySelector("b"), "no text became an element");

    // Filters and search.
    await choose("by-verdict", "wrong");
    const wrong = count();
    check(wrong > 0 && wrong <= all, `${wrong} of ${all} are wrong`);
    check(rows().every((row) => /[≠!]/.test(row.textContent)), "wrong rows carry a sign");
    await choose("query", "SCRIPT.py");
    const found = count();
    check(found > 0 && found < wrong, `the search finds ${found}`);
    await choose("query", "no such text anywhere");
    check(count() === 0 && rows().length === 0, "a search may find nothing");
    document.querySelector("#filters button").click();
    await frame();
    check(count() === all, "clear shows all");

    // A cell of the heat map leads to its wrong steps.
    const cell = [...document.querySelectorAll("#heat-map button")].find((cell) => cell.textContent !== "100.0%");
    cell.click();
    await frame();
    check(id("by-construct").value !== "" && id("by-field").value !== "", "the cell sets the filters");
    const most = Number(cell.dataset.wrong);
    check(count() > 0, `${cell.dataset.cell}: ${count()} wrong steps`);
    check(cell.dataset.cell.endsWith("locals") ? count() <= most : count() === most, `${cell.dataset.cell} counts ${most}, lists ${count()}`);
    const group = document.querySelector("#group-tables button");
    group.click();
    await frame();
    check(id("by-construct").value === "", "a group replaces the filters of the cell");
    document.querySelector("#filters button").click();
    await frame();

    // A divergence shows both sides.
    await press(document.body, "n");
    const chosen = document.querySelector("#step-list [aria-selected=true]");
    check(chosen && /[≠!]/.test(chosen.textContent), "n goes to a divergence");
    check(document.querySelectorAll("#detail .sides > *").length >= 6, "real and predicted side by side");
    check(document.querySelector("#detail .at-real"), "the source marks the real line");
    await press(id("step-list"), "End");
    check(document.querySelector("#step-list [aria-selected=true]").getAttribute("aria-posinset") === String(all), "End");
    await press(id("step-list"), "Home");
    check(document.querySelector("#step-list [aria-selected=true]").getAttribute("aria-posinset") === "1", "Home");

    // A program has a timeline, which can be clicked.
    await choose("order", "name");
    const script = [...document.querySelectorAll("#program-list .row")].find((row) => row.textContent.includes("script.py"));
    script.click();
    await frame();
    check(!id("timeline").hidden, "the timeline is shown");
    const own = count();
    check(own > 0 && own < all, `the program has ${own} steps`);
    const box = id("timeline-canvas").getBoundingClientRect();
    id("timeline-canvas").dispatchEvent(new MouseEvent("click", { clientX: box.right - 10, clientY: box.top + 20, bubbles: true }));
    await frame();
    check(id("detail").textContent.includes(`step ${own}`), "a click on its end chooses the last step");
    check(id("detail").textContent.includes("\u003c/script>\u003c!--\u003cb>"), "text is shown as it is");
    const pixels = id("timeline-canvas").getContext("2d").getImageData(0, 0, id("timeline-canvas").width, id("timeline-canvas").height).data;
    check(pixels.some((value) => value > 0), "something is drawn");
    check(document.documentElement.scrollWidth <= window.innerWidth, `${document.documentElement.scrollWidth} wide in ${window.innerWidth}`);
  } catch (error) {
    faults.push(`${error}`);
  }
  const told = `all of ${checked} are as they should be, ${window.innerWidth} wide`;
  parent.postMessage(faults.length ? faults.join("; ") : told, "*");
})();

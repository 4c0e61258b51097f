// A list of any length of which only the rows in sight are in the page.

const PAGE_ROWS = 8; // drawn above and below what is in sight

class List {
  // `draw(place)` gives the row at a place, `choose(place)` is told of one that is chosen.
  constructor(element, draw, choose) {
    this.element = element;
    this.draw = draw;
    this.choose = choose;
    this.length = 0;
    this.chosen = -1;
    this.inner = make("div", { role: "presentation" });
    element.replaceChildren(this.inner);
    element.addEventListener("scroll", () => this.soon());
    element.addEventListener("keydown", (event) => this.key(event));
    element.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (row) this.select(Number(row.dataset.place));
    });
    new ResizeObserver(() => this.render()).observe(element);
  }

  get rowHeight() {
    const narrow = matchMedia("(max-width: 44rem)").matches;
    return Number(this.element.dataset[narrow ? "narrow" : "row"]);
  }

  show(length, chosen = -1) {
    this.length = length;
    this.chosen = chosen;
    this.element.scrollTop = chosen < 0 ? 0 : this.element.scrollTop;
    this.render();
    if (chosen >= 0) this.reveal();
  }

  soon() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.render();
    });
  }

  render() {
    const height = this.rowHeight;
    this.inner.style.height = `${this.length * height}px`;
    const top = Math.max(0, Math.floor(this.element.scrollTop / height) - PAGE_ROWS);
    const count = Math.ceil(this.element.clientHeight / height) + 2 * PAGE_ROWS;
    const rows = [];
    for (let place = top; place < Math.min(this.length, top + count); place += 1) {
      const row = this.draw(place);
      row.classList.add("row");
      row.id = `${this.element.id}-${place}`;
      row.dataset.place = place;
      row.style.top = `${place * height}px`;
      row.setAttribute("role", "option");
      row.setAttribute("aria-selected", place === this.chosen);
      row.setAttribute("aria-posinset", place + 1);
      row.setAttribute("aria-setsize", this.length);
      rows.push(row);
    }
    this.inner.replaceChildren(...rows);
    if (this.chosen >= 0) this.element.setAttribute("aria-activedescendant", `${this.element.id}-${this.chosen}`);
    else this.element.removeAttribute("aria-activedescendant");
    this.drawn?.(top);
  }

  select(place) {
    if (place < 0 || place >= this.length) return;
    this.chosen = place;
    this.reveal();
    this.choose(place);
  }

  reveal() {
    const height = this.rowHeight, { scrollTop, clientHeight } = this.element;
    const top = this.chosen * height;
    if (top < scrollTop) this.element.scrollTop = top;
    if (top + height > scrollTop + clientHeight) this.element.scrollTop = top + height - clientHeight;
    this.render();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight) - 1);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (!(event.key in moves)) return;
    event.preventDefault();
    const from = this.chosen < 0 && moves[event.key] > 0 ? -1 : this.chosen;
    this.select(Math.min(this.length - 1, Math.max(0, from + moves[event.key])));
  }
}

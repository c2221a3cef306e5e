// What the report does with a script: tooltips, hidden series, scales, sorted tables, copied commands, filtered claims,
// and the choice of a device. The page is whole without it.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const NEAR = 16; // CSS pixels between the pointer and a point that still shows its tooltip

  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  // ---------------------------------------------------------------- what readers hear

  const live = make("div", { class: "for-readers", role: "status", "aria-live": "polite" });

  function announce(text) {
    live.textContent = "";
    requestAnimationFrame(() => { live.textContent = text; });
  }

  const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

  const scrollTo = (element) => element.scrollIntoView({ block: "start", behavior: calm() ? "auto" : "smooth" });

  // ---------------------------------------------------------------- state in the address

  // The hash is either the id of an element (#K12) or state (#q=sort&verdict=holds&device=nvidia-h200).
  const isState = () => location.hash.includes("=");
  const state = () => new URLSearchParams(isState() ? location.hash.slice(1) : "");

  function setState(changes) {
    const next = state();
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    const text = next.toString();
    history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
  }

  // A browser may forbid storage, for files and in private windows.
  function remember(name, value) {
    try { localStorage.setItem(`lockstep.${name}`, value); } catch { /* not remembered */ }
  }

  function recall(name) {
    try { return localStorage.getItem(`lockstep.${name}`) || ""; } catch { return ""; }
  }

  const target = () => (location.hash && !isState() ? document.getElementById(decoded(location.hash.slice(1))) : null);

  function decoded(text) {
    try { return decodeURIComponent(text); } catch { return text; }
  }

  // ---------------------------------------------------------------- figures

  class Figure {
    constructor(element, data) {
      this.element = element;
      this.data = data;
      this.hidden = new Set();
      this.marked = null; // {series, index} of the point whose tooltip is shown
      this.tip = make("div", { class: "tip", hidden: "" });
      this.plot = make("div", { class: "plot", tabindex: "0", role: "application", "aria-roledescription": "figure" });
      const svg = element.querySelector("svg");
      svg.replaceWith(this.plot);
      this.plot.append(svg, this.tip);
      this.tools = make("div", { class: "tools" });
      this.plot.after(this.tools);
      this.take(svg);
      this.listen();
      this.addSeriesList();
      this.addScaleButton();
    }

    // Reads the places of the points in a drawing, at first and after each change of scale.
    take(svg) {
      this.svg = svg;
      const name = svg.getAttribute("aria-label") || "";
      this.plot.setAttribute("aria-label", `${name}. Arrow keys move from point to point.`);
      this.ring = svg.appendChild(document.createElementNS(SVG, "circle"));
      this.ring.setAttribute("class", "ring");
      this.ring.setAttribute("r", "6");
      this.places = this.data.series.map((series, number) => places(svg, number, series.points, this.scales()));
      for (const label of all("[data-label]", svg)) this.makeSwitch(label);
      this.showHidden();
    }

    scales() {
      return { x: this.data.x.scale, y: this.element.dataset.scale || this.data.y.scale, dots: this.hasRows() };
    }

    hasRows() {
      return this.data.series.some((series) => series.points.some((point) => typeof point.x === "string"));
    }

    listen() {
      this.plot.addEventListener("pointermove", (event) => this.point(event));
      this.plot.addEventListener("pointerdown", (event) => this.point(event));
      this.plot.addEventListener("pointerleave", () => this.hide());
      this.plot.addEventListener("blur", () => this.hide());
      this.plot.addEventListener("keydown", (event) => this.key(event));
    }

    point(event) {
      const nearest = this.nearest(event.clientX, event.clientY);
      if (nearest) this.show(nearest.series, nearest.index);
      else this.hide();
    }

    nearest(x, y) {
      const toScreen = this.svg.getScreenCTM();
      let best = null;
      this.eachPlace((series, index, place) => {
        const at = new DOMPoint(place.x, place.y).matrixTransform(toScreen);
        const distance = Math.hypot(at.x - x, at.y - y);
        if (distance < NEAR && (!best || distance < best.distance)) best = { series, index, distance };
      });
      return best;
    }

    eachPlace(visit) {
      this.places.forEach((row, series) => {
        if (!this.hidden.has(series)) row.forEach((place, index) => { if (place) visit(series, index, place); });
      });
    }

    show(series, index) {
      const { x, y } = this.places[series][index];
      const { text, case: tested } = this.data.series[series].points[index];
      const kind = this.data.series[series].kind;
      this.marked = { series, index };
      this.tip.replaceChildren(make("strong", {}, text), make("span", {}, tested));
      if (kind !== "measured") this.tip.append(make("em", {}, kind));
      this.ring.setAttribute("cx", x);
      this.ring.setAttribute("cy", y);
      this.ring.classList.add("on");
      this.tip.hidden = false;
      this.placeTip(x, y);
    }

    // Right of the point and above it, but inside of the figure.
    placeTip(x, y) {
      const box = this.plot.getBoundingClientRect();
      const at = new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM());
      const left = Math.min(at.x - box.left + 10, box.width - this.tip.offsetWidth - 2);
      const above = at.y - box.top - this.tip.offsetHeight - 10;
      this.tip.style.left = `${Math.max(0, left)}px`;
      this.tip.style.top = `${above < 0 ? at.y - box.top + 12 : above}px`;
    }

    hide() {
      this.marked = null;
      this.tip.hidden = true;
      this.ring.classList.remove("on");
    }

    key(event) {
      const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
      if (event.key === "Escape") this.hide();
      if (!step || event.target !== this.plot) return;
      event.preventDefault();
      const next = this.marked ? this.moved(...step) : this.first();
      if (!next) return;
      this.show(next.series, next.index);
      const { text, case: tested } = this.data.series[next.series].points[next.index];
      announce(`${text}, ${tested}`);
    }

    first() {
      const series = this.places.findIndex((row, number) => !this.hidden.has(number) && row.some(Boolean));
      return series < 0 ? null : { series, index: this.places[series].findIndex(Boolean) };
    }

    // The next point of the line, or the point of the next line that is closest in x.
    moved(lines, points) {
      const { series, index } = this.marked;
      if (points) {
        const row = this.places[series];
        for (let at = index + points; at >= 0 && at < row.length; at += points) if (row[at]) return { series, index: at };
        return this.marked;
      }
      const shown = this.places.map((_, number) => number).filter((n) => !this.hidden.has(n) && this.places[n].some(Boolean));
      const next = shown[(shown.indexOf(series) + lines + shown.length) % shown.length];
      return { series: next, index: closest(this.places[next], this.places[series][index]) };
    }

    // ---- series

    makeSwitch(label) {
      const numbers = label.dataset.label.split(" ").map(Number);
      label.classList.add("switch");
      label.addEventListener("click", () => this.toggle(numbers));
    }

    toggle(numbers) {
      const hide = !numbers.every((number) => this.hidden.has(number));
      for (const number of numbers) {
        if (hide) this.hidden.add(number);
        else this.hidden.delete(number);
      }
      this.hide();
      this.showHidden();
    }

    showHidden() {
      const areHidden = (numbers) => numbers.split(" ").every((number) => this.hidden.has(Number(number)));
      for (const kind of ["series", "interval", "number", "leader"]) {
        for (const part of all(`[data-${kind}]`, this.svg)) part.classList.toggle("off", areHidden(part.dataset[kind]));
      }
      for (const label of all("[data-label]", this.svg)) label.classList.toggle("faded", areHidden(label.dataset.label));
      for (const button of all("[data-numbers]", this.tools)) {
        button.setAttribute("aria-pressed", String(!areHidden(button.dataset.numbers)));
      }
    }

    // A button per name: panels of one figure repeat a name.
    addSeriesList() {
      const numbers = new Map();
      this.data.series.forEach(({ label }, number) => {
        if (label) numbers.set(label, [...(numbers.get(label) || []), number]);
      });
      if (numbers.size < 2) return;
      const list = make("div", { class: "names" });
      for (const [label, group] of numbers) {
        const button = make("button", { type: "button", "data-numbers": group.join(" "), "aria-pressed": "true" }, label);
        button.addEventListener("click", () => this.toggle(group));
        list.append(button);
      }
      const names = make("details", { class: "series" }, make("summary", {}, "Series"), list);
      this.tools.append(names);
    }

    // ---- linear or logarithmic

    addScaleButton() {
      this.other = this.element.querySelector("template.other-scale");
      if (!this.other) return;
      this.element.dataset.scale ||= this.data.y.scale;
      this.scaleButton = make("button", { type: "button", class: "scale" });
      this.nameScaleButton();
      this.scaleButton.addEventListener("click", () => this.swapScale());
      this.tools.append(this.scaleButton);
    }

    nameScaleButton() {
      this.scaleButton.textContent = this.element.dataset.scale === "log" ? "Linear axis" : "Logarithmic axis";
    }

    swapScale() {
      const next = this.other.content.querySelector("svg");
      this.hide();
      this.ring.remove();
      const before = this.svg;
      before.replaceWith(next);
      this.other.content.append(before);
      this.element.dataset.scale = this.element.dataset.scale === "log" ? "linear" : "log";
      this.take(next);
      this.nameScaleButton();
      announce(`The axis is ${this.element.dataset.scale === "log" ? "logarithmic" : "linear"}.`);
    }
  }

  // Where the points of a series stand in the drawing: at its markers, at the ends of its bars, or at the corners of its
  // line. A point that the drawing leaves out, such as 0 on a logarithmic axis, has no place.
  function places(svg, number, points, scales) {
    const groups = all(`[data-series="${number}"]`, svg);
    const bars = groups.filter((group) => group.dataset.point !== undefined);
    if (bars.length) return points.map((_, index) => endOf(bars.find((bar) => Number(bar.dataset.point) === index)));
    const uses = groups.flatMap((group) => all("use", group));
    const found = uses.length ? uses.map(placeOf) : groups.flatMap((group) => all("path", group)).flatMap(cornersOf);
    if (found.length === points.length) return found;
    const drawn = points.map((point) => isDrawn(point, scales));
    if (drawn.filter(Boolean).length !== found.length) return points.map(() => null);
    return drawn.map((is) => (is ? found.shift() : null));
  }

  const placeOf = (use) => ({ x: Number(use.getAttribute("x")), y: Number(use.getAttribute("y")) });

  const isDrawn = (point, scales) => !((scales.y === "log" && point.y <= 0) || (scales.x === "log" && point.x <= 0));

  function endOf(bar) {
    if (!bar) return null;
    const box = bar.getBBox();
    return { x: box.x + box.width, y: box.y + box.height / 2 };
  }

  function cornersOf(path) {
    const numbers = (path.getAttribute("d").match(/-?[\d.]+/g) || []).map(Number);
    return numbers.filter((_, index) => index % 2 === 0).map((x, index) => ({ x, y: numbers[2 * index + 1] }));
  }

  function closest(row, place) {
    const distance = (index) => (row[index] ? Math.abs(row[index].x - place.x) * 1000 + Math.abs(row[index].y - place.y) : Infinity);
    return row.reduce((best, _, index) => (distance(index) < distance(best) ? index : best), 0);
  }

  function startFigure(element) {
    const data = element.querySelector("script.figure-data");
    const svg = element.querySelector("svg");
    if (!data || !svg) return;
    const read = JSON.parse(data.textContent);
    if (read.series.length) new Figure(element, read);
  }

  // A figure starts when it comes near the window, so that a page of many is ready at once.
  function startFigures() {
    const watch = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target: element } of entries) {
        if (!isIntersecting) continue;
        watch.unobserve(element);
        startFigure(element);
        element.dataset.started = "";
      }
    }, { rootMargin: "800px" });
    for (const element of all("figure.figure")) watch.observe(element);
  }

  // ---------------------------------------------------------------- tables

  function startTable(table) {
    const body = table.tBodies[0];
    const heads = all("thead tr:last-child th", table);
    if (!body || body.rows.length < 2 || body.querySelector("[rowspan], [colspan]")) return;
    const original = [...body.rows];
    heads.forEach((head, column) => {
      if (!head.textContent.trim()) return;
      const button = make("button", { type: "button", class: "sort" });
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => sortBy(table, heads, column, original));
    });
  }

  // Ascending, descending, then as it was.
  function sortBy(table, heads, column, original) {
    const before = heads[column].getAttribute("aria-sort");
    const now = { ascending: "descending", descending: null }[before];
    const order = now === undefined ? "ascending" : now;
    for (const head of heads) head.removeAttribute("aria-sort");
    if (order) heads[column].setAttribute("aria-sort", order);
    const rows = order ? [...original].sort((a, b) => compared(a.cells[column], b.cells[column], order)) : original;
    table.tBodies[0].append(...rows);
    announce(order ? `Sorted by ${heads[column].textContent.trim()}, ${order}.` : "In the original order.");
  }

  // Cells without a value come last in both directions.
  function compared(first, second, order) {
    const [a, b] = [keyOf(first), keyOf(second)];
    if (a === null || b === null) return (a === null) - (b === null);
    const sign = order === "ascending" ? 1 : -1;
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * String(a).localeCompare(String(b), "en", { numeric: true });
  }

  function keyOf(cell) {
    const text = (cell?.dataset.value ?? cell?.textContent ?? "").trim();
    if (text === "" || text === "–" || text === "-") return null;
    const number = Number(text);
    return Number.isNaN(number) ? text : number;
  }

  // ---------------------------------------------------------------- commands

  function startCommand(command) {
    const button = make("button", { type: "button", class: "copy", "aria-label": `Copy ${command.textContent.trim()}` }, "Copy");
    command.after(button);
    button.addEventListener("click", async () => {
      const copied = await copy(command.textContent.trim());
      button.textContent = copied ? "Copied" : "Not copied";
      announce(copied ? "Command copied." : "The browser does not allow copying.");
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copyBySelection(text);
    }
  }

  function copyBySelection(text) {
    const field = make("textarea", { class: "for-readers", "aria-hidden": "true" });
    field.value = text;
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }

  // ---------------------------------------------------------------- claims

  class Claims {
    constructor() {
      this.rows = all("tr.claim");
      this.filters = all(".claim-filter");
      this.words = new Map(this.rows.map((row) => [row, row.textContent.toLowerCase()]));
      for (const filter of this.filters) this.start(filter);
      for (const link of all("a.permalink")) link.addEventListener("click", () => this.copyLink(link));
      this.read();
    }

    start(filter) {
      filter.hidden = false;
      filter.append(make("p", { class: "count", role: "status" }));
      for (const chip of chips(filter)) {
        chip.setAttribute("aria-pressed", "false");
        chip.addEventListener("click", () => this.toggle(chip));
      }
      filter.querySelector("input[type=search]")?.addEventListener("input", (event) => {
        setState({ q: event.target.value });
        this.read();
      });
    }

    toggle(chip) {
      const [name, value] = chipOf(chip);
      const chosen = listed(name);
      const next = value && !chosen.includes(value) ? [...chosen, value] : chosen.filter((one) => one !== value);
      setState({ [name]: value ? next.join(",") : "" });
      this.read();
    }

    // Shows what the address asks for.
    read() {
      const query = (state().get("q") || "").toLowerCase();
      const wanted = query.split(/\s+/).filter(Boolean);
      for (const row of this.rows) row.hidden = !this.fits(row, wanted);
      for (const filter of this.filters) this.showFilter(filter);
    }

    fits(row, wanted) {
      const verdicts = listed("verdict");
      const papers = listed("paper-verdict");
      if (verdicts.length && !verdicts.includes(row.dataset.verdict)) return false;
      if (papers.length && !papers.includes(row.dataset.paperVerdict)) return false;
      return wanted.every((word) => this.words.get(row).includes(word));
    }

    showFilter(filter) {
      const field = filter.querySelector("input[type=search]");
      const query = state().get("q") || "";
      if (field && field.value !== query) field.value = query;
      for (const chip of chips(filter)) {
        const [name, value] = chipOf(chip);
        chip.setAttribute("aria-pressed", String(value ? listed(name).includes(value) : !listed(name).length));
      }
      const near = all("tr.claim", filter.closest("section, main, body"));
      const rows = near.length ? near : this.rows;
      const count = rows.filter((row) => !row.hidden).length;
      filter.querySelector(".count").textContent = `${count} of ${rows.length} claims`;
    }

    copyLink(link) {
      setTimeout(async () => { if (await copy(link.href)) announce("Link copied."); });
    }
  }

  const chips = (filter) => all("button[data-verdict], button[data-paper-verdict]", filter);

  const listed = (name) => (state().get(name) || "").split(",").filter(Boolean);

  // The name and value that a chip sets. A chip of all verdicts has no value.
  function chipOf(chip) {
    const name = chip.dataset.verdict === undefined ? "paper-verdict" : "verdict";
    const value = chip.dataset.verdict ?? chip.dataset.paperVerdict;
    return [name, value === "all" ? "" : value];
  }

  // ---------------------------------------------------------------- devices

  class Devices {
    constructor() {
      this.picker = document.getElementById("device-picker");
      this.against = document.getElementById("against-picker");
      this.sections = all("[data-device]").filter((one) => one.matches("section"));
      this.pairs = all("section.against");
      this.prepare(this.picker, "device");
      this.prepare(this.against, "against");
      this.read();
    }

    prepare(picker, name) {
      if (!picker) return;
      for (let one = picker; one && one !== document.body; one = one.parentElement) one.hidden = false;
      picker.addEventListener("change", () => {
        setState({ [name]: picker.value });
        remember(name, picker.value);
        this.read();
      });
    }

    read() {
      this.choose(this.picker, "device");
      this.choose(this.against, "against");
      const device = this.picker?.value || "";
      const other = this.against?.value || "";
      if (this.picker) for (const one of this.sections) one.hidden = Boolean(device) && one.dataset.device !== device;
      if (!this.against) return;
      for (const pair of this.pairs) pair.hidden = !this.isShown(pair.dataset, device, other);
    }

    // A pair says how fast `b` is beside `a`. Without a choice of `a`, no pair is shown.
    isShown({ a, b }, device, other) {
      return Boolean(other) && a === other && (!device || b === device);
    }

    choose(picker, name) {
      const wanted = state().get(name) ?? recall(name);
      if (picker && [...picker.options].some((option) => option.value === wanted)) picker.value = wanted;
    }

    // Shows the device to which an element belongs.
    reveal(element) {
      const section = element.closest("section[data-device]");
      if (!section?.hidden || !this.picker) return;
      this.picker.value = section.dataset.device;
      remember("device", this.picker.value);
      this.read();
    }
  }

  // ---------------------------------------------------------------- start

  function start() {
    document.documentElement.classList.add("script");
    document.body.append(live);
    const devices = new Devices();
    const claims = new Claims();
    startFigures();
    all("table.sortable").forEach(startTable);
    all("code.command, pre.command").forEach(startCommand);
    const follow = () => {
      devices.read();
      claims.read();
      const element = target();
      if (!element) return;
      devices.reveal(element);
      for (let one = element.closest("details"); one; one = one.parentElement.closest("details")) one.open = true;
      scrollTo(element);
    };
    addEventListener("hashchange", follow);
    if (target()) follow();
  }

  if (document.readyState === "loading") addEventListener("DOMContentLoaded", start);
  else start();
})();

// Checks that run in a page. Each returns a list of what is wrong, in words.
"use strict";

window.checks = (() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const name = (element) => {
    const owner = element.closest("[id]");
    return `${element.tagName.toLowerCase()} in #${owner ? owner.id : "?"}`;
  };

  function duplicateIds() {
    const seen = new Set();
    return all("[id]").map((element) => element.id).filter((id) => seen.size === seen.add(id).size);
  }

  function headings() {
    const levels = all("h1, h2, h3, h4, h5, h6").map((heading) => Number(heading.tagName[1]));
    const skipped = levels.filter((level, index) => index && level > levels[index - 1] + 1);
    const first = levels.filter((level) => level === 1).length;
    return [...(first === 1 ? [] : [`${first} h1`]), ...skipped.map((level) => `h${level} follows too high a heading`)];
  }

  function pictures() {
    return all("svg").filter((svg) => {
      const words = document.getElementById(svg.getAttribute("aria-describedby"));
      const named = (svg.getAttribute("aria-label") || "").trim() && words?.textContent.trim() && words.parentElement === svg;
      // A title is a second tooltip over ours.
      return svg.getAttribute("role") !== "img" || !named || svg.querySelector("title");
    }).map(name);
  }

  function tables() {
    const bare = all("table").filter((table) => !table.caption || !table.caption.textContent.trim());
    const heads = all("table th").filter((head) => !["col", "row", "colgroup", "rowgroup"].includes(head.scope));
    const headless = all("table").filter((table) => !table.querySelector("thead th"));
    return [...bare.map((one) => `no caption: ${name(one)}`), ...heads.map((one) => `no scope: ${name(one)}`),
      ...headless.map((one) => `no head: ${name(one)}`)];
  }

  function names() {
    const controls = all("button, select, input, a[href], summary, [role=application], [role=region]");
    return controls.filter((one) => {
      const label = one.labels && one.labels.length ? one.labels[0].textContent : "";
      return !(one.getAttribute("aria-label") || label || one.textContent).trim();
    }).map(name);
  }

  function wide() {
    const room = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= room) return [];
    const outside = all("body *").filter((element) => element.getBoundingClientRect().right > room + 1);
    return [`${document.documentElement.scrollWidth} wide in ${room}`, ...outside.slice(0, 3).map(name)];
  }

  // In each figure, markers, bars or corners of a line are as many as the points that its scales can show.
  function points() {
    return all("figure.figure:has(.figure-data)").flatMap((figure) => {
      const read = JSON.parse(figure.querySelector(".figure-data").textContent);
      const drawn = ({ x, y }) => (figure.dataset.scale === "linear" || y > 0) && (read.x.scale === "linear" || !(x <= 0));
      return read.series.filter((one, number) => {
        const parts = (inside) => all(`svg [data-series="${number}"]${inside}`, figure);
        const corners = parts(" path").reduce((sum, path) => sum + path.getAttribute("d").match(/[ML]/g).length, 0);
        if (!one.points.length) return false;
        const found = parts("[data-point]").length || parts(" use").length || corners;
        return ![one.points.length, one.points.filter(drawn).length].includes(found);
      }).map((one) => `${one.label} (${one.kind}): ${figure.id}`);
    });
  }

  // ---- contrast

  function channels(colour) {
    const numbers = (colour.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
    return { rgb: numbers.slice(0, 3), alpha: numbers.length > 3 ? numbers[3] : 1 };
  }

  const over = (top, alpha, ground) => top.map((value, index) => alpha * value + (1 - alpha) * ground[index]);

  function light(rgb) {
    const [r, g, b] = rgb.map((value) => value / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  function ratio(a, b) {
    const [dim, bright] = [light(a), light(b)].sort((x, y) => x - y);
    return (bright + 0.05) / (dim + 0.05);
  }

  const canvas = () => (matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255]);

  function groundOf(element) {
    let ground = canvas();
    for (const one of lineage(element)) {
      const { rgb, alpha } = channels(getComputedStyle(one).backgroundColor);
      ground = over(rgb, alpha, ground);
    }
    return element.tagName === "text" ? boxBelow(element, ground) : ground;
  }

  function lineage(element) {
    return element.parentElement ? [...lineage(element.parentElement), element] : [element];
  }

  // The fill of the last box of a drawing that a text stands on.
  function boxBelow(text, ground) {
    const box = text.getBBox();
    const centre = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
    const at = text.transform.baseVal.numberOfItems ? centre.matrixTransform(text.transform.baseVal.consolidate().matrix) : centre;
    for (const path of all("path", text.ownerSVGElement)) {
      const style = getComputedStyle(path);
      if (style.fill === "none" || path.closest("defs") || !path.isPointInFill(at)) continue;
      const { rgb, alpha } = channels(style.fill);
      ground = over(rgb, alpha * Number(style.fillOpacity), ground);
    }
    return ground;
  }

  function opacityOf(element) {
    return lineage(element).reduce((product, one) => product * Number(getComputedStyle(one).opacity), 1);
  }

  function isShown(element) {
    if (!element.getClientRects().length || element.closest(".for-readers, .skip, script, style, template, desc, title")) return false;
    return getComputedStyle(element).visibility === "visible";
  }

  function contrast() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const elements = new Set();
    while (walker.nextNode()) if (walker.currentNode.data.trim()) elements.add(walker.currentNode.parentElement);
    const bad = [];
    for (const element of elements) {
      if (!isShown(element)) continue;
      const style = getComputedStyle(element);
      const inDrawing = Boolean(element.ownerSVGElement);
      const { rgb, alpha } = channels(inDrawing ? style.fill : style.color);
      const ground = groundOf(element.tagName === "tspan" ? element.parentElement : element);
      const found = ratio(over(rgb, alpha * opacityOf(element), ground), ground);
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (found < (large ? 3 : 4.5)) bad.push(`${found.toFixed(2)} "${element.textContent.trim().slice(0, 30)}" ${name(element)}`);
    }
    return bad;
  }

  return { duplicateIds, headings, pictures, tables, names, points, wide, contrast };
})();

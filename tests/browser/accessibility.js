// What a page owes to those who do not see it, or not well: returns a list of what is missing.
() => {
  const wrong = [];
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const shown = (element) => element.checkVisibility({ visibilityProperty: true });
  const told = (element) => !element.closest("[aria-hidden=true]");
  const name = (element) => element.outerHTML.replace(/\s+/g, " ").slice(0, 120);
  const complain = (what, element) => wrong.push(element ? `${what}: ${name(element)}` : what);
  const words = (text) => (text || "").trim();

  // Structure
  if (!words(document.title)) complain("the page has no title");
  if (!document.documentElement.lang) complain("the page does not tell its language");
  if (all("main").length !== 1) complain("there is not exactly one main");
  if (all("h1").filter(shown).length !== 1) complain("there is not exactly one h1");
  let level = 0;
  for (const heading of all("h1, h2, h3, h4, h5, h6").filter(shown)) {
    const now = Number(heading.tagName[1]);
    if (now > level + 1) complain(`a heading leaves out a level after h${level}`, heading);
    if (!words(heading.textContent)) complain("a heading is empty", heading);
    level = now;
  }
  const ids = all("[id]").map((element) => element.id);
  for (const id of new Set(ids.filter((each, place) => ids.indexOf(each) !== place))) complain(`the id ${id} is there twice`);
  for (const attribute of ["for", "aria-labelledby", "aria-describedby", "aria-controls", "form"]) {
    for (const element of all(`[${attribute}]`)) {
      for (const id of element.getAttribute(attribute).split(/\s+/)) {
        if (!document.getElementById(id)) complain(`${attribute} leads nowhere`, element);
      }
    }
  }
  for (const element of all("[tabindex]")) if (element.tabIndex > 0) complain("it jumps the queue of the Tab key", element);

  // Names
  const called = (element) =>
    words(element.getAttribute("aria-label")) ||
    words((element.getAttribute("aria-labelledby") || "").split(/\s+/).map((id) => document.getElementById(id)?.textContent).join(" ")) ||
    words([...(element.labels || [])].map((label) => label.textContent).join(" ")) ||
    words(element.getAttribute("alt")) ||
    (element.matches("svg") ? words(element.querySelector(":scope > title")?.textContent) : "") ||
    (element.matches("a, button, summary") ? words(element.textContent) : "");
  const named = "a[href], button, summary, input:not([type=hidden]), select, textarea, progress, meter, svg, img, [role=region], section[aria-label], nav";
  for (const element of all(named).filter(told)) {
    if (!element.parentElement.closest("svg") && !called(element)) complain("it has no name", element);
  }
  for (const svg of all("svg").filter(told)) {
    if (!svg.parentElement.closest("svg") && svg.getAttribute("role") !== "img") complain("a picture is not told as one", svg);
  }
  for (const table of all("table")) {
    if (!table.querySelector("th")) complain("a table has no heads", table);
    for (const head of all("th", table)) if (!head.scope) complain("a head does not tell what it is the head of", head);
  }
  for (const box of all("main *").filter(shown)) {
    const style = getComputedStyle(box);
    const scrolls = box.scrollWidth > box.clientWidth + 1 && ["auto", "scroll"].includes(style.overflowX);
    if (scrolls && !box.matches("select, textarea, input") && box.tabIndex < 0 && !box.querySelector("a[href], button, input, summary")) {
      complain("it scrolls, and no key reaches it", box);
    }
  }

  // Contrast, by the formula of WCAG 2
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const colour = (text) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = (front, back) => [0, 1, 2].map((each) => front[each] * front[3] + back[each] * (1 - front[3])).concat(1);
  const light = (given) => {
    const [red, green, blue] = given.slice(0, 3).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [more, less] = [light(one), light(other)].sort((a, b) => b - a);
    return (more + 0.05) / (less + 0.05);
  };
  const behind = (element) => {
    if (!element) return colour("Canvas");
    const own = colour(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, behind(element.parentElement));
  };
  // In a drawing, text stands on the last shape drawn before it that holds its middle.
  const drawnBehind = (text) => {
    const svg = text.ownerSVGElement;
    const at = text.getBoundingClientRect();
    const [x, y] = [(at.left + at.right) / 2, (at.top + at.bottom) / 2];
    let back = behind(svg.parentElement);
    for (const shape of all("rect, circle, ellipse", svg)) {
      if (!(shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
      const box = shape.getBoundingClientRect();
      const style = getComputedStyle(shape);
      if (style.fill === "none" || x < box.left || x > box.right || y < box.top || y > box.bottom) continue;
      const fill = colour(style.fill);
      back = over([...fill.slice(0, 3), fill[3] * style.fillOpacity * style.opacity], back);
    }
    return back;
  };
  const seen = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!words(texts.currentNode.data) || seen.has(element) || !shown(element)) continue;
    seen.add(element);
    if (element.closest(":disabled, script, style, title, desc, noscript, .skip")) continue;
    const style = getComputedStyle(element);
    const drawing = element.closest("svg text");
    const back = drawing ? drawnBehind(drawing) : behind(element);
    const front = over(colour(drawing ? style.fill : style.color), back);
    const ratio = contrast(front, back);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) complain(`contrast ${ratio.toFixed(2)} of ${style.color} on rgb(${back.slice(0, 3).map(Math.round)})`, element);
  }
  return wrong;
}

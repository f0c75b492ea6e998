// From case to case without leaving the page. A key belongs to the case that was on the screen when it was pressed:
// what is pressed while the next one is on its way is held, shown, and used for it only if asked for.
"use strict";

const main = document.getElementById("main");
// They mean what was on the screen when they were pressed: the last label, and the way back to it.
const ABOUT_THE_LAST = ["z", "u", "y", "p"];
const SAVE = "Ctrl+Enter";
const LISTED = 20;
// Whoever goes on typing has not looked up yet; who has paused for so many milliseconds has.
const CALM = 700;
const calm = () => Number(main.dataset.calm ?? CALM);
const held = [];
let turning = false;
let last = 0;
let at;

async function turn(address, how) {
  if (turning) return;
  turning = true;
  main.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address, { ...how, headers: { "X-Requested-With": "concord" } });
    const made = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.ok) show(made, answer.url);
    else tell(made.querySelector("[role=alert]") ?? made.body);
  } catch {
    tell({ textContent: "The server does not answer. Your input is still here: try again." });
  }
  // A frame begins with this, and the next task comes when it was drawn.
  requestAnimationFrame(() => setTimeout(seen));
}

function show(made, address) {
  if (!made.querySelector("[data-turns]")) {
    location.href = address;
    return;
  }
  main.replaceChildren(...made.getElementById("main").childNodes);
  history.pushState(null, "", own(address));
  at = here();
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
}

const here = () => location.pathname + location.search;

// "The next case after the third" is another one as soon as it has a label: the address of a case names its place.
function own(address) {
  const made = new URL(address);
  const on = main.querySelector("a[data-key=n]");
  if (!on) return made;
  for (const each of ["after", "said"]) made.searchParams.delete(each);
  made.searchParams.set("place", new URL(on.href).searchParams.get("after"));
  return made;
}

function tell(words) {
  main.querySelector("#told")?.remove();
  const made = message(words);
  made.id = "told";
  (document.querySelector(".saying") ?? document.querySelector(".reached")).before(made);
  made.scrollIntoView({ block: "nearest" });
}

// The case is on the screen now.
function seen() {
  turning = false;
  main.removeAttribute("aria-busy");
  while (!turning && ABOUT_THE_LAST.includes(held[0])) press(held.shift());
  if (turning) return;
  if (held.length && document.getElementById("said")) offer();
  else held.length = 0;
}

function press(key) {
  const how = key === SAVE ? { key: "Enter", ctrlKey: true } : { key };
  document.body.dispatchEvent(new KeyboardEvent("keydown", { ...how, bubbles: true, cancelable: true }));
}

function offer() {
  document.getElementById("held")?.remove();
  const made = document.createElement("div");
  made.id = "held";
  made.className = "message row";
  made.setAttribute("role", "status");
  const keys = held.slice(0, LISTED).map((key) => Object.assign(document.createElement("kbd"), { textContent: key }));
  const more = held.length > LISTED ? ` and ${held.length - LISTED} more` : "";
  const words = document.createElement("span");
  words.append("Keys pressed before this case was shown, and not used: ", ...keys.flatMap((key) => [key, " "]), more);
  made.append(words, button("Use them here", ".", use), button("Discard them", "Esc", forget));
  main.querySelector("article.case").before(made);
}

function button(words, key, does) {
  const made = document.createElement("button");
  made.append(words, " ", Object.assign(document.createElement("kbd"), { textContent: key }));
  made.addEventListener("click", does);
  return made;
}

// As far as they lead to another case; the rest is asked for again there.
function use() {
  document.getElementById("held")?.remove();
  while (held.length && !turning) {
    press(held.shift());
    if (!turning && typing(document.activeElement)) write(document.activeElement, held.splice(0, written()));
  }
}

// Up to the key that saves from within a field.
function written() {
  const saves = held.indexOf(SAVE);
  return saves < 0 ? held.length : saves;
}

function write(field, keys) {
  field.value += keys.map((key) => (key === "Enter" ? "\n" : key)).join("");
}

function forget() {
  held.length = 0;
  document.getElementById("held")?.remove();
}

document.addEventListener(
  "keydown",
  (event) => {
    if (!event.isTrusted) return; // one that was held
    if (turning) hold(event);
    else if (held.length && !typing(event.target) && !event.target.closest("#held")) answered(event);
  },
  true,
);

// Keys that mean something here; others, and those with Ctrl and the like, are the browser's.
function ours(event) {
  if (event.key === "Enter") return true;
  return event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
}

function hold(event) {
  if (!ours(event)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  last = event.timeStamp;
  if (!event.repeat) held.push(event.key === "Enter" && (event.ctrlKey || event.metaKey) ? SAVE : event.key);
}

function answered(event) {
  if (event.key === "Escape") forget();
  if (!ours(event)) return;
  if (event.key === ".") {
    event.preventDefault();
    use();
  } else if (event.timeStamp - last < calm()) {
    hold(event);
    offer();
  } else forget(); // they have seen the case, and say what they think of it
}

document.addEventListener(
  "submit",
  (event) => {
    if (!event.target.matches("form[data-turn]")) return;
    event.preventDefault();
    turn(event.target.action, { method: "POST", body: new URLSearchParams(new FormData(event.target)) });
  },
  true,
);

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-turn]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  turn(link.href, {});
});

// The way back of the browser leads to the cases before; to another part of this page it is no way to another case.
history.replaceState(null, "", own(location.href));
at = here();
addEventListener("popstate", () => {
  if (here() !== at) location.reload();
});

// Labelling by keys beyond those that press a button: choices that go round, fields to write in, and what follows from what.
"use strict";

// Looked up each time: the next case brings a form of its own.
const said = () => document.getElementById("said");
const field = (element) => element.matches("input:not([type=checkbox]):not([type=radio]), select, textarea");

function choose(input) {
  if (!input.checked) input.click();
}

// Each press of the key takes the next of several choices.
function cycle(group) {
  const choices = [...group.querySelectorAll("input[type=radio]")];
  choose(choices[(choices.findIndex((each) => each.checked) + 1) % choices.length]);
}

async function evidence(link) {
  const place = document.getElementById(link.dataset.evidence);
  try {
    const answer = await fetch(link.href, { headers: { "X-Requested-With": "concord" } });
    const made = new DOMParser().parseFromString(await answer.text(), "text/html");
    const part = made.getElementById(link.dataset.evidence);
    place.replaceWith(part);
    part.scrollIntoView({ block: "start" });
    link.remove();
  } catch {
    location.href = link.href;
  }
}

document.addEventListener("change", (event) => {
  const form = said();
  if (!form || event.target.form !== form) return;
  const error = form.querySelector("input[name=verdict][value=error]");
  const about = ["categories", "kinds", "wrong", "severity"];
  if (about.includes(event.target.name) && event.target.checked && event.target.value) choose(error);
  if (event.target.dataset.of && event.target.checked) {
    const above = [...form.elements.categories].find((each) => each.value === event.target.dataset.of);
    above.checked = true;
  }
  if (event.target.name === "categories" && !event.target.checked) {
    for (const each of form.querySelectorAll("input[name=kinds]")) if (each.dataset.of === event.target.value) each.checked = false;
  }
  if (event.target.name === "verdict" && event.target.value !== "error") {
    for (const each of form.querySelectorAll("#wrong input[type=checkbox]")) each.checked = false;
    for (const each of form.querySelectorAll("#wrong input[type=radio][value='']")) each.checked = true;
  }
});

// All long texts at once: whoever compares them wants to see the same of each.
function unfold() {
  const folds = [...document.querySelectorAll("details.long")];
  const open = folds.some((each) => !each.open);
  for (const each of folds) each.open = open;
}

document.addEventListener("keydown", (event) => {
  if (event.repeat || !said()) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    said().requestSubmit();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (field(event.target)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const group = document.querySelector(`fieldset[data-cycle="${CSS.escape(event.key)}"]`);
  const write = document.querySelector(`[data-focus="${CSS.escape(event.key)}"]`);
  if (group) cycle(group);
  else if (write) write.focus();
  else if (event.key === "u") document.querySelector("[data-key=z]").click();
  else if (event.key === "a") unfold();
  else return;
  event.preventDefault();
});

document.addEventListener("click", (event) => {
  // Whoever asks for the keys wants to see them; they stand at the end of the page.
  const help = event.target.closest("details.help > summary")?.parentElement;
  if (help) requestAnimationFrame(() => help.open && help.scrollIntoView({ block: "end" }));
  const link = event.target.closest("a[data-evidence]");
  if (!link) return;
  event.preventDefault();
  evidence(link);
});

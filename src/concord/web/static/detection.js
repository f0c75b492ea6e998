// The threshold's slider: all of its numbers are fetched once, so that it moves without asking the server.
"use strict";

for (const card of document.querySelectorAll("[data-points]")) prepare(card);

async function prepare(card) {
  const typed = card.querySelector("input[name=at][type=number]");
  // What is kept is what stands in the field.
  typed.addEventListener("input", () => {
    card.querySelector("[data-at]").value = typed.value;
    card.querySelector("[data-keep]").disabled = typed.value === "";
  });
  let points;
  try {
    const answer = await fetch(card.dataset.points, { headers: { "X-Requested-With": "concord" } });
    if (!answer.ok) return;
    points = await answer.json();
  } catch {
    return; // the form beside it does the same, one threshold at a time
  }
  if (points.length < 2) return;
  const slide = card.querySelector("input[type=range]");
  slide.max = points.length - 1;
  slide.value = nearest(points, typed.value === "" ? Number(points[0].at) : Number(typed.value));
  slide.setAttribute("aria-valuetext", typed.value);
  slide.closest("[hidden]").hidden = false;
  slide.addEventListener("input", () => show(card, slide, points[slide.value]));
}

function nearest(points, threshold) {
  const distance = (point) => Math.abs(Number(point.at) - threshold);
  return points.reduce((best, point, place) => (distance(point) < distance(points[best]) ? place : best), 0);
}

function show(card, slide, point) {
  for (const element of card.querySelectorAll("[data-show]")) element.textContent = point[element.dataset.show];
  card.querySelector("input[name=at][type=number]").value = point.at;
  card.querySelector("[data-at]").value = point.at;
  card.querySelector("[data-keep]").disabled = false;
  card.querySelector(".in-force")?.remove();
  slide.setAttribute("aria-valuetext", point.at);
  const link = card.querySelector("[data-link]");
  link.hidden = !point.link;
  if (point.link) link.href = point.link;
}

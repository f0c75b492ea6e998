// An element with data-events is told of changes by the server, and then filled with what the page now has in its place.
"use strict";

// Where the keyboard is, in words that still hold when everything is drawn anew.
function focus(place) {
  const active = document.activeElement;
  if (!place.contains(active)) return null;
  if (active.id) return `#${CSS.escape(active.id)}`;
  if (active.matches("details[id] > summary")) return `#${CSS.escape(active.parentElement.id)} > summary`;
  return active.matches("a[href]") ? `a[href="${CSS.escape(active.getAttribute("href"))}"]` : null;
}

// A long text is known by its case and by its place there, wherever in the list the case is now.
function identify(place) {
  for (const article of place.querySelectorAll("article")) {
    const section = article.closest("section")?.getAttribute("aria-labelledby") ?? "";
    const title = article.querySelector("h3, h4");
    const told = title?.querySelector("a[href]")?.getAttribute("href") ?? title?.textContent ?? "";
    const id = `${section}-${told}`.replace(/\s/g, "_");
    for (const [number, fold] of article.querySelectorAll("details.long").entries()) fold.id = `long-${number}-${id}`;
  }
}

// What was unfolded stays so, and the keyboard stays where it was.
function put(place, part) {
  identify(place);
  identify(part);
  const folds = [...place.querySelectorAll("details[id]")].map((element) => [element.id, element.open]);
  const focused = focus(place);
  place.replaceChildren(...part.childNodes);
  for (const [id, open] of folds) {
    const again = document.getElementById(id);
    if (again) again.open = open;
  }
  if (focused) place.querySelector(focused)?.focus({ preventScroll: true });
}

for (const element of document.querySelectorAll("[data-events]")) {
  const id = element.id;
  let events;
  let over = false;
  let busy = false;
  let again = false;
  const renew = async () => {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    try {
      const answer = await fetch(location.href, { headers: { "X-Requested-With": "concord" } });
      const made = new DOMParser().parseFromString(await answer.text(), "text/html");
      const part = made.getElementById(id);
      if (part) put(document.getElementById(id), part);
    } catch {
      // The server is away, or this page is being left; a server that comes back tells of the next change.
    } finally {
      busy = false;
      if (again) {
        again = false;
        setTimeout(renew, 250);
      }
    }
  };
  const listen = () => {
    events = new EventSource(element.dataset.events);
    events.addEventListener("change", renew);
    events.addEventListener("end", () => {
      over = true;
      events.close();
      again = true;
      renew();
    });
  };
  listen();
  // A browser has few connections to one server: a page that nobody sees gives its own back.
  document.addEventListener("visibilitychange", () => {
    if (over) return;
    events.close();
    if (!document.hidden) {
      listen();
      renew();
    }
  });
}

// An element with data-events is told of changes by the server, and then filled with what the page now has in its place.
"use strict";

// What was unfolded stays so, and the keyboard stays where it was.
function put(place, part) {
  const folds = [...place.querySelectorAll("details[id]")].map((element) => [element.id, element.open]);
  const { id, href } = place.contains(document.activeElement) ? document.activeElement : {};
  place.replaceChildren(...part.childNodes);
  for (const [fold, open] of folds) {
    const again = document.getElementById(fold);
    if (again) again.open = open;
  }
  const focused = id ? document.getElementById(id) : [...place.querySelectorAll("a")].find((link) => href && link.href === href);
  if (focused) focused.focus({ preventScroll: true });
}

for (const element of document.querySelectorAll("[data-events]")) {
  const id = element.id;
  const events = new EventSource(element.dataset.events);
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
  events.addEventListener("change", renew);
  events.addEventListener("end", () => {
    events.close();
    again = true;
    renew();
  });
}

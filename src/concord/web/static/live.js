// An element with data-events is told of changes by the server, and then replaced by what the page now has in its place.
"use strict";

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
      if (part) document.getElementById(id).replaceChildren(...part.childNodes);
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

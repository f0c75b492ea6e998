// What every page shares: sending a form without leaving the page, and keys that press buttons.
// Without it, every form and link still works.
"use strict";

const typing = (element) => element.matches("input:not([type=checkbox]):not([type=radio]):not([type=range]), select, textarea");

// What is wrong with what was filled in, in the words of the page that says so.
function message(words) {
  const made = document.createElement("p");
  made.className = "message bad";
  made.setAttribute("role", "alert");
  made.textContent = words.textContent.trim();
  return made;
}

// A form with data-live is sent when it changes, and the part of the page that it names is replaced by the answer's.
async function refresh(form) {
  const address = new URL(form.action || location.href);
  address.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== "")).toString();
  const target = document.getElementById(form.dataset.live);
  target.setAttribute("aria-busy", "true");
  form.dataset.asked = address.href;
  try {
    const answer = await fetch(address, { headers: { "X-Requested-With": "concord" } });
    const made = new DOMParser().parseFromString(await answer.text(), "text/html");
    const part = made.getElementById(form.dataset.live);
    if (form.dataset.asked !== address.href) return; // a later change is on its way
    if (answer.ok && part) {
      target.replaceChildren(...part.childNodes);
      history.replaceState(null, "", address);
    } else if (answer.ok) {
      location.href = address.href;
    } else {
      target.replaceChildren(message(made.querySelector("[role=alert]") ?? made.body));
    }
    target.removeAttribute("aria-busy");
  } catch {
    target.removeAttribute("aria-busy");
  }
}

let waiting;
document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-live]");
  if (!form) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => refresh(form), event.target.matches("input[type=text], input[type=search], input[type=number]") ? 300 : 0);
});
document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-live]")) return;
  event.preventDefault();
  refresh(event.target);
});

// data-key="x" on a button, a link or a choice: pressing x does what a click does.
// A key that is held down presses once, and Enter and Space are for what has the focus, where that is to be pressed.
document.addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if ((event.key === "Enter" || event.key === " ") && event.target.matches("a, button, summary, select, [role]")) return;
  const found = [...document.querySelectorAll("[data-key]")].find(
    (element) => element.dataset.key === event.key && !element.disabled && element.offsetParent !== null,
  );
  if (!found) return;
  event.preventDefault();
  found.click();
});

// data-confirm: ask before a form does what cannot be undone.
document.addEventListener("submit", (event) => {
  const words = event.target.dataset.confirm;
  if (words && !confirm(words)) event.preventDefault();
});

// What changes something is sent once, however often a button is pressed until the answer comes.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.getAttribute("method")?.toLowerCase() !== "post") return;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "1";
  // Not at once: what a disabled button stands for would not be sent.
  setTimeout(() => {
    for (const button of form.elements) {
      if (form.dataset.sent && button.matches("button:enabled")) {
        button.disabled = true;
        button.dataset.waits = "1";
      }
    }
  });
});
// Whoever comes back to the page may send again.
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  for (const button of document.querySelectorAll("button[data-waits]")) {
    button.disabled = false;
    delete button.dataset.waits;
  }
});

// data-go: a choice that leads on as soon as it is made.
document.addEventListener("change", (event) => {
  if (event.target.matches("select[data-go]")) event.target.form.requestSubmit();
});

// details.folding are open beside what they belong to, and folded above it on a narrow screen.
if (matchMedia("(max-width: 52rem)").matches) {
  for (const element of document.querySelectorAll("details.folding")) element.open = false;
}

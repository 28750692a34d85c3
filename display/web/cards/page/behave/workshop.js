// The page for the owner's cards. Each of its buttons submits a form and names its
// action in data-act, with its other data attributes as arguments; so do fields.

import * as cards from "../actions/workshop.js";
import * as picks from "../actions/pick.js";
import * as forms from "../actions/workshop-form.js";
import * as names from "../actions/workshop-names.js";
import * as tags from "../actions/workshop-tags.js";
import { state } from "../store.js";

export const actions = { ...cards, ...forms, ...picks, ...names, ...tags, next };

export function listen() {
  document.addEventListener("focusin", ({ target: on }) => { // with what is suggested below it
    if (on.matches(".field textarea")) on.closest(".field").scrollIntoView({ block: "nearest" });
  });
  addEventListener("popstate", cards.fromAddress);
  addEventListener("beforeunload", e => cards.isTyped() && e.preventDefault());
  document.addEventListener("visibilitychange", () => { // a file may have been edited by hand
    if (!document.hidden && !state.workshop.card) cards.load();
  });
}

// next goes to the next name, at once: the next key may come before the next drawing.
function next() {
  const { act: from, next: about } = document.activeElement.dataset;
  const on = document.querySelector(`.names [data-about="${about}"]`);
  on?.focus();
  on?.select();
  if (from === "name") names.entered({ next: about });
}

// follow fits text fields to their text.
export function follow({ workshop }) {
  scroll(workshop);
  reach(workshop ?? {});
  // What the user has not typed, such as a completion, becomes the value of the field.
  for (const on of document.querySelectorAll("[data-value]")) {
    const { value, liveTaken } = on.dataset;
    if (liveTaken !== undefined && liveTaken !== value && on.value !== value) on.value = value;
    on.dataset.liveTaken = value;
  }
}

function reach({ picking: p }) {
  const now = p?.shown ? [p.field, p.adding, p.line].join() : "";
  if (now === reached) return;
  reached = now;
  if (p?.adding) document.querySelector(".ability.open").scrollIntoView();
  else document.querySelector(".effects > .current")?.scrollIntoView({ block: "nearest" });
}

let reached = "";

// scroll begins what is opened at its top. The box comes back where it was.
function scroll(workshop) {
  const now = workshop?.card?.about ?? (workshop?.names ? "names=" : undefined);
  if (now === shown) return;
  scrollTo(0, now === undefined ? listAt : 0);
  shown = now;
}

let shown, listAt = 0;
addEventListener("scroll", () => { if (shown === undefined) listAt = scrollY; });

// What cards do: nobody can read it off simulated ones. A card on the table
// opens its text. One that answers what is asked shows it to the pointer and
// the keyboard that are on it, and opens it by a long press, the right button
// or the menu key.

import { h, language } from "./core.js";
import { app, get, render } from "./table.js";
import { open } from "./dialogs.js";

let told = {};    // name and text by language and kind
let match = null; // where they are so: the next match may have other cards of that name

const entry = (lang, kind) => lang + "/" + kind;

// text is what a kind of card does, where that is known.
export const text = kind => told[entry(language.now, kind)]?.does;

export const know = (lang, kind, name, does) => { told[entry(lang, kind)] = { name, does }; };

// whole is a card with what lies under it and beside it.
const whole = c => [c, ...[...c.under ?? [], ...c.attached ?? []].flatMap(whole)];

const kinds = cards => [...new Set(cards.flatMap(whole).filter(c => c.card !== null && !c.state?.includes("face-down")).map(c => c.card))];

// readable are the kinds among cards that lie open and whose text is known.
export const readable = cards => kinds(cards).filter(text);

// texts asks for those of the open cards, where one is not known yet.
export async function texts() {
  const v = app.live.view, lang = language.now;
  if (v.match !== match) { told = {}; match = v.match; }
  const lying = kinds([v, ...v.seats].flatMap(s => Object.values(s.zones)).flat());
  if (!app.live.status.simulated || lying.every(kind => told[entry(lang, kind)])) return;
  try {
    const cards = await get("/api/texts?lang=" + lang);
    if (match !== v.match) return;
    for (const c of cards) know(lang, c.card, c.name, c.does);
    render();
  } catch { /* the next frame asks again */ }
}

// lines are a text as a card prints it, what it speaks of in bold.
export const lines = does => h("span", { class: "does" }, does.split("\n").map(l => {
  const at = l.indexOf(":"); // -1 where the whole line is said plainly
  return h("span", null, at > 0 && h("b", null, l.slice(0, at).trim()), l.slice(at + 1));
}));

// chosen are the cards of a plate, or of a heap, which has a title, as they
// are now: they may leave the table while they are read.
export const chosen = d => ({ heap: d.heap, cards: d.cards.split(" ").map(kind => told[entry(language.now, kind)]) });

// page is what a dialog says of them.
export function page({ heap, cards }) {
  const title = heap ?? cards[0].name;
  return [title, cards.map(c => h("section", { class: "told" }, c.name !== title && h("h3", null, c.name), lines(c.does)))];
}

const tip = document.getElementById("tip");

// hint shows the text of the card that the keyboard is on. Screen readers have
// it as the card's title.
export function hint() {
  const on = document.activeElement, does = on?.matches(".plate[title]:focus-visible") ? on.title : "";
  tip.hidden = !does;
  if (!does) return;
  if (tip.textContent !== does) tip.textContent = does;
  const box = on.getBoundingClientRect(), below = box.bottom + 8;
  tip.style.left = Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8)) + "px";
  tip.style.top = (below + tip.offsetHeight < innerHeight - 8 ? below : Math.max(8, box.top - tip.offsetHeight - 8)) + "px";
}

export function reading() {
  for (const by of ["focusin", "focusout", "scroll"]) document.addEventListener(by, hint, { capture: true, passive: true });
  document.addEventListener("keydown", e => { if (e.key === "Escape") tip.hidden = true; });

  let press = 0, opened = false; // whether the finger that lies there has opened a text
  const read = card => { clearTimeout(press); open("cards", card); };
  document.addEventListener("contextmenu", e => {
    const card = e.target.closest(".plate[data-cards]");
    if (!card) return;
    e.preventDefault();
    read(card);
  });
  document.addEventListener("pointerdown", e => { // not every phone has a menu for a long press
    const card = e.target.closest(".plate[data-cards]");
    opened = false;
    if (card && e.pointerType === "touch") press = setTimeout(() => { opened = true; read(card); }, 600);
  });
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => clearTimeout(press));
  document.addEventListener("click", e => {
    if (!opened) return;
    opened = false;
    e.stopPropagation();
    e.preventDefault();
  }, true);
}

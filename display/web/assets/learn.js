// What a tag is that nobody knows: a card of the box, or a key.

import { h, language, say, send } from "./core.js";
import { hue, sprite } from "./sprite.js";
import { app, loadGames } from "./table.js";
import { redraw } from "./dialogs.js";
import { chosen } from "./setup.js";
import { strokes } from "./keys.js";

// unknownTag is the tag that was laid down last, where the table would learn
// it from this browser; else null.
export function unknownTag(live) {
  const r = live.status.receipt, args = r?.reason?.args;
  return live.writes && r?.outcome === "unknown" && args?.learn ? args.tag : null;
}

let lesson = null; // of one tag; another tag is another lesson

// beginLesson begins with the tag that was laid down last. Whatever is laid
// down meanwhile waits for the next one.
export const beginLesson = live => start(unknownTag(live) ?? "");

function start(tag) {
  lesson = { tag, kind: "card", game: "", cards: null, sought: "", trouble: "", busy: false, learnt: null };
  load(lesson);
}

// A tag is a card of the game at the table, where that has cards.
const boxes = () => (app.games ?? []).filter(g => g.cards.length > 0);
const played = () => boxes().find(g => g.name === app.live.view.game);

async function load(mine) {
  if (!app.games) await loadGames();
  const all = boxes(), game = mine.game ||= (played() ?? all.find(g => g === chosen()) ?? all.at(-1))?.name ?? "";
  if (!game) mine.kind = "key";
  let cards = [], trouble = "";
  try {
    const answer = game && await fetch(`/api/cards?game=${encodeURIComponent(game)}&lang=${language.now}`);
    if (answer) cards = await answer.json();
    if (answer && !answer.ok) [cards, trouble] = [[], cards.error];
  } catch { trouble = say("page.away"); }
  if (mine.game !== game) return; // another one was asked for meanwhile
  mine.cards = cards.sort((a, b) => a.name.localeCompare(b.name, language.now));
  mine.trouble = trouble;
  redraw();
}

async function teach(card, title) {
  const mine = lesson;
  if (mine.busy) return;
  mine.busy = true;
  const said = await send("/api/match", { do: "learn", tag: mine.tag, card });
  mine.busy = false;
  mine.trouble = said.ok ? "" : said.text;
  if (said.ok) mine.learnt = { title, text: said.text };
  redraw();
  if (said.ok) document.querySelector("#dialog .learnt ~ .answers button")?.focus();
}

export function lessonPage(live) {
  const l = lesson;
  if (l.learnt) return learnt(live, l);
  const is = kind => h("button", { type: "button", "data-kind": kind, "data-k": kind, "aria-pressed": String(kind === l.kind) }, kind === "card" ? say("learn.card") : say("learn.key"));
  return [say("learn.which"),
    h("div", { class: "lesson", "data-k": "lesson" },
      h("div", { class: "rowed" }, h("p", { class: "tagged" }, say("learn.tag"), " ", number(l.tag)),
        (l.game || !l.cards) && h("span", { class: "switch", role: "group", "aria-label": say("learn.is") }, is("card"), is("key"))),
      l.trouble && h("p", { class: "wrong", role: "alert" }, l.trouble),
      l.kind === "card" ? cards(l) : h("div", { class: "keyed", "data-k": "keyed" }, strokes.map(([, key]) => h("button", { type: "button", class: "plain", "data-learn": "key/" + key, "data-k": key, "data-title": say("key." + key) }, say("key." + key)))))];
}

// number is a tag's, in pairs as it is printed by tools: easy to compare.
const number = tag => h("span", { class: "uid" }, (tag.match(/^([0-9a-f]{2})+$/i) ? tag.match(/../g) : [tag]).map(pair => h("span", null, pair)));

// cards are those of the box by title, each with the numbers of its copies. A
// screen keyboard, which hides half of them, comes only when it is called.
function cards(l) {
  const found = l.cards?.filter(c => fits(c, l.sought)), all = boxes();
  return [
    l.game && !played() && all.length > 1 && h("label", { class: "option", "data-k": "of" }, h("span", null, say("begin.game")),
      h("select", { "data-box": "" }, all.map(g => h("option", { value: g.name, selected: g.name === l.game }, g.title + (g.edition ? ", " + g.edition.replaceAll("-", " ") : ""))))),
    h("input", { type: "search", "data-sought": "", "data-k": "sought", placeholder: say("learn.find"), "aria-label": say("learn.find"), autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "search", autofocus: !matchMedia("(pointer: coarse)").matches }),
    !found ? h("p", { class: "none" }, say("begin.loading")) :
      h("ul", { class: "box", "data-k": "box" }, found.map(c => copies(l, c)), !found.length && h("li", { class: "none" }, say("learn.none"))),
  ];
}

function copies(l, c) {
  const box = l.game.split("/")[0];
  return h("li", { "data-k": c.card, style: { "--hue": hue(c.card) } },
    h("span", { class: "portrait" }, sprite(c.card)), h("b", null, c.name),
    h("span", { class: "copies" + (c.copies > 4 ? " many" : ""), role: "group", "aria-label": c.name }, Array.from({ length: c.copies }, (_, i) => {
      const title = say("learn.copy", { card: c.name, n: i + 1, of: c.copies });
      return h("button", { type: "button", "data-learn": `${box}/${c.card}.${i + 1}`, "data-k": "n" + i, "data-title": title, "aria-label": title, title }, i + 1);
    })));
}

// Whoever types a title leaves out accents and apostrophes.
const plain = text => text.normalize("NFD").replace(/[\p{M}'’]/gu, "").replaceAll("-", " ").toLowerCase();

function fits(card, sought) {
  const text = plain(card.name) + " " + plain(card.card);
  return plain(sought).split(/\s+/).every(word => text.includes(word));
}

function learnt(live, l) {
  const next = unknownTag(live);
  return [l.learnt.title,
    h("div", { class: "learnt", role: "status", "data-k": "learnt" }, h("i", { "aria-hidden": "true" }, "✓"), h("div", null, h("p", { class: "tagged" }, say("learn.tag"), " ", number(l.tag)), h("p", null, l.learnt.text))),
    h("div", { class: "answers", "data-k": "after" },
      h("button", { type: "button", class: "answer", "data-close": "", "data-k": "close" }, say("page.close")),
      h("button", { type: "button", class: "answer", "data-again": l.tag, "data-k": "again" }, say("learn.other")),
      next && next !== l.tag && h("button", { type: "button", class: "answer", "data-again": next, "data-k": "next" }, say("learn.next")))];
}

document.addEventListener("click", e => {
  const b = e.target.closest("[data-learn], [data-kind], [data-again]");
  if (!b) return;
  const d = b.dataset;
  if (d.learn) return teach(d.learn, d.title);
  if (d.kind) lesson.kind = d.kind;
  else start(d.again);
  redraw();
  if (d.again) document.querySelector("#dialog [data-sought][autofocus]")?.focus();
});
document.addEventListener("input", e => {
  if (!e.target.matches("[data-sought]")) return;
  lesson.sought = e.target.value;
  redraw();
});
document.addEventListener("change", e => {
  if (!e.target.matches("[data-box]")) return;
  lesson.game = e.target.value;
  lesson.cards = null;
  load(lesson);
});

let entered = false; // in the search, until the key is let go: held, it would choose

// Arrows go through the copies, up and down through the cards.
document.addEventListener("keydown", e => {
  const list = document.querySelector("#dialog .box"), on = e.target;
  if (!list || !on.matches("[data-sought], .copies button")) return;
  const all = [...list.querySelectorAll(".copies button")];
  let to;
  if (on.matches("[data-sought]")) {
    entered = e.key === "Enter";
    to = e.key === "ArrowDown" && all[0];
  } else if (e.key === "ArrowLeft" || e.key === "ArrowRight") to = all[all.indexOf(on) + (e.key === "ArrowRight" ? 1 : -1)];
  else if (e.key === "ArrowDown") to = on.closest("li").nextElementSibling?.querySelector("button");
  else if (e.key === "ArrowUp") to = on.closest("li").previousElementSibling?.querySelector("button") ?? document.querySelector("[data-sought]");
  if (!to) return;
  e.preventDefault();
  to.focus();
});
document.addEventListener("keyup", e => {
  if (e.key === "Enter" && entered) document.querySelector("#dialog .copies button")?.focus();
  entered = false;
});

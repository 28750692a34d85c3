// The page for the owner's cards: the box of a game, or in its place what is open of it.

import { h } from "../dom.js";
import { local, say } from "../words.js";
import { formOf, isOpen, isSought, nameOf, nextOf, rowsOf, valuesOf } from "../workshop-lines.js";
import { hue, sprite } from "./sprite.js";
import { form } from "./workshop-form.js";
import { names, namings } from "./workshop-names.js";
import { saidOf, submit } from "./workshop-submit.js";

export function workshop(state) {
  const { workshop: w, lost } = state, away = lost && h("p", {
    class: "lost", role: "status", "data-k": "lost",
  }, say("page.away"));
  if (!w?.box) return [away, h("h1", { "data-k": "h1" }, say("cards.title")),
    h("p", { class: "sub", role: "status", "data-k": "none" }, w?.trouble || say("cards.loading"))];
  if (!w.box.cards.length) return [away, which(w.box)];
  const open = w.card ? form(state) : w.names ? names(state) : null;
  return [
    away,
    open ? [h("h1", { class: "unseen", "data-k": "h1" }, say("cards.box", { game: w.box.title })),
      h("section", { id: "card", "aria-label": say("cards.card"), "data-k": "card" }, open)] :
      h("form", { class: "listed", "data-k": "list-" + w.box.game }, box(state)),
    h("form", { id: "picked", "data-act": "picked", "data-k": "picked" }), // what Enter does where effects are sought
    h("form", { class: "listed", "data-k": "history" }, versions(state)),
    w.leaving ? leaving(w) : tagged(state),
    h("p", { class: "unseen", role: "status", "data-k": "status" }, saidOf(w)),
  ];
}

const which = ({ games }) => h("form", { class: "empty", "data-k": "which" },
  h("h1", null, say("cards.which")), h("p", null, say("cards.why")),
  h("div", { class: "line" }, games.map(g => submit("game", { class: "b", "data-game": g.value, "data-k": g.value },
    h("span", { class: "portrait", style: { "--hue": hue(g.value) } }, sprite(g.value)), g.title))));

const kinds = {
  missing: isOpen, yours: c => c.state === "yours", known: c => c.state === "known",
  wrong: c => c.state === "wrong", "stand-in": c => c.state === "stand-in",
  "no-tag": c => c.copies > 0 && c.taught < c.copies,
};
const ALWAYS = 3; // kinds whose count shows also where it is 0

function box({ workshop: w, live, lang }) {
  const { box, sought, filter } = w, keep = live?.rights.keep, cards = box.cards.filter(c => isSought(sought, c));
  const shown = cards.filter(kinds[filter] ?? (() => true)), next = nextOf(box, ""), groups = new Map();
  for (const c of [...shown].sort((a, b) => !a.id - !b.id)) {
    groups.set(groupOf(box, c), [...(groups.get(groupOf(box, c)) ?? []), c]);
  }
  const all = box.cards.length, count = (name, list = cards) => list.filter(kinds[name]).length;
  const chip = (name, text, n) => submit("filter", {
    class: "chip " + name, "data-filter": name, "data-k": name, "aria-pressed": String(name === filter),
  }, name !== "all" && h("i", { class: "of " + name }), h("span", null, text), h("small", null, n));
  return [
    submit("first", { hidden: true, "data-k": "first" }), // what Enter in the search does
    h("div", { class: "head", "data-k": "head" },
      h("div", null, h("h1", null, say("cards.box", { game: box.title })),
        h("p", { class: "sub" }, say("cards.say", { n: all - count("missing", box.cards), of: all }))),
      h("input", {
        type: "search", class: "field", "data-act": "seek", "data-k": "seek", placeholder: say("cards.seek"),
        "aria-label": say("cards.seek"), autocomplete: "off", autocapitalize: "off", spellcheck: "false",
        enterkeyhint: "search",
      }),
      box.games.length > 1 && h("div", { class: "line slide", role: "group", "aria-label": say("cards.game") },
        box.games.map(g => submit("game", {
          class: "chip", "data-game": g.value, "data-k": g.value, "aria-pressed": String(g.value === box.game),
        }, g.title))),
      h("div", { class: "line" },
        (!live || live.writes) &&
          h("a", { class: "b", href: `/cards/labels?game=${box.game}&lang=${lang}` }, say("cards.print")),
        h("a", { class: "b", href: `/cards/share?game=${box.game}&lang=${lang}` }, say("cards.share")))),
    h("div", { class: "meter", "aria-hidden": "true", "data-k": "meter" }, ["known", "yours", "missing"].map(name =>
      count(name, box.cards) > 0 && h("i", {
        class: name, "data-k": name, style: { "flex-grow": count(name, box.cards) },
      }))),
    h("div", { class: "line", "data-k": "chips" },
      h("div", { class: "line slide", role: "group", "aria-label": say("cards.filter") },
        chip("all", say("cards.all"), cards.length),
        Object.keys(kinds).map((name, i) => (i < ALWAYS || count(name) > 0 && count(name) !== count("missing")) &&
          chip(name, name === "known" ? say("cards.known") : say("cards.state-" + name), count(name)))),
      (!live || keep) && next && submit("open", {
        class: "b main", "data-open": next.about, "data-k": "fill", disabled: !live,
      },
        say("cards.fill", { card: next.name }), " ›")),
    [...groups].map(([title, group]) => [
      h("div", { class: "line group", "data-k": "h-" + title },
        groups.size > 1 && h("h2", null, title), abilities(box, group[0]).map(([letter, row]) =>
          h("span", { "data-k": row.field }, h("i", { class: "letter" }, letter), " ", row.title))),
      h("ul", { class: "box-of", "data-k": "g-" + title }, group.map(c => tile(box, c)))]),
    !shown.length && h("p", { class: "empty", "data-k": "nobody" }, say("cards.nobody")),
    keep && h("div", { class: "line", "data-k": "after" },
      namings(box), submit("add", { class: "b", "data-k": "add" }, say("cards.add"))),
  ];
}

const groupOf = (box, card) => !card.id ? say("cards.things") : card.set || formOf(box, card).title;

// lettered gives each row, or word, the first letter of its title, and where others begin alike, the next one that
// tells them apart.
const lettered = list => list.map(one => {
  const alike = list.filter(o => o !== one && o.title[0] === one.title[0]), last = one.title.length - 1;
  let i = 1;
  while (i < last && alike.some(o => o.title[i] === one.title[i])) i++;
  return [one.title[0].toUpperCase() + (alike.length > 0 ? one.title[i] : ""), one];
});

const MOST = 4; // letters that one can learn

function abilities(box, card) {
  const rows = formOf(box, card).rows.filter(row => row.kind === "sentence");
  return rows.length > MOST ? [] : lettered(rows);
}

function tile(box, c) {
  const values = valuesOf(box, c), lacks = isOpen(c), n = c.gaps.length;
  const words = rowsOf(box, c, values).filter(row => row.kind === "words").flatMap(row =>
    (values[row.field] ?? "").split(" ").map(word => lettered(row.words).find(([, o]) => o.value === word)));
  const says = abilities(box, c).filter(([, { field }]) =>
    values[field] ? values[field] !== "none" : c.gaps.includes(field));
  const state = say("cards.state-" + c.state);
  return h("li", { "data-k": c.about, style: { "--hue": hue(c.id || c.line) } },
    submit("open", { "data-open": c.about, class: "tile " + c.state },
      h("span", { class: "name" }, h("b", null, c.name), words.filter(Boolean).slice(0, MOST).map(([letter, o]) =>
        h("i", { class: "letter on", title: o.title }, letter))),
      sprite(c.id || c.line),
      h("span", { class: "state" },
        lacks ? h("b", null, h("i", { class: "sign-lacks", "aria-hidden": "true" }, "!"),
          n && c.state !== "wrong" ? say("cards.lacking", { n }) : state) :
          h("b", { class: c.state === "yours" ? "plate" : null }, state),
        h("span", { class: "letters" }, says.map(([letter, row]) => h("i", {
          class: "letter " + (values[row.field] ? "known" : "lacks"), title: row.title,
        }, letter))))));
}

// versions draws the old versions of the owner's file, each with what the change after it did.
function versions({ workshop: w, live, lang }) {
  const { history, box, back, card, names } = w, keep = live?.rights.keep;
  return [
    h("div", { class: "line", "data-k": "buttons" },
      keep && submit("undo", { class: "quiet", "data-k": "undo" }, say(back ? "cards.undo-more" : "cards.undo")),
      submit("history", { class: "quiet", "aria-expanded": String(history !== null), "data-k": "history" },
        say("cards.history"))),
    w.said && !card && !names && h("p", { class: "said", "data-k": "said" }, saidOf(w)),
    history && h("section", { id: "history", "data-k": "versions" },
      h("h2", { tabindex: "-1" }, say("cards.history")),
      !history.length && h("p", { class: "none" }, say("cards.no-history")),
      h("ol", null, history.map(v => version(v, box, keep, lang)))),
  ];
}

const version = (v, box, keep, lang) => h("li", { "data-k": String(v.n) },
  h("div", { class: "when" },
    h("time", null, v.time ? new Date(v.time).toLocaleString(local(lang), { dateStyle: "medium", timeStyle: "short" }) :
      say("cards.beginning")),
    keep && submit("restore", { class: "quiet", "data-n": v.n, "data-k": "restore" }, say("cards.restore"))),
  v.changes.map(c => h("div", { class: "changed", "data-k": c.card },
    h("b", null, nameOf(box, c.card)),
    c.removed.map(line => h("del", null, line)), c.added.map(line => h("ins", null, line)))));

// tagged draws what became of the tag that was laid down last.
function tagged({ workshop: w, live }) {
  const { tag, card } = w;
  if (!tag || !live?.rights.keep) return null;
  const what = tag.learnt || (tag.name ? say("cards.tag-is", { card: tag.name }) :
    tag.card ? say("cards.tag-elsewhere", { card: tag.card }) : say("cards.tag-new"));
  const teaches = !tag.card && !tag.learnt && card?.next;
  return h("form", { class: "tagged", "data-k": "tagged" },
    h("p", { role: "status" }, h("b", null, what), " ", h("small", null, tag.tag)),
    tag.trouble && h("p", { class: "wrong", role: "alert" }, tag.trouble),
    !tag.card && !tag.learnt && !card && h("p", null, say("cards.tag-pick")),
    teaches && submit("teach", { class: "main", "data-k": "teach" },
      say("cards.tag-teach", { card: card.name, n: card.next.split(".").at(-1) })),
    submit("forget", { class: "quiet", "data-k": "forget" }, say("page.close")));
}

const leaving = w => h("div", {
  class: "tagged leaving", role: "alertdialog", "aria-label": say("cards.unsaved"), "data-k": "leaving",
}, h("form", null,
  h("p", null, h("b", null, say("cards.unsaved"))),
  submit(w.names ? "saveNames" : "save", { class: "main", "data-leaves": "1", "data-k": "save" }, say("cards.save")),
  submit("discard", { class: "quiet", "data-k": "discard" }, say("cards.discard")),
  submit("stay", { class: "quiet", "data-k": "stay" }, say("cards.stay"))));

// The page for the owner's cards: the list of a box beside the form of the open card.

import { h } from "../dom.js";
import { say } from "../words.js";
import { isSought } from "../workshop-lines.js";
import { hue, sprite } from "./sprite.js";
import { form } from "./workshop-form.js";
import { versions } from "./workshop-history.js";
import { names, namings } from "./workshop-names.js";
import { saidOf, submit } from "./workshop-submit.js";

export function workshop(state) {
  const { workshop: w } = state;
  if (!w?.box) return [head(state), h("p", { class: "none", role: "status", "data-k": "none" },
    w?.trouble || say("cards.loading"))];
  if (!w.box.cards.length) return [head(state), which(w.box)];
  const keep = state.live?.rights.keep;
  return [
    head(state),
    h("div", { class: "columns" + (w.card || w.names ? " opened" : ""), "data-k": "columns-" + w.box.game },
      h("div", { class: "listed", "data-k": "listed" },
        h("form", { "data-k": "list" }, submit("first", { hidden: true, "data-k": "first" }), list(w, keep)),
        h("form", { "data-k": "history" }, versions(state))),
      h("section", { id: "card", "aria-label": say("cards.card"), "data-k": "card" },
        w.card ? form(state) : w.names ? names(state) :
          h("p", { class: "none", "data-k": "pick" }, say("cards.pick")))),
    w.leaving ? leaving(w) : tagged(state),
    h("p", { class: "unseen", role: "status", "data-k": "status" }, saidOf(w)),
  ];
}

function head({ workshop: w, live, lost, lang }) {
  return [
    lost && h("p", { class: "lost", role: "status", "data-k": "lost" }, say("page.away")),
    h("header", { "data-k": "head" },
      h("h1", null, say("cards.title")),
      w?.box?.games.length > 1 && w.box.cards.length > 0 && h("select", {
        "data-act": "game", "data-k": "game", "aria-label": say("cards.game"),
      }, w.box.games.map(g =>
        h("option", { value: g.value, selected: g.value === w.box.game, "data-k": g.value }, g.title))),
      h("nav", null,
        live?.writes && h("a", { href: `/cards/labels?game=${w?.box?.game ?? ""}&lang=${lang}` }, say("cards.print")),
        w?.box?.game && h("a", { href: `/cards/share?game=${w.box.game}&lang=${lang}` }, say("cards.share")),
        h("a", { href: "/?lang=" + lang }, say("cards.table")))),
  ];
}

// which asks for the game.
const which = box => h("form", { class: "games", "data-k": "which" },
  h("h2", null, say("cards.which")), h("p", { class: "hint" }, say("cards.why")),
  box.games.map(g => submit("game", { "data-game": g.value, "data-k": g.value },
    h("span", { class: "portrait", style: { "--hue": hue(g.value) } }, sprite(g.value)), g.title)));

const states = ["missing", "stand-in", "wrong", "known", "yours", "no-tag"];

const isIn = (filter, card) => filter === "all" || card.state === filter ||
  filter === "no-tag" && card.copies > 0 && card.taught < card.copies;

function list(w, keep) {
  const { box, sought, filter } = w, cards = box.cards.filter(c => isSought(sought, c));
  const shown = cards.filter(c => isIn(filter, c)), groups = new Map();
  for (const c of shown) groups.set(groupOf(box, c), [...(groups.get(groupOf(box, c)) ?? []), c]);
  const counted = say("cards.progress", { n: box.known, of: box.of });
  const count = name => cards.filter(c => isIn(name, c)).length;
  const chip = (name, text, n) => submit("filter", {
    class: "chip " + name, "data-filter": name, "data-k": name, "aria-pressed": String(name === filter),
  }, text, h("b", null, n));
  return [
    h("div", { class: "progress", "data-k": "progress" },
      h("p", null, h("b", null, counted), " ", box.title),
      h("progress", { value: box.known, max: box.of, "aria-label": counted }),
      keep && namings(box)),
    h("input", {
      type: "search", "data-act": "seek", "data-k": "seek", placeholder: say("cards.seek"),
      "aria-label": say("cards.seek"), autocomplete: "off", autocapitalize: "off", spellcheck: "false",
      enterkeyhint: "search",
    }),
    h("div", { class: "chips", role: "group", "aria-label": say("cards.filter"), "data-k": "chips" },
      chip("all", say("cards.all"), cards.length),
      states.map(name => count(name) > 0 && chip(name, say("cards.state-" + name), count(name)))),
    [...groups].map(([title, group]) => [
      groups.size > 1 && h("h2", { "data-k": "h-" + title }, title),
      h("ul", { class: "box", "data-k": "g-" + title }, group.map(c => row(w, c)))]),
    !shown.length && h("p", { class: "none", "data-k": "nobody" }, say("cards.nobody")),
    keep && h("div", { class: "after", "data-k": "after" },
      submit("add", { class: "quiet", "data-k": "add" }, say("cards.add"))),
  ];
}

// groupOf returns under what a card is listed: its box, or what its lines begin with.
const groupOf = (box, card) =>
  !card.id ? say("cards.things") : card.set || box.forms.find(f => f.line === card.line).title;

const row = (w, c) => h("li", { "data-k": c.about, style: { "--hue": hue(c.id || c.line) } },
  submit("open", { "data-open": c.about, class: c.state, "aria-current": w.card?.about === c.about ? "true" : null },
    h("span", { class: "portrait" }, sprite(c.id || c.line)),
    h("span", { class: "what" }, h("b", null, c.name), c.says.length > 0 && h("small", null, c.says.join(" · "))),
    h("span", { class: "state" }, say("cards.state-" + c.state))));

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

// leaving asks what becomes of what is typed.
const leaving = w => h("div", {
  class: "tagged leaving", role: "alertdialog", "aria-label": say("cards.unsaved"), "data-k": "leaving",
}, h("form", null,
  h("p", null, h("b", null, say("cards.unsaved"))),
  submit(w.names ? "saveNames" : "save", { class: "main", "data-leaves": "1", "data-k": "save" }, say("cards.save")),
  submit("discard", { class: "quiet", "data-k": "discard" }, say("cards.discard")),
  submit("stay", { class: "quiet", "data-k": "stay" }, say("cards.stay"))));

// Sharing an owner's file: download, upload, and what differs.

import { h } from "../dom.js";
import { keeps } from "../store.js";
import { say } from "../words.js";

// exchange draws the part without its title.
export function exchange({ exchange: x }) {
  if (!x) return null;
  if (!x.game) return which(x.games);
  const file = (end, all = "") => h("a",
    { class: "b", href: `/api/cards/${x.game}.${end}${all}`, download: `${x.game}.${end}` }, say("exchange." + end));
  return [
    h("section", { class: "box", "data-k": "give" },
      h("h2", null, say("exchange.give")),
      h("p", null, say("exchange.shared")),
      h("div", { class: "line" }, file("txt"), file("csv", "?all"))),
    keeps() && h("section", { class: "box", "data-k": "take" },
      h("h2", null, say("exchange.take")),
      h("p", null, say("exchange.add-how")),
      h("label", { class: "upload" }, h("span", { class: x.theirs ? "b" : "b main" }, say("exchange.add")),
        h("input", { type: "file", "data-act": "take", accept: ".txt,.csv,.journal,text/plain,text/csv" })),
      news(x)),
  ];
}

const which = games => h("ul", { class: "line" }, games.map(g =>
  h("li", null, h("a", { class: "b", href: "?game=" + encodeURIComponent(g.value) }, g.title))));

const titlesOf = (x, cards) => cards.map(card => x.titles[card] ?? card).join(", ");

function news(x) {
  if (x.trouble) return [h("p", { class: "trouble", role: "alert" }, x.trouble), problems(x)];
  if (!x.theirs) return x.said && h("p", { role: "status" }, x.said);
  const open = x.differences.filter(d => !x.decide[d.key]).length;
  return h("form", { class: "merge", method: "dialog", "data-k": x.theirs.name },
    h("h3", null, x.theirs.name),
    x.added.length > 0 && h("p", null, say("exchange.added", { n: x.added.length }), " ",
      titlesOf(x, x.added)),
    x.completed.length > 0 && h("p", null, say("exchange.completed", { n: x.completed.length }), " ",
      titlesOf(x, x.completed)),
    x.differences.length > 0 && [
      h("p", null, say("exchange.differ", { n: x.differences.length })),
      h("div", { class: "line" },
        act("mine", {}, say("exchange.all-mine")), act("theirs", {}, say("exchange.all-theirs"))),
      x.differences.map(d => difference(x, d))],
    !x.added.length && !x.completed.length && !x.differences.length && h("p", null, say("exchange.nothing")),
    h("div", { class: "line" },
      act("join", { class: "b main", disabled: open > 0 || x.busy },
        open ? say("exchange.open", { n: open }) : say("page.ok")),
      act("cancel", {}, say("page.close"))));
}

const act = (name, more, text) =>
  h("button", { type: "submit", class: "b", "data-act": name, ...more }, text);

function difference(x, d) {
  const side = (name, lines) => act("decide",
    { "data-of": d.key, "data-choice": name, "aria-pressed": String(x.decide[d.key] === name) },
    [h("b", null, say("exchange." + name)), lines.map(l => h("span", null, valueOf(d, l)))]);
  return h("div", { class: "difference", "data-k": d.key },
    h("h4", null, titlesOf(x, [d.card]), d.field && " · " + d.field), side("mine", d.mine), side("theirs", d.theirs));
}

// valueOf returns what a statement such as "card krunk freeze 2" says behind the name of its field, or of its card.
const valueOf = (d, line) => line.split(/\s+/).slice(/^(board|box) /.test(line) ? 2 : d.field ? 3 : 2).join(" ");

const problems = x => h("ul", null, (x.problems ?? []).slice(0, 20).map(p =>
  h("li", { "data-k": p.line + p.text }, say("exchange.line", { n: p.line }), " ", p.text)));

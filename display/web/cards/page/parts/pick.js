// An ability of a card, as it is picked from the rows that the table offers.

import { h } from "../dom.js";
import { say } from "../words.js";
import { offers, printedIn } from "../workshop-lines.js";
import { submit } from "./workshop-submit.js";

// ability draws one: a line, or all of it where it is open.
export function ability({ w, row, value, keep }, wrong) {
  const p = w.picking?.field === row.field ? w.picking : null, words = printedIn(value);
  const gap = w.card.gaps.includes(row.field) && !value;
  const text = words !== null ? "“" + words + "”" : value === "none" ? "" : value;
  return h("div", { class: "ability" + (p ? " open" : ""), "data-k": row.field },
    submit("ability", { class: "of", "data-field": row.field, "aria-expanded": String(!!p), "data-k": "of" },
      h("b", null, row.title),
      h("span", { class: text ? null : "none" },
        text || (gap ? say("cards.state-missing") : say("cards.says-nothing"))),
      gap && h("i", { class: "sign-lacks", "aria-hidden": "true" }, "!")),
    p?.shown && opened(w, p, row, value, keep),
    wrong);
}

function opened(w, p, row, value, keep) {
  const { shown } = p, words = printedIn(value) ?? (shown.unread ? value : null), byHand = words !== null || p.hand;
  return h("div", { class: "picked", "data-k": "picked" },
    shown.lines.length > 0 && h("div", { class: "reads", "data-k": "reads" },
      h("p", { class: "cap" }, say("cards.reads")), sentence(shown, p.line)),
    byHand && [
      h("textarea", {
        rows: 2, "data-value": words ?? "", "data-act": "handWords", "data-field": row.field, readonly: !keep,
        "aria-label": row.title, maxlength: 400, "data-k": "words" + w.card.about,
      }, words ?? ""),
      h("p", { class: "hint", "data-k": "by-hand" }, say("cards.text")),
    ],
    p.clauses.length > 0 && onCard(shown, p, keep),
    h("ol", { class: "effects", "data-k": "effects" }, shown.lines.map((one, n) => effect(one, n, w, keep))),
    keep && (p.adding ? picker(w, p, row, value) : h("div", { class: "line", "data-k": "adding" },
      !shown.full && submit("addEffect", { class: "b adds", "data-k": "add" }, "+ ", say("cards.add-effect")),
      !shown.lines.length && !byHand && nothing(row, value))));
}

// onCard draws what is printed, with the words marked that no effect has, and effects that may mean
// the others. None of them is taken without a press.
const onCard = ({ said, tree }, p, keep) => h("div", { class: "on-card", "data-k": "on-card" },
  h("p", { class: "cap" }, say("cards.on-card")),
  h("p", { class: "printed" }, p.clauses.map(c => c.words.map(w => [h(w.unread ? "u" : "span", null, w.text), " "]))),
  h("div", { class: "offers" }, keep && p.clauses.flatMap(c => c.says).map(says => {
    const has = tree && Object.values(said).some(sentence => sentence.includes(says));
    return submit("takeEffect", { class: "offer", "data-words": says, disabled: has, "data-k": says },
      has ? "✓ " : "+ ", says);
  })));

const nothing = (row, value) => [
  submit("byHand", { class: "b", "data-k": "hand" }, say("cards.hand")),
  submit("choose", {
    class: "b", "data-field": row.field, "data-choice": "none", "aria-pressed": String(value === "none"),
    "data-k": "none",
  }, say("cards.none")),
];

const sentence = ({ words }, line) => h("p", { class: "sentence", "aria-live": "polite" },
  words.length ? words.map(w => [w.text[0] === " " && " ", h("span", {
    class: (w.at ? "slot" : w.join ? "joins" : "") + (w.line === line ? " now" : ""),
  }, w.text.trim())]) : say("cards.says-nothing"));

const effect = (one, n, { box, picking: p }, keep) => h("li", {
  class: (one.hangs ? "hangs" : "") + (n === p.line ? " current" : ""), "data-k": "e" + n,
},
  h("div", { class: "effect" },
    submit("openEffect", { class: "says", "data-n": n, "aria-expanded": String(n === p.line), disabled: !keep },
      (one.joints ?? []).map(joint => h("span", { class: "joint" }, joint)), h("b", null, one.says)),
    keep && submit("removeEffect", {
      class: "away", "data-n": n, "aria-label": say("cards.remove", { effect: one.says }),
    }, "×")),
  keep && n === p.line && h("div", { class: "setting" },
    (one.slots ?? []).map(s => slot(s, box)),
    h("div", { class: "joining", "data-k": "joins" },
      h("span", { class: "of" }, say("cards.joined")), (one.joins ?? []).map(s => slot(s, box))),
    h("div", { class: "line", "data-k": "moves" },
      p.shown.lines.length > 1 && [-1, 1].map(by => submit("moveEffect", { class: "b", "data-n": n, "data-by": by,
        disabled: !p.shown.lines[by < 0 ? n - 1 : n]?.later,
        "aria-label": by < 0 ? say("cards.earlier") : say("cards.later"),
        "data-k": "by" + by,
      }, by < 0 ? "↑" : "↓")),
      submit("otherEffect", { class: "b", "data-k": "other" }, say("cards.other-effect")))));

const chip = (at, on, attributes, text) => submit("slot", {
  class: "chip", "data-at": at, "aria-pressed": String(on), "data-k": text, ...attributes,
}, text);

const slot = ({ at, title, n = 0, high, card, choices, several }, box) => h("div", {
  class: "chips", role: "group", "aria-label": title ?? say("cards.joined"), "data-k": at,
},
  title && h("span", { class: "of" }, title),
  card && h("select", { class: "field", "data-act": "slot", "data-at": at, "aria-label": title, "data-k": "card" },
    [{ id: card, name: "…" }, ...box.cards.filter(c => c.id)].map(({ id, name }, i) => (!i || id !== card) &&
      h("option", { value: id, selected: !i }, i ? name : box.cards.find(c => c.id === id)?.name ?? name))),
  high ? numbers(at, n, high) : choices?.map(c => chip(at, c.on, {
    "data-row": c.row, disabled: c.off && !several, "data-k": c.row + (c.on ? "" : "+"),
  }, c.says === "…" ? say("cards.exactly") : c.says || say("cards.no-more"))));

const FEW = 4; // numbers that are one tap away

function numbers(at, n, high) {
  const step = (to, text) => chip(at, false, {
    class: "chip digit", "data-n": to, disabled: to > high, "aria-pressed": null,
  }, text);
  return [
    Array.from({ length: Math.min(FEW, high) }, (_, i) => i + 1).map(to =>
      chip(at, to === n, { class: "chip digit", "data-n": to }, String(to))),
    n > FEW && [step(n - 1, "−"), chip(at, true, { class: "chip digit", "data-n": n, "data-k": "many" }, String(n))],
    high > FEW && step(Math.max(n, FEW) + 1, "+"),
  ];
}

function picker({ box }, p, row, value) {
  const { tiles } = row, found = offers(tiles, p);
  return h("div", { class: "picker", "data-k": "picker" }, sentence(p.shown, -1),
    h("div", { class: "line", "data-k": "search" },
      h("input", {
        type: "search", form: "picked", "data-act": "seekEffect", "aria-label": say("cards.seek-effect"),
        placeholder: say("cards.seek-effect"), autocomplete: "off", autocapitalize: "off", spellcheck: "false",
        enterkeyhint: "go", value: p.sought, "data-value": p.sought, "data-k": "sought",
      }),
      submit("shutEffects", { class: "away", "aria-label": say("page.close"), "data-k": "shut" }, "×")),
    h("div", { class: "tiles", role: "group", "aria-label": say("cards.verbs"), "data-k": "tiles" }, tiles.map((t, n) =>
      submit("tile", {
        class: "chip", "data-n": n, "aria-pressed": String(!p.sought && n === p.tile), "data-k": t.title,
      }, t.title))),
    h("div", { class: "offers", "data-k": "offers" }, found.map(one =>
      submit("takeEffect", { class: "offer", "data-row": one.row, "data-k": one.row }, one.says))),
    !found.length && h("p", { class: "none", role: "status", "data-k": "no" }, say("cards.no-effect")),
    !p.shown.lines.length && h("div", { class: "line", "data-k": "nothing" }, nothing(row, value)));
}

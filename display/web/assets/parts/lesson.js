import { button, choice, h } from "../dom.js";
import { pressed, strokes } from "../keys.js";
import { plain } from "../plain.js";
import { boxes, boxOnTable, edition, unknownTag } from "../store.js";
import { say } from "../words.js";
import { hue, sprite } from "./sprite.js";

export function lesson({ dialog: l }) {
  if (l.learnt) return learnt(l);
  const is = (kind, text) => choice("dialog.kind", kind, l.kind, null, text);
  const asks = pressed(l.tag) ? "learn.which-key" : l.kind === "key" ? "learn.as-key" : "learn.which";
  return [say(asks),
    h("div", { class: "lesson", "data-k": "lesson" },
      h("div", { class: "rowed" },
        h("p", { class: "tagged" }, number(l.tag)),
        (l.game || !l.cards) && h("span", { class: "switch", role: "group", "aria-label": say("learn.is") },
          is("card", say("learn.card")), is("key", say("learn.key")))),
      l.trouble && h("p", { class: "wrong", role: "alert" }, l.trouble),
      l.kind === "card" ? cards(l) : keys())];
}

// number draws a tag's UID in pairs of digits, as other tools print it, which
// makes it easy to compare; or the name of a key.
function number(tag) {
  const key = pressed(tag), pairs = tag.match(/^([0-9a-f]{2})+$/i) ? tag.match(/../g) : [key || tag];
  return [say(key ? "learn.pressed" : "learn.tag"), " ",
    h("span", { class: "uid" }, pairs.map(pair => h("span", null, pair)))];
}

const keys = () => h("div", { class: "keyed", "data-k": "keyed" }, strokes.map(([, key]) => {
  const title = say("key." + key);
  return button("teach", { class: "plain", "data-learn": "key/" + key, "data-k": key, "data-title": title }, title);
}));

// cards draws the cards of the box by title, each with the numbers of its
// copies. The search gets no focus on touch screens, where the screen keyboard
// would hide half of the cards.
function cards(l) {
  const found = l.cards?.filter(c => fits(c, l.sought)), all = boxes(), find = say("learn.find");
  return [
    l.game && !boxOnTable() && all.length > 1 && h("label", { class: "option", "data-k": "of" },
      h("span", null, say("begin.game")),
      h("select", { "data-act": "box", "data-box": "" }, all.map(g =>
        h("option", { value: g.name, selected: g.name === l.game }, g.title + (g.edition ? ", " + edition(g) : ""))))),
    h("input", {
      type: "search", "data-act": "keep", "data-keep": "dialog.sought", "data-sought": "", "data-k": "sought",
      placeholder: find, "aria-label": find, autocomplete: "off", autocapitalize: "off", spellcheck: "false",
      enterkeyhint: "search", autofocus: !matchMedia("(pointer: coarse)").matches,
    }),
    !found ? h("p", { class: "none" }, say("begin.loading")) :
      h("ul", { class: "box", "data-k": "box" },
        found.map(c => copies(l, c)), !found.length && h("li", { class: "none" }, say("learn.none"))),
  ];
}

function copies(l, c) {
  const box = l.game.split("/")[0], many = c.copies > 4 ? " many" : "";
  const copy = (_, i) => {
    const title = say("learn.copy", { card: c.name, n: i + 1, of: c.copies });
    return button("teach", {
      "data-learn": `${box}/${c.card}.${i + 1}`, "data-k": "n" + i, "data-title": title, "aria-label": title, title,
    }, i + 1);
  };
  return h("li", { "data-k": c.card, style: { "--hue": hue(c.card) } },
    h("span", { class: "portrait" }, sprite(c.card)), h("b", null, c.name),
    h("span", { class: "copies" + many, role: "group", "aria-label": c.name },
      Array.from({ length: c.copies }, copy)));
}

function fits(card, sought) {
  const text = plain(card.name) + " " + plain(card.card);
  return plain(sought).split(/\s+/).every(word => text.includes(word));
}

function learnt(l) {
  const next = unknownTag();
  const again = (k, tag, text) => button("learn", { class: "answer", "data-tag": tag, "data-k": k }, text);
  return [l.learnt.title,
    h("div", { class: "learnt", role: "status", "data-k": "learnt" },
      h("i", { "aria-hidden": "true" }, "✓"),
      h("div", null,
        h("p", { class: "tagged" }, number(l.tag)), h("p", null, l.learnt.text))),
    h("div", { class: "answers", "data-k": "after" },
      button("close", { class: "answer", "data-close": "", "data-k": "close", autofocus: true }, say("page.close")),
      again("again", l.tag, say("learn.other")),
      next && next !== l.tag && again("next", next, say("learn.next")))];
}

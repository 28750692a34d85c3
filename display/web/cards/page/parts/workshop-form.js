// The form of a card. It is built of the rows that the table sends: see
// engine/cardfile/control.go.

import { longest } from "../cards.js";
import { h } from "../dom.js";
import { say } from "../words.js";
import { idOf, linesOf, printedIn, rowsOf, silent } from "../workshop-lines.js";
import { lines as paragraphs } from "./card.js";
import { ability } from "./pick.js";
import { hue, sprite } from "./sprite.js";
import { saidOf, submit } from "./workshop-submit.js";

export function form(state) {
  const { workshop: w, live } = state, { box, card, values } = w, keep = live?.rights.keep;
  const rows = rowsOf(box, card, values), lines = linesOf(box, card, values);
  const isMain = row => isPrint(row) || card.gaps.includes(row.field) ||
    !row.aside && (row.required || row.gap || row.kind !== "prose" && row.kind !== "flag");
  const busy = w.busy ? "true" : null; // a button that is disabled would lose the focus
  const title = ["en", "fr"].includes(state.lang) ? state.lang : "en";
  const picks = rows.some(row => row.slot), isPrint = row => picks && row.kind === "prose";
  const rank = row => row.field === title ? 0 : row.required ? 1 : row.slot ? 4 : isPrint(row) ? 3 : 2;
  const sorted = [...rows].sort((a, b) => rank(a) - rank(b));
  const further = sorted.filter(row => !isMain(row) || isOtherTitle(row, title));
  const draw = list => list.map(row => field(w, row, keep));
  return [
    h("form", { class: "card-form", novalidate: true, "data-k": "form-" + (card.about || "new") },
      keep && submit("save", { hidden: true, "data-k": "default" }),
      h("div", { class: "top", "data-k": "top" },
        submit("close", { class: "quiet", "data-k": "close" }, "‹ ", say("cards.back")),
        h("h2", { tabindex: "-1" }, titleOf(values, state.lang) || card.name || say("cards.new")),
        h("span", { class: "state " + card.state }, say("cards.state-" + card.state))),
      w.conflict && conflict(w, lines),
      h("div", { class: "rows", "data-k": "rows" }, draw(sorted.filter(row => !further.includes(row)))),
      keep && silent(box, card, values).length > 0 && h("div", { class: "chips", "data-k": "else" },
        submit("nothingElse", { class: "chip" }, say("cards.nothing-else"))),
      preview(w, state.lang), // beside the rows where there is room
      further.length > 0 && h("details", { "data-k": "further" }, h("summary", null, say("cards.further")),
        h("div", { class: "rows" }, draw(further))),
      general(w),
      card.copies > 0 && keep && teach(w),
      h("details", { "data-k": "lines" }, h("summary", null, say("cards.lines")),
        h("pre", { tabindex: "0", role: "region", "aria-label": say("cards.lines") },
          lines.map(l => l.text).join("\n") || say("cards.no-lines"))),
      keep ? h("div", { class: "foot", "data-k": "foot" },
        w.said && h("p", { class: "said" }, saidOf(w)),
        play(w, state.lang, lines),
        submit("save", { class: "plain", "aria-disabled": busy, "data-k": "save" }, say("cards.save")),
        submit("save", { class: "main", "data-next": "1", "aria-disabled": busy, "data-k": "next" },
          say("cards.save-next"))) :
        [play(w, state.lang, lines), h("p", { class: "none", "data-k": "may-not" }, say("cards.may-not"))]),
  ];
}

const isOtherTitle = (row, title) => row.kind === "quoted" && row.field !== title;

const titleOf = (values, lang) => values[lang] || values.en || values.fr;

// preview draws the card as it lies in a hand, with what the table understands, and on the
// e-paper of a table.
function preview({ card, values, preview: p, paper, problems }, lang) {
  const id = card.id || idOf(card, values) || "new", does = (p?.says ?? []).join("\n");
  const byHand = Object.values(values).some(v => printedIn(v) !== null);
  if (!card.id && !card.fresh) return null;
  const title = titleOf(values, lang) || p?.name || card.name || "…";
  return h("figure", { class: "preview" + (problems.length ? " stale" : ""), "data-k": "preview" },
    h("div", { class: "card told", style: { "--hue": hue(id), "--letters": does.length } },
      sprite(id), h("span", { class: "name", style: { "--longest": longest(title) } }, title),
      does && paragraphs(does)),
    h("figcaption", null, isHanded(card) && say("cards.preview"), byHand && h("em", null, say("cards.by-hand"))),
    paper && [
      h("img", { class: "paper", src: paper, alt: say("cards.on-paper"), width: 400, height: 300, "data-k": "paper" }),
      h("p", { class: "on-paper", "data-k": "on-paper" }, say("cards.on-paper")),
    ]);
}

// isHanded reports whether a card comes to a hand, which a boss never does.
const isHanded = card => card.line === "card";

// play leads to where the card can be tried, as the form describes it.
function play({ box, card, values, problems }, lang, lines) {
  const id = card.id || idOf(card, values), query = new URLSearchParams({ game: box.game, card: id, lang });
  return id && isHanded(card) && !problems.length && h("a", {
    class: "b play", href: `/cards/play?${query}#${encodeURIComponent(lines.map(l => l.text).join("\n"))}`,
    target: "_blank", "data-k": "play",
  }, "▶ ", say("cards.play"));
}

const conflict = ({ conflict: c }, lines) => h("div", { class: "conflict", role: "alert", "data-k": "conflict" },
  h("p", null, h("b", null, say("cards.conflict"))),
  h("div", { class: "both" },
    side("mine", say("cards.mine"), lines.map(l => l.text), say("cards.keep-mine")),
    side("theirs", say("cards.theirs"), c.theirs, say("cards.keep-theirs"))));

const side = (act, title, lines, text) => h("div", null, h("h3", null, title),
  h("pre", null, lines.join("\n") || "–"), submit(act, { "data-k": act }, text));

function general({ problems }) {
  const list = problems.filter(p => !p.field);
  return list.length > 0 && h("ul", { class: "wrong", "data-k": "wrong" }, list.map(p => h("li", null, p.text)));
}

const teach = ({ card, teaching: on }) => h("div", { class: "teach", "data-k": "teach" },
  h("span", null, say("cards.taught", { n: card.taught, of: card.copies })),
  card.next && h("label", { class: "check" },
    h("input", { type: "checkbox", "data-act": "teaching", checked: !!on }), h("span", null, say("cards.teaching"))));

// --- fields -------------------------------------------------------------------

function field(w, row, keep) {
  const { card, values, problems } = w, value = values[row.field] ?? "", id = "f-" + row.field.replace(" ", "-");
  const draw = controls[row.kind] ?? controls.plain, made = card.stand_in[row.field];
  const is = { row, value, id, keep, w };
  const wrong = problems.map((p, n) => ({ ...p, n })).filter(p => p.field === row.field);
  if (row.slot) return ability(is, wrong.map(p => mistake(row, p)));
  return h("div", { class: "field " + (row.kind ?? "plain") + (wrong.length ? " bad" : ""), "data-k": row.field },
    h("label", { for: draw.group ? null : id, id: id + "-name" }, row.title,
      card.gaps.includes(row.field) && !value && h("span", { class: "gap" }, say("cards.state-missing"))),
    draw(is),
    wrong.map(p => mistake(row, p)),
    made && !value && h("p", { class: "hint" },
      say("cards.made-up", { text: row.words?.find(o => o.value === made)?.title ?? made })));
}

const mistake = (row, p) => h("div", { class: "mistake", role: "alert", "data-k": "wrong" + p.n },
  h("p", null, p.text),
  row.kind === "sentence" && !row.slot && submit("keep", {
    class: "chip", "data-field": row.field, "data-keeps": row.keeps ? "1" : "",
  }, say("cards.keep-text")));

const chip = ({ row, keep }, act, pressed, attributes, ...inside) => submit(act, {
  class: "chip", "aria-pressed": String(pressed), "data-field": row.field, disabled: !keep, ...attributes,
}, ...inside);

const typed = ({ row, value, id, keep, w }, more) => h("input", {
  type: "text", id, value, "data-value": value, "data-act": "enter", "data-field": row.field, autocomplete: "off",
  spellcheck: "false", readonly: !keep, "data-k": id + (w.card.about || "new"), ...more,
});

const span = text => h("span", null, text);

const MANY = 8; // values that are offered as buttons

const group = ({ id }, ...inside) =>
  h("div", { class: "chips", role: "group", "aria-labelledby": id + "-name" }, ...inside);

const controls = {
  plain: is => typed(is, { placeholder: is.row.example }),
  quoted: is => typed(is, { maxlength: is.row.high, autocapitalize: "words", enterkeyhint: "done" }),
  prose: is => area({ ...is, act: "print" }, is.value),

  word(is) {
    const { row, value } = is, [word, n] = value.split(" ");
    return [
      group(is, row.words.map(({ value: v, title }) => row.count ?
        chip(is, "counted", word === v, { "data-word": v, "data-k": v }, span(title)) :
        chip(is, "choose", word === v, { "data-choice": v, "data-k": v }, dot(v), span(title)))),
      row.count && word && group(is, Array.from({ length: row.count }, (_, i) => String(i + 1)).map(v =>
        chip(is, "counted", n === v, { "data-n": v, "data-k": v }, "×", v))),
    ];
  },

  words(is) {
    const { row, value, keep } = is, words = value.split(" ").filter(Boolean), { most = 1, again } = row;
    const offered = ["none", "inferred", ...row.words.map(o => o.value)];
    const others = words.filter(word => !offered.includes(word)); // from the file
    const one = o => {
      const n = words.filter(x => x === o.value).length;
      return h("span", { class: "counted", "data-k": o.value },
        chip(is, "pick", n > 0, { "data-word": o.value, "data-most": most, "data-again": again ? "1" : "" },
          dot(o.value), span(o.title), again && n > 0 && h("b", null, "×" + n)),
        again && chip(is, "less", false, { class: "chip less", "data-word": o.value, "aria-pressed": null,
          disabled: !keep || !n, "aria-label": say("cards.less", { word: o.title }) }, "−"));
    };
    return group(is, row.words.map(one), [...new Set(others)].map(word =>
      one(row.others?.find(o => o.value === word) ?? { value: word, title: word })),
      row.none && chip(is, "pick", value === "none", { "data-word": "none", "data-k": "none" },
        span(say("cards.none"))));
  },

  number(is) {
    const { row, value, id, keep } = is, low = row.low ?? 0, [n = "", , per] = value.split(" ");
    const last = Math.min(row.high, low + MANY - 1), rest = per ? " per " + per : "", more = Number(n) > last ? n : "";
    return [
      group(is, Array.from({ length: last - low + 1 }, (_, i) => String(low + i)).map(v =>
        chip(is, "choose", n === v, { class: "chip digit", "data-choice": v + rest, "data-k": v }, v)),
      row.high > last && h("input", {
        type: "number", min: low, max: row.high, id, value: more, "data-value": more, "data-act": "enter",
        "data-rest": rest, "data-field": row.field, "aria-label": row.title, placeholder: "…", readonly: !keep,
        "data-k": "more" + is.w.card.about,
      })),
      row.per && group(is, row.per.map(o => chip(is, "per", per === o.value,
        { "data-per": o.value, "data-k": o.value }, span(say("cards.per", { what: o.title }))))),
    ];
  },

  flag: is => group(is, chip(is, "choose", is.value === "yes", { "data-choice": "yes" }, say("cards.yes"))),

  sentence(is) {
    const { row, value, keep } = is, words = printedIn(value);
    if (words !== null) {
      return [area({ ...is, act: "mark" }, words),
        h("p", { class: "hint" }, say("cards.text")),
        keep && submit("read", { class: "chip", "data-field": row.field, "data-k": "read" }, say("cards.understand"))];
    }
    return area(is, value);
  },
};
for (const kind of ["word", "words", "number", "flag"]) controls[kind].group = true;

const area = ({ row, id, keep, w, act = "enter" }, words) => h("textarea", {
  id, rows: 2, "data-value": words, "data-act": act, "data-field": row.field, readonly: !keep,
  autocapitalize: "sentences", maxlength: row.high, spellcheck: "false",
  placeholder: row.kind === "sentence" && row.example,
  "data-k": id + act + (w.card.about || "new"),
}, words);

const colours = ["red", "blue", "green", "yellow", "orange", "purple", "white", "black"];
const dot = word => colours.includes(word) && h("i", { class: "dot " + word, "aria-hidden": "true" });

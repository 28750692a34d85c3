// The page for labels: what to print, and a preview of the first sheet.

import { h } from "../dom.js";
import { onlyPaper, sizes } from "../sheets.js";
import { say } from "../words.js";

const papers = [["a4", "A4"], ["letter", "US Letter"]];

export function labels({ labels: { chosen, said, trouble, busy }, lang }) {
  const ready = said && !trouble, full = { ...chosen, game: said?.game ?? chosen.game, lang };
  return [
    h("div", { class: "head", "data-k": "head" },
      h("div", null, h("h1", null, say("labels.title")), h("p", { class: "sub" }, say("labels.why")))),
    !said && trouble ? h("p", { class: "box said", role: "alert", "data-k": "trouble" }, trouble) :
    h("div", { class: "laid", "data-k": "laid" },
      h("section", { class: "box choices" },
        select("game", say("labels.game"), full.game, (said?.games ?? []).map(g => [g.value, g.title])),
        said?.sets.length > 0 && select("set", say("labels.set"), chosen.set,
          [["", say("labels.all")], ...said.sets.map(s => [s.value, s.title])]),
        h("label", { class: "check", "data-k": "missing" },
          h("input", { type: "checkbox", checked: chosen.missing === "1",
            "data-act": "pick", "data-choice": "missing" }),
          h("span", null, say("labels.missing"))),
        select("size", say("labels.size"), chosen.size, sizes.map(s => [s, say("labels.size-" + s)])),
        select("paper", say("labels.paper"), chosen.paper, papers, onlyPaper(chosen.size) !== undefined),
        h("p", { class: "said", role: "status", "data-k": "said" },
          busy && !said ? say("labels.loading") :
            trouble || say("labels.count", { n: said.labels, pages: said.pages })),
        ready && h("a", {
          class: "b main", "data-k": "print", target: "_blank", href: "/cards/print?" + new URLSearchParams(full),
        }, say("labels.print")),
        ready && h("p", { class: "hint", "data-k": "scale" },
          say(onlyPaper(chosen.size) ? "labels.scale-cut" : "labels.scale"))),
      h("figure", { class: "sheet" + (busy ? " busy" : "") },
        ready && h("img", { src: said.picture, alt: say("labels.preview") }))),
  ];
}

const select = (choice, name, value, options, disabled) => h("label", { "data-k": choice }, h("span", null, name),
  h("select", { class: "field", "data-act": "pick", "data-choice": choice, disabled }, options.map(([one, text]) =>
    h("option", { value: one, selected: one === value, "data-k": one }, text))));

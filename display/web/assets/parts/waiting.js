// The match that waits to be continued: who plays, how it stands, and since when.

import { h } from "../dom.js";
import { colours, palette, shape, shapeOf } from "../seats.js";
import { say } from "../words.js";
import { edition, sign } from "./setup.js";

export function waiting({ live, games, waiting: m, lang }) {
  if (m?.id !== live.status.continue) return null;
  const game = games?.find(g => g.name === m.game), on = { dateStyle: "medium", timeStyle: "short" };
  const facts = [
    m.round && say("page.round", { n: m.round }),
    say("waiting.moves", { n: m.inputs }),
    say("waiting.last", { when: new Date(m.last ?? m.begin).toLocaleString(lang, on) })];
  return h("section", { class: "waiting", "data-k": "waiting" },
    h("h3", null, game && sign(game), game?.title ?? m.game, game?.edition && h("small", null, edition(game))),
    h("ul", null, m.seats.map(p => player(m, p))),
    m.score?.table !== undefined && h("p", null, points(m, "table")),
    h("p", { class: "facts" }, facts.filter(Boolean).join(" · ")));
}

const player = (m, { seat, name }) =>
  h("li", { "data-k": seat, style: palette(colours[seat] ?? "#8a8f9c") },
    shape(shapeOf(seat)), h("span", null, name || say("seat." + seat)), points(m, seat));

const points = ({ score, label }, seat) =>
  score?.[seat] !== undefined && h("b", null, score[seat], " ", h("small", null, label));

// The view for a television: what people who walk past or sit four metres away
// want to know. Who is asked, the tracks, the seats with their scores, and the
// last event; between matches, how to join.

import { h } from "../dom.js";
import { palette, paletteOf, scoreFirst, seated, seatName, shape, shapesOf, winnerNames } from "../seats.js";
import { isAsked, players, proposal, state } from "../store.js";
import { label, moment, say, where } from "../words.js";
import { short, times } from "./clock.js";
import { diceRow } from "./dice.js";
import { track } from "./track.js";

// Beside the score; more would be too small to read.
const MOST = { cards: 6, counters: 3 }, IN_COLUMN = { cards: 4, counters: 1 };
const LONG = 15; // letters of a card's name
const LETTERS = 140; // of the last event, in two lines

// tv draws the view; here is the location of the page.
export function tv(state, here) {
  const { live, lost } = state;
  if (!live) return waiting(here);
  const v = live.view, clocks = v.winners.length ? [] : times(state);
  if (v.match === null) return [hears(live), idle(live, here, lost)];
  const seats = seated(v), tracks = v.tracks.filter(t => t.id !== "score");
  const dice = diceRow(v, v.dice.filter(d => d.state !== "used"));
  const own = seats.some(s => s.id === "table") ? [] : numbered(v.zones);
  return [
    hears(live),
    h("h1", { class: "unseen", "data-k": "title" }, v.title),
    h("header", { "data-k": "head" }, asked(v), round(v)),
    tracks.length > 0 && h("div", { class: "tracks", "data-k": "tracks" }, tracks.map(t => track(v, t))),
    (dice || own.length > 0) && h("div", { class: "middle", "data-k": "middle" }, dice,
      own.length > 0 && h("ul", { class: "cards" }, own.map(c => card(v, c)))),
    h("div", {
      class: "seats" + (seats.length < 3 ? " pair" : ""), "data-k": "seats",
      style: { "--columns": seats.length > 4 ? Math.ceil(seats.length / 2) : seats.length },
    }, seats.map(s => seat(v, s, seats.length > 2, clocks.find(t => t.seat === s.id)))),
    h("footer", { "data-k": "foot" }, away(live, lost) ?? next(v) ?? last(live) ??
      (ofHall(here) && h("p", { "data-k": "name" }, say("hall.table", { name: v.table })))),
  ];
}

// next draws who shall play here next.
const next = v => proposal(v) && h("p", { "data-k": "next" }, proposal(v).text);

// hears draws what the hall says, over everything.
const hears = ({ status }) => status.says && h("p", { class: "says", role: "status", "data-k": "says" }, status.says);

const ofHall = here => here.pathname.startsWith("/tables/");

// waiting draws that nothing has come from the table, or nothing yet from a table of a hall.
const waiting = here => h("section", { class: "idle", "data-k": "idle" },
  h("div", null, h("h1", null, ofHall(here) ? decodeURIComponent(here.pathname.split("/")[2]) : "Tableside"),
    h("p", null, say(ofHall(here) ? "hall.silent" : "page.away"))));

// away tells that nothing comes from the table, or nothing from a hall.
function away({ status }, lost) {
  const heard = status.heard && moment(status.heard, state.wall);
  const why = lost ? say("page.away") : status.away && (heard ? say("hall.gone", { time: heard }) : say("hall.silent"));
  return why ? h("p", { class: "lost", "data-k": "lost" }, why) : null;
}

// asked draws who won, or who is asked, with the question.
function asked(v) {
  if (v.winners.length > 0) {
    const text = say(v.winners.length > 1 ? "page.winners" : "page.winner", { name: winnerNames(v) });
    const style = { ...paletteOf(v, v.winners[0]), "--letters": text.length };
    return h("p", { class: "asked won", "data-k": "won", style },
      v.winners.map(id => shape(shapesOf(v)[id])), h("b", null, text));
  }
  const [first] = v.prompts;
  if (!first) return h("p", { class: "asked", "data-k": "none" }, h("b", null, v.title));
  const sits = v.seats.some(s => s.id === first.seat);
  return h("p", { class: "asked", "data-k": "asked", style: paletteOf(v, first.seat) },
    sits && shape(shapesOf(v)[first.seat]), sits && h("b", null, seatName(v, first.seat)),
    h("span", null, first.text));
}

const round = v => v.round > 0 && h("p", { class: "round", "data-k": "round" },
  h("small", null, say("overlay.round")), h("b", null, v.round, v.rounds > 0 && h("i", null, "/" + v.rounds)));

const numbered = zones => Object.values(zones).flat()
  .filter(c => c.card !== null && Object.keys(c.counters ?? {}).length > 0);

// digits returns the length of the longest score: all have one size.
const digits = v => Math.max(2, ...v.seats.map(s => String(scoreFirst(s.counters)[0]?.[1] ?? "").length));

// seat draws a seat: its name, its score, its other counters and open cards that
// have a number. In a narrow seat the cards are below the numbers.
function seat(v, s, narrow, clock) {
  const [first, ...rest] = scoreFirst(s.counters), cards = numbered(s.zones);
  const most = narrow && cards.length > 0 ? IN_COLUMN : MOST, others = rest.slice(0, most.counters);
  const states = s.state ?? [], name = seatName(v, s.id);
  const kind = (isAsked(s.id) ? " is-asked" : "") + (v.winners.includes(s.id) ? " won" : "");
  const style = { ...palette(s.colour), "--letters": name.length + (clock ? 5 : 0) };
  return h("section", { class: "seat" + kind, "data-k": s.id, "data-seat": s.id, style },
    h("h2", null, shape(shapesOf(v)[s.id]), h("span", null, name), clock && short(clock)),
    h("div", { class: "inside" },
      first && h("p", { class: "score", style: { "--digits": digits(v) } },
        h("b", { class: "pop", "data-k": "v" + first[1] }, first[1]), h("small", null, label(v, "counter", first[0]))),
      others.length + states.length > 0 && h("dl", null,
        states.map(one => h("div", { class: "state", "data-k": one }, h("dt", null, label(v, "state", one)))),
        others.map(([name, n]) => h("div", { "data-k": name },
          h("dt", null, label(v, "counter", name)), h("dd", { class: "pop", "data-k": "v" + n }, n)))),
      cards.length > 0 && h("ul", { class: "cards" }, cards.slice(0, most.cards).map(c => card(v, c)),
        cards.length > most.cards && h("li", { class: "rest", "data-k": "rest" }, "+" + (cards.length - most.cards)))));
}

function card(v, c) {
  const [[name, n]] = Object.entries(c.counters), states = c.state ?? [], called = c.name ?? c.card;
  return h("li", { "data-k": c.card + "." + (c.copy ?? 0), class: states.map(s => "is-" + s).join(" ") },
    h("b", { title: label(v, "counter", name) }, n), h("span", { class: called.length > LONG && "long" }, called),
    states.length > 0 && h("small", null, label(v, "state", states[0])));
}

// last draws the newest event.
function last({ history, view: v }) {
  const entry = history.findLast(e => !e.undone && e.lines.length);
  return entry ? h("p", { "data-k": "e" + entry.n, style: paletteOf(v, entry.seat) },
    v.seats.some(s => s.id === entry.seat) && shape(shapesOf(v)[entry.seat]),
    h("span", null, shortened(entry.lines).join(" · "))) : null;
}

// shortened leaves out lines in the middle if not all have room: the first one says what was
// done, the last ones what came of it.
function shortened([first, ...rest]) {
  let room = LETTERS - first.length;
  const cut = rest.findLastIndex(line => (room -= line.length + 3) < 0) + 1;
  return [first, ...(cut > 0 ? ["…"] : []), ...rest.slice(cut)];
}

// idle draws how to join. The QR code holds the token: it is only for a television
// that may play itself, such as the table's own screen. Others show the address,
// from which one can watch.
function idle(live, here, lost) {
  const own = ["localhost", "127.0.0.1", "[::1]"].includes(here.hostname), code = live.writes && live.status.address;
  const [prompt] = live.view.prompts, text = prompt?.text ?? "", mate = proposal(live.view);
  if (ofHall(here) || mate) return h("section", { class: "idle", "data-k": "idle" },
    !ofHall(here) && code && h("img", { src: "/join.png", alt: say("join.code") }),
    h("div", null, live.status.seating && !lost ?
      [h("h1", { class: "names" }, players(live)), h("p", null, where(live))] :
      [h("h1", null, live.view.table), h("p", null, away(live, lost) ?? mate?.text ?? say("hall.free"))]));
  return h("section", { class: "idle", "data-k": "idle" },
    code && h("img", { src: "/join.png", alt: say("join.code") }),
    h("div", null,
      h("h1", null, "Tableside"),
      h("p", null, lost ? say("page.away") : code ? say("tv.scan") : own ? text : say("tv.open")),
      !code && !own && h("p", { class: "address" }, here.origin)));
}

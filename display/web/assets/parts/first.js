// The first page: what is played, who plays, and how a phone joins. The dialog for another
// match has the same form.

import { button, h, icon } from "../dom.js";
import { plain } from "../plain.js";
import { colours, grey, palette, shape, shapeOf } from "../seats.js";
import {
  canPlay, chosenGame, edition, family, keeps, limits, optionOf, players, presetOf, presetsFound, proposal,
  seatsFor, state, strengthOf,
} from "../store.js";
import { moment, say, says, where } from "../words.js";
import { options } from "./options.js";
import { sprite } from "./sprite.js";

const begins = v => proposal(v)?.options.find(o => o.key === "seated");

export const numbered = (n, act, attributes, text) => button(act, { class: "a", "data-number": n, ...attributes },
  h("kbd", { "aria-hidden": "true" }, n), h("span", null, text));

const other = () => keeps() && numbered(2, "open", { "data-open": "begin" }, say("menu.other"));

export function first(state) {
  const { live: { view: v, status } } = state;
  if (v.match !== null) return null;
  return [page(state, status.continue ? continuing(state) : proposal(v) && (begins(v) || !keeps()) ? proposed(state) :
    keeps() ? [proposal(v) && proposed(state), ...plan(state, phones(state))] :
      h("div", { class: "alone", "data-k": "waits" },
        h("h2", { id: "prompt" }, say("begin.wait")), h("p", null, say("begin.owner"))))];
}

export const form = state => page(state, plan(state));

const page = (state, inside) => h("div", { class: "first" + (state.plan.changing ? " changing" : ""),
  "data-part": "first", "data-k": "first" }, inside);

// plan draws the form: on a phone everything but its foot scrolls.
function plan(state, below) {
  const { live: { view: v }, games } = state, g = games && chosenGame();
  if (!g) return [h("p", { class: "alone", "data-k": "none" }, say(games ? "begin.no-games" : "begin.loading"))];
  const asked = v.match === null && !proposal(v) && v.prompts[0]?.text;
  return [
    h("div", { class: "rest", "data-k": "rest" },
      h("section", { class: "games", "data-k": "games" },
        h("h2", { id: v.match === null && !proposal(v) && "prompt" }, asked || say("begin.what")),
        [...new Set(games.map(family))].map((name, i) => {
          const editions = games.filter(g => family(g) === name);
          return isFound(editions) && tile(editions, g, i);
        })),
      state.plan.changing ? options(g, state.plan) : who(state, g),
      !state.plan.changing && below),
    h("div", { class: "foot", "data-k": "foot" }, state.plan.changing ?
      button("changing", { class: "go done", "data-k": "done" }, say("page.ok")) : foot(state, g))];
}

// isFound reports whether a game is shown while one is sought: by its title, or as it has the games that are.
const isFound = editions => editions.some(g =>
  g.presets.length > 0 || plain(g.title).includes(plain(state.plan.sought)));

const FEW = 12; // presets that are shown until one is sought, or all are

// tile draws the editions of a game. A click beside them chooses the newest for several players.
function tile(editions, chosen, i) {
  const [{ title, about }] = editions, on = editions.includes(chosen);
  const found = editions.flatMap(g => presetsFound(g).map(p => [g, p]));
  const many = editions.some(g => g.presets.length > 0), { sought, all } = state.plan;
  const shown = found.filter(([g, p], i) => sought || all || i < FEW || presetOf(g) === p);
  const main = editions.findLast(g => g.max > 1) ?? editions[0];
  return h("section", { class: "tile" + (on ? " on" : ""), "data-k": family(main), "aria-label": title },
    fan(editions[0], i),
    h("div", null,
      h("header", null, h("h3", null, title), many && search()),
      about && h("p", null, about),
      h("div", { class: "editions" + (many ? " many" : "") },
        editions.map(g => one(g, g === chosen && !presetOf(g), { class: g === main && "main" },
          h("span", null, g.presets.length > 0 ? say("preset.none") : edition(g)), seats(g))),
        shown.map(([g, p]) => one(g, g === chosen && presetOf(g) === p,
          { "data-preset": p.name, "data-k": g.name + p.name }, p.title)),
        shown.length < found.length &&
          button("allPresets", { class: "link", "data-k": "all" }, say("preset.all", { n: found.length })),
        many && !found.length && h("p", { "data-k": "none" }, say("preset.found-none")))));
}

const one = (g, pressed, attributes, ...inside) => button("game", {
  "data-game": g.name, "data-k": g.name, "aria-pressed": String(pressed), ...attributes,
}, inside);

const search = () => h("form", { "data-act": "findPreset", role: "search" },
  h("input", {
    type: "search", "data-act": "keep", "data-keep": "plan.sought", autocomplete: "off", spellcheck: "false",
    placeholder: say("preset.seek"), "aria-label": say("preset.seek"), enterkeyhint: "go",
  }));

function seats({ min, max }) {
  const one = min === max;
  return h("small", null, h("span", { "aria-hidden": "true" }, one ? min : `${min}–${max}`),
    h("span", { class: "unseen" }, one ? say("begin.players", { n: min }) : say("begin.players-range", { min, max })));
}

// fan draws three cards of the game in the tile with this number, in colours that differ from those of
// other tiles, or what a sheet without cards counts.
const fan = (g, tile) => h("span", { class: "fan", "aria-hidden": "true" }, g.cards.length ?
  g.cards.slice(0, 3).map((c, i) => h("i", { style: { "--hue": 250 + 100 * tile + 40 * i, "--i": i } }, sprite(c))) :
  ["14", "+5", "20"].map((n, i) => h("i", { class: "number", style: { "--i": i } }, n)));

function who(state, g) {
  const { live, plan, known } = state, taken = seatsFor(g);
  const free = Object.keys(colours).filter(id => !taken.includes(id));
  const offered = free.slice(0, Math.max(0, Math.min(limits(g).max, 4) - taken.length));
  return h("section", { class: "who", "data-k": "who" },
    h("h2", null, say("begin.seats"), g.max > 1 && h("small", null, say("begin.clockwise"))),
    h("form", { id: "begin", "data-act": "begin", class: "framed", novalidate: true },
      unset(live),
      h("datalist", { id: "known" }, known?.map(value => h("option", { value }))),
      h("ol", { class: "sitting" + (taken.length > 4 ? " many" : "") },
        taken.map((id, i) => seat(g, plan, id, i)), offered.map(offer)),
      h("p", { class: "others" }, h("span", null, say("begin.others")),
        free.slice(offered.length).map(id => button("place", {
          "data-place": id, "data-k": id, style: palette(colours[id]), "aria-label": adding(id), title: adding(id),
          disabled: taken.length >= limits(g).max && g.max > 1,
        }, shape(shapeOf(id))))),
      summary(g, plan)));
}

const adding = id => says(say("begin.add"), say("seat." + id));

const cpu = icon("cpu", "M7 7h10v10H7zM10 3v4m4-4v4m-4 10v4m4-4v4M3 10h4m-4 4h4m10-4h4m-4 4h4");

const strengths = () => [
  ["easy", say("begin.easy")], ["normal", say("begin.normal")], ["strong", say("begin.strong")]];

function seat(g, plan, id, i) {
  const seat = say("seat." + id), up = say("begin.up"), out = says(say("begin.remove"), seat);
  const plays = strengthOf(g, id), by = say("begin.computer");
  return h("li", { "data-k": id, style: palette(colours[id]) },
    h("span", { class: "square" }, shape(shapeOf(id))),
    plays ? h("select", {
      class: "by", "data-k": "by", "data-act": "keep", "data-keep": "plan.computer." + id, "aria-label": seat,
    }, strengths().map(([value, title]) => h("option", { value, selected: value === plays }, title))) :
      h("input", {
        "data-act": "named", "data-name": id, "data-planned": "", value: plan.names[id] ?? "", maxlength: 24,
        placeholder: seat, "aria-label": say("begin.name", { seat }), list: "known",
        autocomplete: "off", spellcheck: "false",
      }),
    g.pools.length > 0 && h("select", {
      class: "pool", "data-k": "pool", "data-act": "keep", "data-keep": "plan.pool." + id,
      "aria-label": say("begin.pool", { seat }),
    }, [{ value: "", title: say("begin.pool-any") }, ...g.pools].map(({ value, title }) =>
      h("option", { value, selected: value === (plan.pool[id] ?? "") }, title))),
    canPlay(g) && button("computer", {
      class: "small", "data-of": id, "aria-pressed": String(!!plays), "aria-label": says(by, seat), title: by,
    }, cpu),
    button("up", { class: "small", "data-up": id, "aria-label": says(up, seat), title: up, disabled: i === 0 }, "↑"),
    button("place", { class: "small", "data-place": id, "data-k": "place", "aria-label": out, title: out }, "✕"));
}

const offer = id => h("li", { class: "off", "data-k": id, style: palette(colours[id]) },
  h("span", { class: "square" }, shape(shapeOf(id))), h("span", { class: "free" }, say("seat." + id)),
  button("place", { "data-place": id, "data-k": "place", "aria-label": adding(id) }, say("begin.add")));

function summary(g, plan) {
  const now = presetOf(g), value = o => optionOf(g, o);
  const told = o => now ? value(o) !== (now.options[o.name] ?? o.default) :
    value(o) !== o.default || !o.advanced && o.values.length > 0;
  const words = o => value(o).split(",").map(v => o.values.find(p => p.value === v.trim())?.title ?? v).join(", ");
  const { first, names } = plan, starts = seatsFor(g).includes(first) &&
    says(say("begin.first"), names[first] || say("seat." + first));
  const all = [now?.title, ...g.options.filter(told).map(o => says(o.title, words(o))), starts];
  return h("p", { class: "chosen" },
    h("span", null, all.filter(Boolean).join(" · ")),
    button("changing", { class: "link", "data-on": "yes" }, say("begin.change")));
}

function unset({ view: { notices } }) {
  const fresh = notices.includes("plugged-in");
  return (fresh || notices.includes("not-set-up")) && h("p", { class: "unset", "data-k": "unset" },
    h("span", null, fresh ? say("begin.plugged-in") : say("begin.not-set-up")),
    h("a", { href: "/setup" }, say("begin.set-up")));
}

export const check = (settings, name, text) => h("label", { class: "check", "data-k": name },
  h("input", { type: "checkbox", "data-act": "setting", "data-setting": name, checked: settings[name] }), text);

function foot({ live, plan, settings }, g) {
  const playing = live.view.match !== null && live.view.winners.length === 0;
  const { min } = limits(g), few = plan.seats.length < min;
  const shows = live.show === "offered" && g.show;
  return [
    h("button", { type: "submit", form: "begin", class: "go", "data-begin": "", "data-k": "go",
      disabled: few || plan.busy || playing }, say("begin.go", { game: presetOf(g)?.title ?? g.title })),
    few && h("p", { class: "hurdle", "data-k": "few" }, say("begin.few", { n: min })),
    playing && h("p", { class: "hurdle", "data-k": "playing" }, say("begin.playing"), " ",
      button("open", { class: "link", "data-open": "abandon" }, say("menu.abandon"))),
    h("p", { class: "after", "data-k": "after" },
      check(settings, "hints", say("tour.offer")),
      shows && button("watch", { class: "link", "data-do": "start", "data-game": family(g) }, say("show.start"))),
  ];
}

function phones({ live: { status, rights, trust, reach } }) {
  if (!status.address && !reach) return null;
  const step = (...inside) => h("li", null, h("span", null, inside));
  return h("section", { class: "phones", "data-k": "phones" }, h("h2", null, say("join.phones")),
    status.address ? h("div", { class: "framed" },
      h("img", { class: "code", src: "/join.png", alt: say("join.code") }),
      h("div", null, h("b", null, say("join.how")), h("p", { class: "address" }, status.address),
        !rights.seat && button("open", { class: "link", "data-open": "codes" }, say("codes.title")),
        trust && h("a", { href: "/trust" }, say("join.warned")))) :
      h("div", { class: "framed" },
        h("span", { class: "code", "aria-hidden": "true" }, "QR"),
        h("div", null, h("b", null, say("join.alone")), h("p", null, say("join.steps"))),
        h("ol", null,
          step(say(reach.startsWith("[") ? "join.listen" : "join.start"), " ", h("code", null, reach)),
          step(say("join.scan")), step(say("join.own")))));
}

function continuing(state) {
  const { live, games } = state, m = state.waiting?.id === live.status.continue && state.waiting;
  const game = m && games?.find(g => g.name === m.game);
  return h("div", { class: "alone", "data-k": "continue" },
    h("p", { class: "eyebrow" }, say("page.unfinished")),
    h("h2", { id: "prompt" }, live.view.prompts[0]?.text || say("page.continue")),
    m && waiting(m, game),
    h("div", { class: "answers" },
      live.writes && numbered(1, "input", { class: "a primary", "data-input": "table key yes" }, say("menu.resume")),
      other()));
}

function waiting(m, game) {
  const facts = [
    m.round && say("page.round", { n: m.round }),
    say("waiting.moves", { n: m.inputs }),
    say("waiting.last", { when: moment(m.last ?? m.begin) })];
  return h("section", { class: "waiting framed", "data-k": "waiting" },
    h("h3", null, game?.title ?? m.game, game?.edition && h("small", null, edition(game))),
    h("ul", null, m.seats.map(p => h("li", { "data-k": p.seat, style: palette(colours[p.seat] ?? grey) },
      h("span", { class: "square" }, shape(shapeOf(p.seat))), h("span", null, p.name || say("seat." + p.seat)),
      points(m, p.seat)))),
    m.score?.table !== undefined && h("p", null, points(m, "table")),
    h("p", { class: "facts" }, facts.filter(Boolean).join(" · ")));
}

const points = ({ score, label }, seat) =>
  score?.[seat] !== undefined && h("b", null, score[seat], " ", h("small", null, label));

function proposed({ live }) {
  const { view: v } = live, ready = begins(v), alone = ready || !keeps();
  return h("div", { class: "proposed" + (alone ? " alone" : ""), "data-k": "proposed" },
    h("p", { class: "eyebrow" }, where(live)),
    h("h2", { id: "prompt" }, players(live)),
    !ready && !keeps() && h("p", null, say("begin.owner")),
    ready && h("div", { class: "answers" },
      live.writes && numbered(1, "input", { class: "a primary", "data-input": ready.input }, ready.text),
      other()));
}

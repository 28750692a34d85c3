// Choosing a match: game, seats, names, options. The form keeps what was
// chosen in `plan`, so that it can be drawn anew at any time.

import { h, palette, say, shape, shapeOf, store } from "./core.js";
import { app, order, render } from "./table.js";

export const colours = { red: "#d7263d", blue: "#1b6ec2", yellow: "#f2b705", green: "#1a936f", white: "#e8e6e1", black: "#3a3a44", orange: "#f46036", purple: "#7b4fb5" };

const plan = { game: "", seats: ["red", "blue"], names: JSON.parse(store.get("names") || "{}"), options: {}, first: "", pools: "", pool: {}, busy: false };

// chosen is what was clicked, else what was played last on this browser, else
// the newest edition of the first game, for as many as are seated.
export const chosen = () => {
  const games = app.games ?? [], named = name => games.find(g => g.name === name), first = games.filter(g => family(g) === family(games[0]));
  return named(plan.game) ?? named(store.get("game")) ?? first.findLast(g => g.max >= plan.seats.length) ?? first.at(-1);
};

const family = g => g.name.split("/")[0];

// seats are those that the game takes. Who is too many for it stays in the plan.
const seats = g => plan.seats.slice(0, g.max);

// starting is the page of an empty table.
export function starting(live) {
  return h("div", { class: "starting", "data-k": "starting" },
    h("p", { class: "who" }, live.view.prompts[0]?.text || say("begin.welcome")),
    h("h2", { id: "prompt" }, say("begin.title")),
    form(live));
}

export function form(live) {
  if (!app.games) return h("p", { class: "none" }, say("begin.loading"));
  const g = chosen();
  if (!g) return h("p", { class: "none" }, say("begin.no-games"));
  const few = plan.seats.length < g.min, playing = live.view.match !== null && live.view.winners.length === 0;
  return h("form", { "data-begin": "", novalidate: true },
    h("div", { class: "begin" },
      h("fieldset", { class: "games", "data-k": "games" }, h("legend", null, say("begin.game")), families().map(editions => h("div", { class: "family", "data-k": family(editions[0]), role: "group", "aria-label": editions[0].title },
        h("b", null, editions[0].title),
        h("div", { class: "editions" }, editions.map(one => h("button", { type: "button", class: "pick", "data-game": one.name, "data-k": one.name, "aria-pressed": String(one === g) },
          h("span", null, one.edition ? one.edition.replaceAll("-", " ") : one.title), h("small", null, seatsOf(one)))))))),
      h("fieldset", { class: "places", "data-k": "places" }, h("legend", null, say("begin.seats")),
        h("div", { class: "colours" }, Object.keys(colours).map(id => {
          const at = seats(g).indexOf(id);
          return h("button", { type: "button", class: "colour", "data-place": id, "data-k": id, style: palette(colours[id]), "aria-pressed": String(at >= 0), "aria-label": say("seat." + id), title: say("seat." + id) }, shape(shapeOf(id)), at >= 0 && h("b", null, at + 1));
        })),
        h("ol", { class: "names" }, seats(g).map((id, i) => h("li", { "data-k": id, style: palette(colours[id]) },
          shape(shapeOf(id)),
          h("input", { "data-name": id, "data-planned": "", value: plan.names[id] ?? "", maxlength: 24, placeholder: say("seat." + id), "aria-label": say("begin.name", { seat: say("seat." + id) }), autocomplete: "off", spellcheck: "false" }),
          g.pools.length > 0 && h("select", { "data-pool": id, "aria-label": say("begin.pool", { seat: say("seat." + id) }) }, [["", say("begin.pool-any")], ...g.pools.map(p => [p.value, p.title])].map(([v, words]) => h("option", { value: v, selected: v === (plan.pool[id] ?? "") }, words))),
          i > 0 && h("button", { type: "button", class: "up", "data-up": id, "aria-label": say("begin.up"), title: say("begin.up") }, "↑")))),
        h("p", { class: "hint" }, few ? say("begin.few", { n: g.min }) : g.max > 1 && say("begin.clockwise"))),
      options(g)),
    h("div", { class: "go", "data-k": "go" }, h("button", { type: "submit", class: "answer big", disabled: few || plan.busy || playing || !live.writes }, say("begin.go")),
      playing && h("p", { class: "hint" }, say("begin.playing")),
      !live.writes && h("p", { class: "hint" }, say("page.watching"))));
}

// families are the games with all their editions.
const families = () => [...new Set(app.games.map(family))].map(name => app.games.filter(g => family(g) === name));
const seatsOf = g => g.min === g.max ? say("begin.players", { n: g.min }) : say("begin.players-range", { min: g.min, max: g.max });

function options(g) {
  const plain = g.options.filter(o => !o.advanced), rare = g.options.filter(o => o.advanced);
  return [
    h("fieldset", { class: "options", "data-k": "options" }, h("legend", null, say("begin.options")),
      plain.map(o => option(g, o)),
      seats(g).length > 1 && pick("first", say("begin.first"), "", [...(g.finds_first ? [["", say("begin.first-open")], ["?", say("begin.first-lot")]] : [["", say("begin.first-lot")]]), ...seats(g).map(s => [s, plan.names[s] || say("seat." + s)])], plan.first)),
    (rare.length > 0 || g.pools.length > 0) && h("details", { class: "options", "data-k": "rare", "data-live-open": "" }, h("summary", null, say("begin.more")),
      rare.map(o => option(g, o)),
      // Where no seat brings cards there are no ready-made lists of them either.
      g.pools.length > 0 && h("label", { class: "option tall", "data-k": "pools" }, h("span", null, say("begin.pools")),
        h("textarea", { "data-pools": "", "data-planned": "", rows: 3, spellcheck: "false", placeholder: `${plan.seats[0] ?? "red"} ${g.cards[0]} 2` }, plan.pools), h("small", null, say("begin.pools-help")))),
  ];
}

function option(g, o) {
  const value = plan.options[g.name + " " + o.name] ?? o.default;
  if (o.list) return checks(g, o, value.split(",").map(v => v.trim()));
  if (o.values.length) return pick("option " + o.name, o.title, o.help, o.values.map(v => [v.value, v.title]), value);
  return h("label", { class: "option", "data-k": o.name }, h("span", null, o.title),
    h("input", { "data-option": o.name, "data-planned": "", value, autocomplete: "off", spellcheck: "false" }), o.help && h("small", null, o.help));
}

// Several values are boxes to check. The last one that is on stays on.
const checks = (g, o, on) => h("div", { class: "option tall", "data-k": g.name + o.name, role: "group", "aria-label": o.title }, h("span", null, o.title),
  h("span", { class: "checks" }, o.values.map(v => h("label", { class: "check", "data-k": v.value },
    h("input", { type: "checkbox", "data-check": o.name, value: v.value, checked: on.includes(v.value), disabled: on.length === 1 && on[0] === v.value }), h("span", null, v.title)))),
  o.help && h("small", null, o.help));

// A few short values are buttons, others are a list.
function pick(name, text, help, values, value) {
  const many = values.length > 4 || values.reduce((n, v) => n + v[1].length, 0) > 28 || name === "first";
  return h(many ? "label" : "div", { class: "option", "data-k": name }, h("span", null, text),
    many ? h("select", { "data-pick": name, "aria-label": text }, values.map(([v, words]) => h("option", { value: v, selected: v === value }, words)))
      : h("span", { class: "switch", role: "group", "aria-label": text }, values.map(([v, words]) => h("button", { type: "button", "data-pick": name, "data-value": v, "data-k": v, "aria-pressed": String(v === value) }, words))),
    help && h("small", null, help));
}

function set(name, value) {
  if (name === "first") plan.first = value;
  else plan.options[chosen().name + " " + name.slice("option ".length)] = value;
  render();
}

async function begin() {
  const g = chosen(), places = seats(g), setup = { game: g.name, seats: places.map(seat => ({ seat, name: (plan.names[seat] || "").trim() })), options: {} };
  for (const o of g.options) {
    const value = plan.options[g.name + " " + o.name];
    if (value !== undefined && value !== o.default) setup.options[o.name] = value;
  }
  const first = plan.first === "?" ? places[Math.floor(Math.random() * places.length)] : plan.first;
  if (places.includes(first)) setup.first = first;
  const pools = plan.pools.split("\n").map(l => l.trim().split(/\s+/)).filter(l => l.length > 1);
  setup.pools = pools.map(([seat, card, n]) => ({ seat, card, ...(n ? { n: Number(n) || 1 } : {}) }));
  for (const seat of places) {
    if (g.pools.some(p => p.value === plan.pool[seat])) setup.pools.push({ seat, card: plan.pool[seat] });
  }
  plan.busy = true;
  render();
  store.set("game", g.name); // at once: the match may begin before its answer is here
  const trouble = await order({ do: "begin", setup });
  plan.busy = false;
  if (!trouble) document.getElementById("dialog").close();
  render();
}

document.addEventListener("click", e => {
  const b = e.target.closest("[data-game], [data-place], [data-up], button[data-pick]");
  if (!b || b.disabled) return;
  const d = b.dataset;
  if (d.game) {
    plan.game = d.game;
    const g = chosen();
    if (plan.first === "?" && !g.finds_first) plan.first = "";
    for (const id of Object.keys(colours)) if (plan.seats.length < g.min && !plan.seats.includes(id)) plan.seats.push(id);
  } else if (d.place) {
    // Where all seats are taken, the last one makes way.
    const taken = seats(chosen()), others = taken.filter(id => id !== d.place);
    plan.seats = others.length < taken.length ? others : [...taken.slice(0, chosen().max - 1), d.place];
    if (!plan.seats.includes(plan.first)) plan.first = plan.first === "?" ? "?" : "";
  } else if (d.up) {
    const at = plan.seats.indexOf(d.up);
    plan.seats.splice(at - 1, 0, ...plan.seats.splice(at, 1));
  } else set(d.pick, d.value);
  render();
});
document.addEventListener("input", e => {
  const d = e.target.dataset;
  if (d.name) { plan.names[d.name] = e.target.value; store.set("names", JSON.stringify(plan.names)); }
  else if (d.option) plan.options[chosen().name + " " + d.option] = e.target.value;
  else if (d.pools !== undefined) plan.pools = e.target.value;
  else if (d.pool) plan.pool[d.pool] = e.target.value;
});
document.addEventListener("change", e => {
  if (e.target.matches("select[data-pick]")) set(e.target.dataset.pick, e.target.value);
  else if (e.target.matches("[data-check]")) {
    const boxes = [...e.target.closest(".checks").querySelectorAll("input")];
    set("option " + e.target.dataset.check, boxes.filter(b => b.checked).map(b => b.value).join(","));
  }
});
document.addEventListener("submit", e => {
  if (!e.target.matches("[data-begin]")) return;
  e.preventDefault();
  begin();
});

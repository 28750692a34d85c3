// The page where a streamer puts the overlay together.

import { h } from "../dom.js";
import { palette, seatName, shape, shapesOf } from "../seats.js";
import { scenes, wantsOf } from "../wants.js";
import { languages, say } from "../words.js";

// addressOf returns the overlay's address with these parameters. A picture goes
// behind the #: what follows is not sent to the table.
function addressOf({ logo = "", ...params }) {
  const inside = logo.startsWith("data:");
  const query = new URLSearchParams(inside || !logo ? params : { ...params, logo });
  const search = query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/");
  return "/overlay" + (search && "?" + search) + (inside ? "#" + new URLSearchParams({ logo }) : "");
}

export function editor(state) {
  const { params, shown, backdrop, said } = state.edit, address = addressOf(params);
  const preview = addressOf({ ...shown, delay: "0" }), v = state.live?.view;
  const wants = wantsOf(new URL(address, location.href));
  return [
    h("div", { class: "head", "data-k": "head" }, h("div", null, h("h1", null, say("edit.title"))),
      h("form", { class: "line slide", "aria-label": say("edit.scene") },
        ["", ...Object.keys(scenes)].map(name =>
          chip("scene", name, (params.scene ?? "") === name, name ? say("scene." + name) : say("edit.everything"))))),
    h("section", { class: "look", "data-k": "look" },
      h("div", { class: "picture on-" + backdrop },
        h("iframe", { "data-k": preview, src: preview, title: say("edit.preview") }),
        v?.match === null && h("p", { class: "plate", "data-k": "none" }, say("edit.no-match"))),
      copied("address", say("edit.address"), address, h("button", { class: "b main" }, say("edit.copy"))),
      h("p", { class: "sub", role: "status" },
        said === "copied" && say("edit.copied") + " · ", said === "selected" && say("edit.selected") + " · ",
        say("edit.paste"))),
    h("div", { class: "fields", "data-k": "fields" },
      partsOf(wants), v && [
        v.seats.length > 0 && seatsOf(v, params, wants),
        box(say("edit.tv"), copied("tv", say("edit.tv"), "/tv",
          h("a", { class: "b", href: "/tv" }, say("edit.open")), h("button", { class: "b" }, say("edit.copy-tv")))),
        h("details", { class: "box", "data-k": "more" }, h("summary", { class: "cap" }, say("edit.more")),
          series(v, wants), looks(params, wants, backdrop), logo(params, said),
          h("form", { "data-act": "reset" }, h("button", { class: "b" }, say("edit.reset")))),
      ]),
  ];
}

const copied = (id, name, path, ...buttons) => h("form", { class: "row", "data-act": "copy", "data-from": id },
  h("label", null, h("span", { class: "unseen" }, name),
    h("input", { id, class: "field", readonly: true, value: location.origin + path, "data-planned": true })), buttons);

const box = (title, ...inside) =>
  h("section", { class: "box", "data-k": title }, h("h2", { class: "cap" }, title), inside);

const chip = (param, value, pressed, text) => h("button", {
  class: "chip", "data-act": "param", "data-param": param, "data-value": value, "aria-pressed": String(pressed),
  "data-k": param + (param === "scene" ? value : ""),
}, text);

const field = (name, attributes, named = {}) => h("label", null, h("span", named, name),
  h("input", { class: "field", "data-act": "param", "data-planned": true, ...attributes }));

const select = (act, param, name, value, options) => h("label", null, h("span", null, name),
  h("select", { class: "field", "data-act": act, "data-param": param || null }, options.map(([one, text]) =>
    h("option", { value: one, selected: one === value }, text))));

const partsOf = wants => box(say("edit.parts"), h("form", { class: "line" }, [
  ["round", say("edit.round"), wants.round],
  ["track", say("edit.tracks"), wants.tracks !== false],
  ["events", say("edit.events"), wants.events],
  ["zones", say("edit.open-cards"), wants.zones !== false],
  ["dice", say("edit.dice"), wants.dice],
  ["prompt", say("edit.question"), wants.prompt],
  ["chances", say("chances.title"), wants.chances],
  ["notices", say("edit.notices"), wants.notices],
].map(([param, name, on]) => chip(param, on ? "0" : "1", on, name))));

const seatsOf = (v, params, wants) => box(say("edit.seats"), v.seats.map(s => {
  const shown = wants.seats === true || wants.seats && wants.seats.includes(s.id), name = seatName(v, s.id);
  const colour = wants.colours[s.id] ?? s.colour, own = (param, text, more) => field(text, {
    "data-param": param + "." + s.id, value: params[param + "." + s.id] ?? "", ...more,
  }, { class: "unseen" });
  return h("div", { class: "one", role: "group", "aria-label": name, "data-k": s.id, style: palette(colour) },
    h("form", { "data-act": "seat", "data-seat": s.id }, h("button", {
      class: "b", "aria-pressed": String(shown), title: say("edit.shown", { name }),
    }, shape(shapesOf(v)[s.id]))),
    own("name", say("edit.name"), { placeholder: name }),
    own("team", say("edit.team"), { placeholder: say("edit.team") }),
    own("colour", say("edit.colour"), { type: "color", value: colour }));
}));

const series = (v, wants) => h("div", { class: "pairs", "data-k": "series" },
  select("param", "best", say("edit.best"), String(wants.best || ""),
    [["", say("edit.no-series")], ...[3, 5, 7].map(n => [String(n), say("overlay.best-of", { n })])]),
  wants.best > 0 && h("form", { "data-act": "wins", "data-k": "byhand" },
    h("button", { class: "b", "aria-pressed": String(wants.wins !== null) }, say("edit.by-hand"))),
  wants.best > 0 && wants.wins && v.seats.map(s => field(say("edit.won-by", { name: seatName(v, s.id) }),
    { type: "number", min: 0, max: 9, "data-act": "wins", "data-seat": s.id, value: wants.wins[s.id] ?? 0 })));

const looks = (params, wants, backdrop) => h("div", { class: "pairs", "data-k": "looks" },
  select("param", "cards", say("edit.large-card"), wants.cards || "0",
    [["right", say("edit.right")], ["left", say("edit.left")], ["0", say("edit.never")]]),
  select("param", "position", say("edit.position"), wants.at + (wants.side === "centre" ? "" : "-" + wants.side), [
    ["bottom", say("edit.bottom")], ["bottom-left", say("edit.bottom-left")],
    ["bottom-right", say("edit.bottom-right")],
    ["top", say("edit.top")], ["top-left", say("edit.top-left")], ["top-right", say("edit.top-right")]]),
  select("param", "theme", say("edit.colours"), wants.theme,
    [["dark", say("theme.dark")], ["light", say("theme.light")]]),
  select("param", "lang", say("page.language"), params.lang ?? "",
    [["", say("edit.as-table")], ...languages.map(l => [l, say("lang." + l)])]),
  field(say("edit.size"), { type: "number", min: .25, max: 4, step: .05, "data-param": "scale", value: wants.scale }),
  field(say("edit.delay"), { type: "number", min: 0, max: 600, "data-param": "delay", value: wants.delay }),
  field(say("edit.font"), { "data-param": "font", value: wants.font, placeholder: "Go" }),
  select("backdrop", "", say("edit.backdrop"), backdrop,
    [["busy", say("edit.busy")], ["dark", say("theme.dark")], ["light", say("theme.light")]]),
  wants.delay > 0 && h("p", { class: "sub" }, say("edit.delayed", { n: wants.delay })));

function logo({ logo = "" }, said) {
  const own = logo.startsWith("data:");
  return h("div", { class: "pairs", "data-k": "logo" },
    field(say("edit.logo-address"), { type: "url", "data-param": "logo", value: own ? "" : logo,
      placeholder: "https://" }),
    field(say("edit.logo-file"), { type: "file", accept: "image/*", "data-act": "picture" }),
    own && h("form", { class: "row", "data-act": "noLogo" }, h("img", { src: logo, alt: say("edit.logo") }),
      h("button", { class: "b" }, say("edit.no-logo"))),
    h("p", { class: "sub" }, said === "no-picture" ? say("edit.no-picture") : say("edit.logo-how")));
}

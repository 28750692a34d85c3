// The page where a streamer puts the overlay together.

import { h } from "../dom.js";
import { seatName, shape, shapesOf } from "../seats.js";
import { scenes, wantsOf } from "../wants.js";
import { languages, say } from "../words.js";

// addressOf returns the overlay's address with these parameters. A picture goes
// behind the #: what follows is not sent to the table.
export function addressOf({ logo = "", ...params }) {
  const inside = logo.startsWith("data:");
  const query = new URLSearchParams(inside || !logo ? params : { ...params, logo });
  const search = query.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/");
  return "/overlay" + (search && "?" + search) + (inside ? "#" + new URLSearchParams({ logo }) : "");
}

export function editor(state) {
  const { params, shown, backdrop, said } = state.edit, address = addressOf(params);
  const preview = addressOf({ ...shown, delay: "0" });
  const wants = wantsOf(new URL(address, location.href)), v = state.live?.view;
  return [
    h("header", { "data-k": "head" },
      h("h1", { id: "title" }, say("edit.title")),
      select("language", "", say("page.language"), state.lang, languages.map(l => [l, say("lang." + l)])),
      h("a", { href: "/" }, say("edit.table"))),
    h("section", { class: "look", "data-k": "look" },
      h("div", { class: "picture on-" + backdrop },
        h("iframe", { "data-k": preview, src: preview, title: say("edit.preview") })),
      v?.match == null && h("p", { class: "hint", "data-k": "none" }, say("edit.no-match")),
      select("backdrop", "", say("edit.backdrop"), backdrop,
        [["busy", say("edit.busy")], ["dark", say("theme.dark")], ["light", say("theme.light")]]),
      h("form", { class: "address", "data-act": "copy" },
        h("label", null, h("span", null, say("edit.address")),
          h("input", { id: "address", readonly: true, value: location.origin + address, "data-planned": true })),
        h("button", { type: "submit" }, say("edit.copy"))),
      h("p", { class: "hint", role: "status" }, saying(said) || say("edit.paste"))),
    h("div", { class: "fields", "data-k": "fields" },
      scene(params), partsOf(wants), v?.seats.length > 0 && seatsOf(v, params, wants), series(v, wants),
      looks(params, wants), logo(params, said),
      h("form", { "data-act": "reset" }, h("button", { type: "submit", class: "quiet" }, say("edit.reset")))),
  ];
}

const saying = said => said === "copied" ? say("edit.copied") : said === "selected" ? say("edit.selected") : "";

const group = (title, ...inside) => h("fieldset", null, h("legend", null, title), inside);

const field = (name, attributes) =>
  h("label", null, h("span", null, name), h("input", { "data-act": "param", "data-planned": true, ...attributes }));

const check = (name, checked, attributes) =>
  h("label", { class: "check" }, h("input", { type: "checkbox", checked, ...attributes }), h("span", null, name));

const flag = (name, param, checked) =>
  check(name, checked, { "data-act": "param", "data-kind": "flag", "data-param": param });

const select = (act, param, name, value, options) => h("label", null, h("span", null, name),
  h("select", { "data-act": act, "data-param": param || null }, options.map(([one, text]) =>
    h("option", { value: one, selected: one === value }, text))));

const scene = params => group(say("edit.scene"),
  select("param", "scene", say("edit.start-with"), params.scene ?? "",
    [["", say("edit.everything")], ...Object.keys(scenes).map(name => [name, say("scene." + name)])]));

const partsOf = wants => group(say("edit.parts"),
  h("div", { class: "checks" },
    flag(say("edit.round"), "round", wants.round),
    flag(say("edit.tracks"), "track", wants.tracks !== false),
    flag(say("edit.events"), "events", wants.events),
    flag(say("edit.open-cards"), "zones", wants.zones !== false),
    flag(say("edit.dice"), "dice", wants.dice),
    flag(say("edit.question"), "prompt", wants.prompt),
    flag(say("edit.notices"), "notices", wants.notices)),
  select("param", "cards", say("edit.large-card"), wants.cards || "0",
    [["right", say("edit.right")], ["left", say("edit.left")], ["0", say("edit.never")]]));

const seatsOf = (v, params, wants) => group(say("edit.seats"), v.seats.map(s => {
  const shown = wants.seats === true || wants.seats && wants.seats.includes(s.id), name = seatName(v, s.id);
  return h("div", { class: "one", role: "group", "aria-label": name, "data-k": s.id, style: { "--seat": s.colour } },
    check([shape(shapesOf(v)[s.id]), " " + name], shown, { "data-act": "seat", "data-seat": s.id }),
    field(say("edit.name"), { "data-param": "name." + s.id, value: params["name." + s.id] ?? "", placeholder: name }),
    field(say("edit.team"), { "data-param": "team." + s.id, value: params["team." + s.id] ?? "" }),
    field(say("edit.colour"),
      { type: "color", "data-param": "colour." + s.id, value: wants.colours[s.id] ?? s.colour }));
}));

const series = (v, wants) => group(say("edit.series"),
  select("param", "best", say("edit.best"), String(wants.best || ""),
    [["", say("edit.no-series")], ...[3, 5, 7].map(n => [String(n), say("overlay.best-of", { n })])]),
  wants.best > 0 && v && check(say("edit.by-hand"), wants.wins !== null, { "data-act": "wins" }),
  wants.best > 0 && v && wants.wins && v.seats.map(s => h("label", { "data-k": "wins" + s.id },
    h("span", null, say("edit.won-by", { name: seatName(v, s.id) })),
    h("input", { type: "number", min: 0, max: 9, "data-act": "wins", "data-seat": s.id, "data-planned": true,
      value: wants.wins[s.id] ?? 0 }))));

const looks = (params, wants) => group(say("edit.look"),
  select("param", "position", say("edit.position"), wants.at + (wants.side === "centre" ? "" : "-" + wants.side), [
    ["bottom", say("edit.bottom")], ["bottom-left", say("edit.bottom-left")],
    ["bottom-right", say("edit.bottom-right")],
    ["top", say("edit.top")], ["top-left", say("edit.top-left")], ["top-right", say("edit.top-right")]]),
  select("param", "theme", say("edit.colours"), wants.theme,
    [["dark", say("theme.dark")], ["light", say("theme.light")]]),
  select("param", "lang", say("page.language"), params.lang ?? "",
    [["", say("edit.as-table")], ...languages.map(l => [l, say("lang." + l)])]),
  field(say("edit.size"), { type: "number", min: .25, max: 4, step: .05, "data-param": "scale", value: wants.scale }),
  field(say("edit.font"), { "data-param": "font", value: wants.font, placeholder: "Go" }),
  field(say("edit.delay"), { type: "number", min: 0, max: 600, "data-param": "delay", value: wants.delay }),
  wants.delay > 0 && h("p", { class: "hint" }, say("edit.delayed", { n: wants.delay })));

function logo({ logo = "" }, said) {
  const own = logo.startsWith("data:");
  return group(say("edit.logo"),
    field(say("edit.logo-address"), { type: "url", "data-param": "logo", value: own ? "" : logo,
      placeholder: "https://" }),
    h("label", null, h("span", null, say("edit.logo-file")),
      h("input", { type: "file", accept: "image/*", "data-act": "picture" })),
    own && h("form", { class: "one", "data-act": "noLogo" }, h("img", { src: logo, alt: say("edit.logo") }),
      h("button", { type: "submit", class: "quiet" }, say("edit.no-logo"))),
    h("p", { class: "hint" }, said === "no-picture" ? say("edit.no-picture") : say("edit.logo-how")));
}

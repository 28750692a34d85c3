// Forms of the page /setup for what nothing tells by itself: the panel and the strip on
// the header, and a strip on a WLED.

import { h } from "../dom.js";
import { say } from "../words.js";

const ORDERS = ["RGB", "RBG", "GRB", "GBR", "BRG", "BGR"];
const POWER = 500; // mA that a Raspberry Pi's own 5 V pins can give

// panelForm asks which panel is on the header.
export const panelForm = ({ panels }) => form("panel", say("setup.panel"), say("setup.panel-how"),
  choice("model", say("setup.model"), panels.map(p => [p, p])),
  h("label", { class: "check" }, h("input", { type: "checkbox", name: "power" }), h("span", null, say("setup.power"))));

// stripForms ask for a strip on the header, or on a WLED.
export const stripForms = ({ strips }) => [
  form("lights", say("setup.strip"), say("setup.strip-how"),
    choice("chip", say("setup.strip-kind"), strips.map(s => [s, s.toUpperCase()])),
    number("count", say("setup.leds"), 1, 1000, 60),
    number("limit", say("setup.limit"), 0, 60000, POWER),
    choice("order", say("setup.order"), [["", say("setup.order-usual")], ...ORDERS.map(o => [o, o])])),
  form("lights", say("setup.wled-strip"), "",
    h("input", { type: "hidden", name: "chip", value: "wled" }),
    h("label", { class: "wide" }, h("span", null, say("setup.wled")),
      h("input", { name: "host", class: "field", required: true, placeholder: "wled.local", autocomplete: "off" })),
    number("count", say("setup.leds"), 1, 1000, 60)),
];

const form = (act, title, how, ...fields) => h("form", { class: "box output", "data-act": act, "data-k": title },
  h("h3", null, title), how && h("p", null, how), fields,
  h("button", { type: "submit", class: "b", "aria-label": say("setup.colon", { a: title, b: say("setup.use") }) },
    say("setup.use")));

const choice = (name, label, values) => h("label", { class: name === "model" && "wide" }, h("span", null, label),
  h("select", { name, class: "field" }, values.map(([value, text]) => h("option", { value }, text))));

const number = (name, label, min, max, value) => h("label", { class: "number" }, h("span", null, label),
  h("input", { name, class: "field", type: "number", min, max, required: true, value }));

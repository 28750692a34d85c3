// What stands in place of a page that cannot be shown: why, what to do, and where else to go.

import { h } from "../dom.js";
import { say } from "../words.js";
import { pages, sign } from "./places.js";
import { sprite } from "./sprite.js";

const titled = ["401", "403", "404", "503"], busy = ["429", "500", "503"];
const statusOf = kind => kind === "nowhere" ? "404" : kind;

export const titleOf = kind => say("message." + (titled.includes(statusOf(kind)) ? statusOf(kind) : "other"));

export function message({ ofHall, bare, live }, kind, why, { pathname, href }) {
  const [, ...others] = Object.entries(pages[ofHall ? "hall" : "table"]);
  return h("div", { class: "message" },
    h("section", null,
      h("p", { class: "status", "aria-hidden": "true" },
        [...statusOf(kind)].map((digit, i) => h("i", { "data-k": i }, digit === "0" ? sprite(pathname) : digit))),
      h("h1", null, titleOf(kind)),
      h("p", null, sentence(kind, why, ofHall, pathname),
        kind === "nowhere" && live?.view.match && !live.view.winners.length && " " + say("message.goes-on")),
      h("p", { class: "line" }, busy.includes(kind) ?
        h("a", { class: "b main", href }, say("message.again")) :
        h("a", { class: "b main", href: "/" }, say(ofHall ? "message.to-tables" : "message.to-table")))),
    !bare && leads(others.map(([name, to]) => [sign(name), say("shell." + name), say("message." + name), to])));
}

function sentence(kind, why, ofHall, path) {
  if (kind === "401" && !ofHall) return say("message.scan");
  if (kind !== "nowhere") return why;
  const [before, after] = say("message.nowhere").split("{path}");
  return [before, h("code", null, path), after];
}

// leads draws what comes next, each with a sign, a name and a few words.
export const leads = list => h("div", { class: "leads" },
  list.map(([mark, name, text, href]) => h(href ? "a" : "p", { href, "data-k": name }, mark,
    h("span", null, h("b", null, name), h("small", null, text)), href && h("span", { "aria-hidden": "true" }, "›"))));

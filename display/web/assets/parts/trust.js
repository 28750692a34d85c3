// What phones ask about the certificate of the table's own, in two pictures: the
// warning of each, with the buttons to press, and how to install the certificate.

import { h } from "../dom.js";
import { say } from "../words.js";
import { leads } from "./message.js";

export const titleOf = fingerprint => say(fingerprint ? "trust.title" : "trust.none");

// trust draws the page for a host and the fingerprint of the authority, or how to have one.
export function trust({ host, protocol }, fingerprint) {
  const name = host.replace(/:\d+$/, "");
  if (!fingerprint) return none(protocol);
  return [
    h("div", { class: "head" }, h("div", null,
      h("h1", null, titleOf(fingerprint)),
      h("p", { class: "lead" }, say("trust.why")))),
    h("div", { class: "phones" },
      phone("iphone", "iPhone, iPad", " rounded", [
        h("b", null, say("trust.ios-title")),
        press(1, say("trust.ios-details")), press(2, say("trust.ios-visit")),
        h("div", { class: "notch" }),
      ], [say("trust.ios-allow"), say("trust.ios-install"), say("trust.ios-turn-on")]),
      phone("android", "Android", "", [
        lock, h("b", null, say("trust.android-title")),
        press(1, say("trust.android-advanced")), press(2, say("trust.android-go", { name })),
      ], [say("trust.android-load"), say("trust.android-search"), say("trust.android-choose")])),
    h("p", { class: "go" },
      h("a", { class: "b main", href: "https://" + host + "/" }, say("trust.open")),
      h("a", { class: "b", href: "/trust/tableside.crt" }, say("trust.load"))),
    h("section", { class: "more" },
      h("h2", null, say("trust.limits")),
      h("p", null, say("trust.only")),
      h("p", null, say("trust.compare")),
      h("p", { class: "print" }, fingerprint)),
  ];
}

const none = protocol => h("div", { class: "message" },
  h("section", null,
    h("h1", null, titleOf("")),
    h("p", null, say(protocol === "https:" ? "trust.others" : "trust.plain")),
    protocol !== "https:" && h("p", null, say("trust.gain")),
    h("p", { class: "line" }, h("a", { class: "b", href: "/" }, say("trust.back")))),
  protocol !== "https:" && leads([1, 2, 3].map(n => [h("i", { class: "step" }, n), say("trust.step-" + n),
    n === 1 ? h("code", null, '[http] tls = "own"') : say("trust.step-how-" + n)])));

const lock = h("svg", { class: "lock", viewBox: "0 0 24 24", "aria-hidden": "true" },
  h("path", { d: "M5 10h14v11H5z" }),
  h("path", { class: "bow", d: "M8 10V7a4 4 0 0 1 7.500-2" }));

const press = (n, text) => h("span", { class: "press" }, h("i", { "aria-hidden": "true" }, n), text);

const phone = (key, title, shape, screen, steps) => h("section", { class: "box kind", "data-k": key },
  h("h2", null, title),
  h("figure", { class: "phone" + shape }, h("div", { class: "screen" }, screen)),
  h("h3", null, say("trust.for-good")),
  h("ol", null, steps.map(text => h("li", { "data-k": text }, text))));

// The overlay for a video stream. The address selects what it shows; every frame
// draws it.

import { draw } from "./dom.js";
import { overlay } from "./parts/overlay.js";
import { change, drawWith, state } from "./store.js";
import { stream } from "./stream.js";
import { preferred, spoken } from "./words.js";

const query = new URLSearchParams(location.search), root = document.documentElement;

// flag reads a parameter that is on or off.
const flag = (name, otherwise) =>
  query.has(name) ? !["0", "no", "off", "none", "false"].includes(query.get(name)) : otherwise;

// list reads a parameter that is true for all, false for none, or a list of
// names.
const list = name => query.has(name) && flag(name, true) ?
  query.get(name).split(",").map(s => s.trim()).filter(Boolean) : flag(name, true);

const wants = {
  seats: list("seats"), tracks: list("track"), counters: list("counters"), zones: list("zones"),
  dice: flag("dice", true), events: flag("events", true), prompt: flag("prompt", false),
  round: flag("round", true), notices: flag("notices", true),
};

const position = (query.get("position") || "bottom").split("-");
root.dataset.theme = query.get("theme") === "light" ? "light" : "dark";
root.dataset.at = position.includes("top") ? "top" : "bottom";
root.dataset.side = position.includes("left") ? "left" : position.includes("right") ? "right" : "centre";
root.style.setProperty("--scale", Math.min(4, Math.max(.25, Number(query.get("scale")) || 1)));

drawWith(() => {
  if (!state.live) return;
  root.lang = state.lang;
  draw(document.getElementById("overlay"), overlay(state, wants));
});
change(preferred());
stream({ frame: live => change({ live, lang: spoken(live.lang) || state.lang }) });

// One's own seat on this browser, and its settings.

import { recall, remember } from "../memory.js";
import { change, state } from "../store.js";

const switches = {
  shortcuts: true, hints: true, vibrate: true, sound: true, awake: true, speech: false, chances: false,
};

export function restored() {
  const settings = { volume: Number(recall("volume") ?? .6) };
  for (const [name, on] of Object.entries(switches)) settings[name] = recall(name) ? recall(name) === "on" : on;
  return { seat: new URLSearchParams(location.search).get("seat") || "", settings };
}

// setting switches a setting on or off, or sets how loud tones and speech are, 0 to 1.
export function setting({ setting: name, value, checked }) {
  remember(name, name === "volume" ? value : checked ? "on" : "off");
  change({ settings: { ...state.settings, [name]: name === "volume" ? Number(value) : checked } });
}

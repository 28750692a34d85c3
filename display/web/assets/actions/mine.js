// One's own seat on this browser, and how it signals.

import { recall, remember } from "../memory.js";
import { change, state } from "../store.js";

// The signals that can be switched, with whether they begin on.
const switches = { vibrate: true, sound: true, awake: true, speech: false };

// restored returns the seat that the address names and the signals that this
// browser remembers.
export function restored() {
  const signals = { volume: Number(recall("volume") ?? .6) };
  for (const [name, on] of Object.entries(switches)) signals[name] = recall(name) ? recall(name) === "on" : on;
  return { seat: new URLSearchParams(location.search).get("seat") || "", signals: { ...signals, tried: 0 } };
}

// signal switches a signal on or off. Sound is heard at once.
export function signal({ signal: name, checked }) {
  remember(name, checked ? "on" : "off");
  const tried = state.signals.tried + (name === "sound" && checked ? 1 : 0);
  change({ signals: { ...state.signals, [name]: checked, tried } });
}

// volume sets how loud tones and speech are, 0 to 1, and lets the tones be heard.
export function volume({ value }) {
  remember("volume", value);
  change({ signals: { ...state.signals, volume: Number(value), tried: state.signals.tried + 1 } });
}

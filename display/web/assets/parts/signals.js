// The dialogs about one's own seat: signals, and the codes to hand round.

import { button, h } from "../dom.js";
import { colours, palette, seatName, shape, shapeOf, shapesOf } from "../seats.js";
import { chosenGame, mine, seatsFor } from "../store.js";
import { say } from "../words.js";

// signals draws the switches. Tones and vibration come when the own seat is asked.
export function signals({ live, signals: on }) {
  const check = (name, text) => h("label", { class: "check", "data-k": name },
    h("input", { type: "checkbox", "data-act": "signal", "data-signal": name, checked: on[name] }), text);
  const seat = mine(), { clock } = live.view; // it calls on pages of the whole table, too
  return [say("signals.title"),
    seat && h("p", null, say("signals.how")),
    h("div", { class: "signals" },
      (seat || clock) && check("vibrate", say("signals.vibrate")),
      (seat || clock) && check("sound", say("signals.sound")),
      seat && check("awake", say("signals.awake")),
      check("speech", say("signals.speech")),
      h("label", { class: "check" }, h("span", null, say("signals.volume")),
        h("input", { type: "range", "data-act": "volume", min: 0, max: 1, step: .1, value: on.volume })))];
}

// codes draws the QR code of each seat of the match, or of the match to begin.
export function codes({ live: { view: v }, plan }) {
  const game = chosenGame(), seats = v.match !== null ? v.seats : (game ? seatsFor(game) : plan.seats)
    .map(id => ({ id, name: plan.names[id] ?? "", colour: colours[id] }));
  const shapes = v.match !== null ? shapesOf(v) : {};
  return [say("codes.title"), h("p", null, say("codes.how")),
    h("ul", { class: "codes" }, seats.map(s => code(s, shapes[s.id] ?? shapeOf(s.id), s.name || seatName(v, s.id))))];
}

const code = (seat, sign, name) => h("li", { "data-k": seat.id, style: palette(seat.colour) },
  h("b", null, shape(sign), h("span", null, name)),
  h("img", { src: "/join.png?seat=" + encodeURIComponent(seat.id), alt: say("codes.code", { name }) }));

// entries draws what the menu has of this: codes only for those who may show all.
export function entries({ status, rights }) {
  const opens = (name, text) => button("open", { class: "plain", "data-open": name }, text);
  return [
    status.address && !rights.seat && opens("codes", say("codes.title")),
    opens("signals", say("signals.title"))];
}

// The card of a round goes by itself, and at any touch or key.

import { closeMoment } from "../actions/moments.js";
import { state } from "../store.js";

const shown = 3000; // milliseconds

let timer, timed = null; // the timer, and the moment that it is for

const isRound = () => state.moment?.name === "round";

export function follow({ moment }) {
  if (moment === timed) return;
  timed = moment;
  clearTimeout(timer);
  if (isRound()) timer = setTimeout(() => { if (state.moment === moment) closeMoment(); }, shown);
}

export function listen() {
  for (const by of ["pointerdown", "keydown"]) {
    document.addEventListener(by, e => {
      if (isRound() && !e.target.closest?.(".moment")) closeMoment();
    }, { passive: true });
  }
}

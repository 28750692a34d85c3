// The card under the pointer or the keyboard focus, at full size beside its place.

import { cardOf } from "../store.js";
import { notNow, whole } from "./card.js";

export function zoom({ live, zoom }) {
  const c = zoom && cardOf(zoom.place, zoom.card);
  return zoom ? [c && whole(live.view, c), notNow(zoom.why)] : [];
}

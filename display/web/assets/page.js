// A page of one part, which is drawn into the element of its name.

import { draw } from "./dom.js";
import { drawWith } from "./store.js";
import { say } from "./words.js";

// page draws a part whenever the state changes, and calls follow after each drawing.
// title returns the page's title.
export function page(name, title, part, follow = () => {}) {
  drawWith(state => {
    const root = document.documentElement;
    root.lang = state.lang;
    if (state.theme) root.dataset.theme = state.theme;
    document.title = title() + " · " + say("page.title");
    draw(document.getElementById(name), part(state));
    follow(state);
  });
}

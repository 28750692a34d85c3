// A page of one part, below the line that all pages have.

import { listen } from "./behave/fields.js";
import { follow as putBack } from "./behave/shell.js";
import { draw, dress } from "./dom.js";
import { shell } from "./parts/shell.js";
import { drawWith } from "./store.js";
import { say } from "./words.js";

// page draws a part whenever the state changes, and calls follow after each drawing.
// title returns the page's title; fields and forms name one of the actions.
export function page(title, part, actions = {}, follow = () => {}) {
  listen(actions);
  drawWith(state => {
    dress(state);
    document.title = title(state) + " · " + say("page.title");
    draw(document.getElementById("shell"), shell(state));
    const main = document.getElementById("page");
    main.ariaLabel = title(state);
    draw(main, part(state));
    follow(state);
    putBack(state);
  });
}

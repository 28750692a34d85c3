// The page where a streamer puts the overlay together. Every choice is a
// parameter of the overlay's address.

import { frame, lost, start } from "./actions/edit.js";
import { listen } from "./behave/fields.js";
import { page } from "./page.js";
import { editor } from "./parts/editor.js";
import { stream } from "./stream.js";
import { say } from "./words.js";

page(() => say("edit.title"), editor);
listen();
start();
stream({ frame, lost });

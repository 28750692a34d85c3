// The page on which the table's readers, keys and screens are set up. It asks the table
// once a second: what is plugged in is no part of the stream.

import { followTable } from "./actions/shell.js";
import * as actions from "./actions/wiring.js";
import { page } from "./page.js";
import { wiring } from "./parts/wiring.js";
import { say } from "./words.js";

page(() => say("setup.title"), wiring, actions);
actions.start();
followTable();

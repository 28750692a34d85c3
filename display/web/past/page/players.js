// The page with all players and their statistics.

import * as actions from "./actions/players.js";
import { followTable } from "./actions/shell.js";
import { page } from "./page.js";
import { players } from "./parts/players.js";
import { say } from "./words.js";

page(() => say("players.title"), players, actions);
actions.start(followTable());

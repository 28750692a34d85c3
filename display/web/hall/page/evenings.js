// The pages with the evenings of a hall: all of them, one, and the seat of one player.

import * as actions from "./actions/evenings.js";
import { follow } from "./behave/rotate.js";
import { page } from "./page.js";
import { evening } from "./parts/evening.js";
import { evenings } from "./parts/evenings.js";
import { seating } from "./parts/seating.js";
import { state } from "./store.js";
import { say } from "./words.js";

const parts = { all: evenings, one: evening, seat: seating };

page(() => state.evening.name || say("hall.evenings"), state => parts[state.evening.view](state), actions, follow);
actions.start();

// The form of a deal: what is entered for its points, and what they will be. It is sent as one line.

import { left } from "../parts/deal.js";
import { applies, dealForm, isBoxed, state } from "../store.js";
import { input } from "./match.js";
import { close, show, showing } from "./page.js";
import { send } from "./server.js";

// deal opens the form with what the table has of it already.
export function deal() {
  const form = dealForm(), { round } = state.live.view, values = {};
  for (const f of form?.fields ?? []) values[f.field] = f.value ?? "";
  const all = form && boxes(form, values), typing = all?.find(field => !values[field]) ?? all?.[0];
  if (form) tell(show({ name: "deal", beside: !state.narrow, form, round, values, typing }));
}

const boxes = (form, values) => form.fields.filter(f => isBoxed(f) && applies(form, values, f)).map(f => f.field);

// lineOf returns the line that enters the deal. Where others have all there is to have, a number is 0.
function lineOf({ form, round, values }) {
  const value = f => values[f.field] || (f.total && left(form, values, f) === 0 ? "0" : "");
  const given = form.fields.filter(f => value(f) && applies(form, values, f)).map(f => f.field + " " + value(f));
  return `${form.input} ${JSON.stringify(["deal " + round, ...given].join(" | "))}`;
}

function changed(values) {
  const { dialog } = state;
  showing(dialog, { values: { ...dialog.values, ...values } });
  tell(state.dialog);
}

// tell asks the table what the deal brings.
async function tell(dialog) {
  const { form, values } = dialog;
  if (!form.fields.some(f => values[f.field])) return;
  const { ok, said } = await send("/api/try", { inputs: [lineOf(dialog)] });
  if (ok && state.dialog?.id === dialog.id && state.dialog.values === values) {
    showing(state.dialog, { gains: said.gains[0], trouble: said.texts[0] });
  }
}

// dealWord chooses a word, or takes it back.
export function dealWord({ field, word }) {
  const { form, values, typing } = state.dialog, f = form.fields.find(f => f.field === field);
  changed({ [field]: values[field] === word ? isBoxed(f) ? "" : f.value ?? "" : word });
  const now = boxes(form, state.dialog.values);
  if (!now.includes(typing)) showing(state.dialog, { typing: now[0] });
}

export const dealBox = ({ field }) => showing(state.dialog, { typing: field, fresh: true });

// dealDigit types into the box that is chosen, "next" goes to the one after it.
export function dealDigit({ digit }) {
  const { form, values, typing, fresh } = state.dialog, all = boxes(form, values), now = values[typing] ?? "";
  if (digit === "next") return dealBox({ field: all[(all.indexOf(typing) + 1) % all.length] });
  const most = form.fields.find(f => f.field === typing).upto ?? 13;
  const typed = digit === "⌫" ? now.slice(0, -1) : String(Number((fresh || isNaN(now) ? "" : now) + digit));
  showing(state.dialog, { fresh: false });
  if (typed === "" || Number(typed) <= most) changed({ [typing]: typed }); // else one digit too many
}

// book enters the deal, or what is known of it so far.
export async function book() {
  const { dialog } = state;
  if (!await input({ input: lineOf(dialog) })) return;
  if (state.dialog?.id === dialog.id) close();
}

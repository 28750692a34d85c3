// The signals of this browser: a tone and a vibration when one's own seat is
// asked, speech, and a screen that stays on. Where a browser lacks one of them,
// the others work.

import { hurry } from "../parts/clock.js";
import { aloud } from "../parts/ask.js";
import { mine, state } from "../store.js";

let asked = null;  // how the own seat was asked at the last drawing; null before the first
let hurried = null; // how urgent the clock was then; null before the first
let spoken = null; // the text that was said last; null before the first
let tried = 0;     // how often the tones were tried
let audio = null;  // plays the tones
let lock = null;   // keeps the screen on; "asked" until the browser has answered

// follow signals what has changed since the last drawing.
export function follow({ live, signals, lang }) {
  const seat = mine(), now = live && seat ? askedFor(seat, live.view) : null;
  if (asked !== null && now > asked) call(signals);
  asked = now;
  const urgent = live ? hurry(live.view.clock, seat) : null;
  if (hurried !== null && urgent > hurried) call(signals, [990, 660, 990]);
  hurried = urgent;
  if (signals.tried !== tried) tones(signals.volume);
  tried = signals.tried;
  const text = live ? aloud(state) : null;
  if (text !== spoken && spoken !== null && signals.speech) speak(text, lang, signals.volume);
  spoken = signals.speech || spoken === null ? text : ""; // switched on, it says what is asked now
  stayAwake();
  if (live) name(seat, lang);
}

// askedFor returns 2 if a seat is asked first, 1 if it may answer besides another
// one, which it may always in some games, else 0.
const askedFor = (seat, { prompts }) =>
  prompts[0]?.seat === seat ? 2 : prompts.some(p => p.seat === seat && !p.may) ? 1 : 0;

export function listen() {
  document.addEventListener("visibilitychange", stayAwake);
  // A browser plays no tones before the user has touched the page.
  for (const by of ["pointerdown", "keydown"]) addEventListener(by, openAudio, { passive: true });
}

// call calls for attention, with two rising notes or others.
export function call({ vibrate, sound, volume }, pitches) {
  if (vibrate) navigator.vibrate?.([120, 80, 120]);
  if (sound) tones(volume, pitches);
}

function openAudio() {
  if (!state.signals.sound) return;
  if (!audio && window.AudioContext) audio = new AudioContext();
  if (audio?.state === "suspended") audio.resume().catch(() => {});
}

// tones plays notes, one after the other.
function tones(volume, pitches = [660, 990]) {
  openAudio();
  if (!audio || !volume) return;
  pitches.forEach((pitch, i) => {
    const note = audio.createOscillator(), loud = audio.createGain(), from = audio.currentTime + i * .14;
    note.type = "triangle";
    note.frequency.value = pitch;
    loud.gain.setValueAtTime(0, from);
    loud.gain.linearRampToValueAtTime(volume / 2, from + .015);
    loud.gain.exponentialRampToValueAtTime(.0001, from + .3);
    note.connect(loud).connect(audio.destination);
    note.start(from);
    note.stop(from + .3);
  });
}

function speak(text, lang, volume) {
  const voices = window.speechSynthesis;
  if (!voices || !text) return;
  const words = new SpeechSynthesisUtterance(text);
  Object.assign(words, { lang, volume, voice: voices.getVoices().find(v => v.lang.startsWith(lang)) ?? null });
  voices.cancel(); // what was asked before is no longer true
  voices.speak(words);
}

// stayAwake keeps the screen on while the own seat plays. The browser ends that
// when the page is hidden.
export async function stayAwake() {
  const { live, signals } = state;
  const view = live?.view; // the phone may wake before the first message
  const want = signals.awake && !!mine() && !!view?.match && !view.winners.length && !document.hidden;
  if (!want && lock?.release) lock.release().catch(() => {});
  if (!want || lock || !navigator.wakeLock) return;
  lock = "asked";
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => { lock = null; });
  } catch { lock = null; } // an empty battery, or not over HTTPS
}

const manifest = document.querySelector("link[rel=manifest]");

// name lets the page go to the home screen as that of the own seat, which is known from
// the first message on.
function name(seat, lang) {
  const to = "/manifest.webmanifest?" + new URLSearchParams({ lang, ...(seat && { seat }) });
  if (manifest.getAttribute("href") !== to) manifest.setAttribute("href", to);
}

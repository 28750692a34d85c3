// A small button at a card that answers the prompt: a click on the card answers,
// the button opens its text and the places where it may go. Fingers press long,
// and keyboards have the menu key.

const dots = document.getElementById("dots");

export function listen() {
  document.addEventListener("pointerover", e => {
    if (e.target === dots) return;
    const card = e.pointerType === "mouse" && e.target.closest(".plate.wanted[data-ids]");
    dots.hidden = !card;
    if (!card) return;
    const { ids, cards } = card.dataset, { right, top } = card.getBoundingClientRect();
    dots.dataset.ids = ids;
    if (cards) dots.dataset.cards = cards;
    else delete dots.dataset.cards;
    dots.style.left = right - dots.offsetWidth + 4 + "px";
    dots.style.top = top - 6 + "px";
  });
  document.addEventListener("scroll", () => { dots.hidden = true; }, { capture: true, passive: true });
}

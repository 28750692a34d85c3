// plain removes what people leave out when they type: capitals, accents, a full stop,
// and that a space does not break.
export const plain = text => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim().replace(/\.$/, "");

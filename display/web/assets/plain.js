// plain removes what people leave out when they type: capitals, accents, a full stop, and
// the difference between spaces.
export const plain = text => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim().replace(/\.$/, "");

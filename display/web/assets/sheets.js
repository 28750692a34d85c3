// Sizes of labels, and the only paper of those that are sold as sheets of stickers.

export const sizes = ["sleeve", "mini", "sticker", "l7160", "l7651", "5160"];
export const onlyPaper = size => ({ l7160: "a4", l7651: "a4", 5160: "letter" })[size];

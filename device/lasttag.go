package device

// A TagRead is a tag that a reader has found. Nobody but the owner may learn which card it is,
// until the table has accepted an input that came from the tag.
type TagRead struct {
	N    int    // counts the tags that were found
	Tag  string // its UID; "typed:…" for a code that was typed, "key:…" for a key
	Card string // its meaning, as ParseMeaning reads it; "" for an unknown tag
}

// LastTag returns the tag that a reader of the table found last. Before the first tag, it
// returns the zero TagRead.
func (t *Table) LastTag() TagRead {
	if last := t.lastTag.Load(); last != nil {
		return *last
	}
	return TagRead{}
}

func (t *Table) noteTag(tag string, m Meaning, known bool) {
	read := &TagRead{N: t.LastTag().N + 1, Tag: tag}
	if known {
		read.Card = m.String()
	}
	t.lastTag.Store(read)
}

package rig

// Error says what is wrong with the hardware, its files or a tape, and what
// to do where that is known.
type Error struct {
	What, Why string
	hint      string
}

func (e *Error) Error() string { return e.What + ": " + e.Why }

// Hint says what to do, "" where that is not known.
func (e *Error) Hint() string { return e.hint }

// failed returns an error that a person reads.
func failed(what, why, hint string) error { return &Error{what, why, hint} }

package rig

// Error describes what is wrong with the hardware, its files or a tape, with a
// hint where there is one.
type Error struct {
	What, Why string
	hint      string
}

func (e *Error) Error() string { return e.What + ": " + e.Why }

// Hint returns what to do, "" where unknown.
func (e *Error) Hint() string { return e.hint }

func failed(what, why, hint string) error { return &Error{what, why, hint} }

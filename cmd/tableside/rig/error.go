package rig

// Error describes what is wrong with the hardware, its files or a tape. An Error may have a
// hint.
type Error struct {
	Subject, Reason string
	hint            string
}

func (e *Error) Error() string { return e.Subject + ": " + e.Reason }

// Hint returns advice about the error, or "" if no advice is known.
func (e *Error) Hint() string { return e.hint }

func failed(what, why, hint string) error { return &Error{what, why, hint} }

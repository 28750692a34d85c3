package host

// Error describes why a table cannot run, with a hint where there is one.
type Error struct {
	What, Why string
	Hint      string // what to do; "" where unknown
	Usage     bool   // the fault is in the flags or the configuration
}

func (e *Error) Error() string { return e.What + ": " + e.Why }

// wrong is for faults of usage or configuration: it returns an Error with Usage set.
func wrong(what, why, hint string) error { return &Error{what, why, hint, true} }

// failed returns any other Error.
func failed(what, why, hint string) error { return &Error{what, why, hint, false} }

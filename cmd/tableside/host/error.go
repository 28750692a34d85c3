package host

// Error describes why a table cannot run, with a hint where there is one.
type Error struct {
	What, Why string
	Hint      string // what to do; "" where unknown
	Usage     bool   // the fault is in the flags or the configuration
}

func (e *Error) Error() string { return e.What + ": " + e.Why }

// wrong returns an Error with Usage set: the fault is in the usage or the configuration.
func wrong(what, why, hint string) error { return &Error{what, why, hint, true} }

// failed returns an Error without Usage set: the fault is in neither the usage nor the
// configuration.
func failed(what, why, hint string) error { return &Error{what, why, hint, false} }

package host

// Error describes why a table cannot run, with a hint where there is one.
type Error struct {
	What, Why string
	Hint      string // what to do; "" where unknown
	Usage     bool   // the fault is in the flags or the configuration
}

func (e *Error) Error() string { return e.What + ": " + e.Why }

// wrong returns an Error about a fault of usage or configuration, in which Usage is set.
func wrong(what, why, hint string) error { return &Error{what, why, hint, true} }

// failed returns an Error about a fault that is not one of usage or configuration.
func failed(what, why, hint string) error { return &Error{what, why, hint, false} }

package host

// Error describes why a table cannot run. An Error may have a hint.
type Error struct {
	Subject, Reason string
	Hint            string // what to do; "" where unknown
	Usage           bool   // the fault is in the flags or the configuration
}

func (e *Error) Error() string { return e.Subject + ": " + e.Reason }

// wrong returns an Error whose field Usage is set: the fault is in the usage or the
// configuration.
func wrong(subject, reason, hint string) error { return &Error{subject, reason, hint, true} }

// failed returns an Error whose field Usage is not set: the fault is in neither the usage nor
// the configuration.
func failed(subject, reason, hint string) error { return &Error{subject, reason, hint, false} }

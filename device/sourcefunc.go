package device

import "context"

// SourceFunc is a Source that is one function.
type SourceFunc func(context.Context, Emit) error

// Run implements Source.
func (s SourceFunc) Run(ctx context.Context, emit Emit) error { return s(ctx, emit) }

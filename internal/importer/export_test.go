package importer

import "context"

// Sweep runs the periodic job at once.
func (s *Service) Sweep(ctx context.Context) error { return s.sweep(ctx) }

package importer

import "context"

// Sweep runs the periodic job at once.
func (s *Service) Sweep(ctx context.Context) error { return s.sweep(ctx) }

// LeastShares is what the smallest import takes of the memory that imports share.
const LeastShares = leastShares

// ShareMemory gives imports other memory to share.
func (s *Service) ShareMemory(shares int64) { s.memory = newMemory(shares) }

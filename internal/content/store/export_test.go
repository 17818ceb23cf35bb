package store

import "context"

// Index returns the whole path index, for tests that compare it with the entries.
func (v *View) Index(ctx context.Context) (map[string]string, error) {
	index := map[string]string{}
	for item, err := range v.paths().All(ctx, v.revision.Paths) {
		if err != nil {
			return nil, err
		}
		index[item.Key] = string(item.Value)
	}
	return index, nil
}

// CollectAround is Collect with something happening after everything in use is marked and before the rest is swept.
func (s *Service) CollectAround(ctx context.Context, between func()) (CollectReport, error) {
	c := s.newCollection()
	for _, step := range []func(context.Context) error{c.purge, c.mark} {
		if err := step(ctx); err != nil {
			return c.report, err
		}
	}
	between()
	for _, step := range []func(context.Context) error{c.sweepNodes, c.sweepBodies, c.sweepBlobs, c.sweepStrays} {
		if err := step(ctx); err != nil {
			return c.report, err
		}
	}
	return c.report, nil
}

// DeleteBodies is the last step of a sweep for bodies that were found to be garbage.
func (s *Service) DeleteBodies(ctx context.Context, hashes [][]byte) (int, error) {
	return s.newCollection().deleteRows(ctx, "content_body", hashes)
}

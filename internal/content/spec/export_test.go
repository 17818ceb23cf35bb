package spec

import (
	"context"
	"encoding/json"
)

// Process runs the job of a request that put made, the generation-th of the specification.
func (s *Service) Process(ctx context.Context, specID string, generation int64) error {
	raw, err := json.Marshal(processArgs{Spec: specID, Generation: generation})
	if err != nil {
		return err
	}
	return s.process(ctx, raw)
}

// Generation is how often the specification was asked to be processed.
func (s Spec) Generation() int64 { return s.generation }

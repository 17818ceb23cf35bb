package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
)

// currentSchema is the fingerprint of the schema that this server's engines have.
func (s *Service) currentSchema(ctx context.Context) (string, error) {
	s.mutex.Lock()
	known := s.schema
	s.mutex.Unlock()
	if known != "" {
		return known, nil
	}
	engine, err := s.deps.NewEngine(ctx)
	if err != nil {
		return "", err
	}
	defer engine.Close()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.schema = engine.Schema()
	return s.schema, nil
}

// begun returns an engine with the document of a body, and its snapshot.
func (s *Service) begun(ctx context.Context, body []byte) (Engine, []byte, error) {
	document, err := edit.DocumentOf(body)
	if err != nil {
		return nil, nil, err
	}
	engine, err := s.deps.NewEngine(ctx)
	if err != nil {
		return nil, nil, err
	}
	err = engine.Load(document)
	var snapshot []byte
	if err == nil {
		snapshot, err = engine.Snapshot()
	}
	if err != nil {
		engine.Close()
		return nil, nil, err
	}
	return engine, snapshot, nil
}

// ready makes the engine have the document of the room's version.
func (r *room) ready(ctx context.Context) error {
	if r.engine != nil && r.applied == r.row.version {
		r.service.use(r)
		return nil
	}
	r.drop()
	q := r.service.deps.DB.Read()
	snapshot, version, err := snapshotOf(ctx, q, r.row.id)
	if err != nil {
		return err
	}
	engine, err := r.service.deps.NewEngine(ctx)
	if err != nil {
		return err
	}
	if err := engine.Restore(snapshot); err != nil {
		engine.Close()
		return err
	}
	r.engine, r.applied, r.snapped = engine, version, version
	r.weight, r.nodes = len(snapshot), countNodes(snapshot)
	for r.applied < r.row.version {
		batches, err := batchesFrom(ctx, q, r.row.id, r.applied)
		if err != nil {
			return err
		}
		for _, b := range batches {
			if b.end() > r.row.version {
				break
			}
			r.apply(ctx, b)
			if r.engine == nil {
				return errors.New("the steps of a live session cannot be applied again")
			}
		}
		if len(batches) == 0 {
			break
		}
	}
	if r.applied != r.row.version {
		r.drop()
		return errors.New("batches of a live session are missing")
	}
	r.service.use(r)
	return nil
}

// drop closes the engine.
func (r *room) drop() {
	if r.engine == nil {
		return
	}
	r.engine.Close()
	r.engine = nil
	s := r.service
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.loaded = slices.DeleteFunc(s.loaded, func(other *room) bool { return other == r })
}

// use notes that a room needs its engine now, and closes that of another when there are too many.
func (s *Service) use(r *room) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.loaded = append(slices.DeleteFunc(s.loaded, func(other *room) bool { return other == r }), r)
	for i := 0; len(s.loaded) > maxEngines && i < len(s.loaded)-1; {
		oldest := s.loaded[i]
		// One that is busy keeps its engine.
		select {
		case oldest.gate <- struct{}{}:
			oldest.engine.Close()
			oldest.engine = nil
			s.loaded = slices.Delete(s.loaded, i, i+1)
			<-oldest.gate
		default:
			i++
		}
	}
}

// text returns the body that the session's document means, checked as the API checks one.
func (r *room) text(ctx context.Context) ([]byte, error) {
	if err := r.ready(ctx); err != nil {
		return nil, err
	}
	document, err := r.engine.Document()
	if err != nil {
		r.drop()
		return nil, err
	}
	view, err := r.view(ctx)
	if err != nil {
		return nil, err
	}
	body, err := r.service.deps.Edits.BodyOf(ctx, view, r.key.page, document)
	if err == nil {
		r.weight, r.nodes = len(body), bytes.Count(document, []byte(`"object"`))
	}
	return body, err
}

// isHeavy reports whether the document may have come near to what a page may be.
func (r *room) isHeavy() bool {
	return r.weight > store.MaxBodySize*4/5 || r.nodes > doc.MaxNodes*4/5
}

// countNodes guesses how many nodes a piece of the editor's JSON has.
func countNodes(raw json.RawMessage) int { return bytes.Count(raw, []byte(`"type"`)) }

// snap stores a snapshot when there have been many steps since the last, or in any case.
func (r *room) snap(ctx context.Context, anyway bool) error {
	if r.engine == nil || r.applied == r.snapped || !anyway && r.applied-r.snapped < snapshotEvery {
		return nil
	}
	snapshot, err := r.engine.Snapshot()
	if err != nil {
		r.drop()
		return err
	}
	if err := putSnapshot(ctx, r.service.deps.DB.Write(), r.row.id, snapshot, r.applied); err != nil {
		return err
	}
	r.snapped = r.applied
	return nil
}

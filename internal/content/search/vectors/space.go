package vectors

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/embedding"
)

// Bounds of what is asked for the passages of a space.
const (
	// batchPassages is how many are sent at once, batchTime how long the endpoint may take for them.
	batchPassages = 32
	batchTime     = 2 * time.Minute
	// roundTime is how long one round goes on before another space has its turn.
	roundTime = 5 * time.Second
	// spare is how many vectors that nothing uses are kept without looking.
	spare = 1000
)

// Space are the vectors for one index of a space. It is safe for concurrent use, but for Work, which is called once at
// a time.
type Space struct {
	service *Service
	name    string
	// beside is nil for the vectors of live content, and those otherwise.
	beside *Space

	mu      sync.Mutex
	set     *set // nil until it was read
	tables  map[uint64]*table
	refused map[Hash]bool // texts that the endpoint does not take
	lacks   bool          // passages may be without vectors
	// checked is when passages were found that may not be sent, which may have changed since; zero for none.
	checked  time.Time
	state    uint64
	began    time.Time // when passages began to be sent that are not all there
	retries  int       // how often Retry had been called when the refused texts were sent last
	progress progress
}

// Space returns the vectors for the index of a space's live content.
func (s *Service) Space(name string) *Space {
	return &Space{service: s, name: name, tables: map[uint64]*table{}, refused: map[Hash]bool{}}
}

// Beside returns vectors for another index of the space: it uses those that are there, and sends nothing.
func (s *Space) Beside() *Space {
	live := s
	if s.beside != nil {
		live = s.beside
	}
	return &Space{service: s.service, name: s.name, beside: live, tables: map[uint64]*table{}}
}

// State changes when more or other vectors are found.
func (s *Space) State() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// Some reports whether there are vectors to compare with.
func (s *Space) Some() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.set != nil && s.set.len() > 0
}

// Wants reports whether there is work to do that the endpoint permits, for an index that has these pieces.
func (s *Space) Wants(pieces []uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, number := range pieces {
		if s.tables[number] == nil {
			return true
		}
	}
	again := !s.checked.IsZero() && time.Since(s.checked) > 2*s.service.deps.Pause
	again = again || s.retries != s.service.retried()
	return (s.lacks || again) && s.beside == nil && s.service.maySend()
}

// quickDocuments is up to how many documents of a piece are read by who searches, when nobody has before.
const quickDocuments = 200

// Nearest calls a function with each document of a piece that is allowed and has a vector.
func (s *Space) Nearest(piece Piece, query Query, allowed func(document uint32) bool, found func(Found)) error {
	s.mu.Lock()
	t, vectors := s.tables[piece.Number()], s.set
	s.mu.Unlock()
	if t == nil && vectors != nil && piece.Count() <= quickDocuments {
		var err error
		if t, err = newTable(piece, vectors); err != nil {
			return err
		}
		s.learned(piece, t)
	}
	if t != nil {
		t.scan(query.vector, allowed, found)
	}
	return nil
}

// learned keeps the table of a piece, unless it is of vectors that are no more.
func (s *Space) learned(piece Piece, t *table) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.set != s.set {
		return
	}
	s.tables[piece.Number()] = t
	s.lacks = true
	s.state++
}

// Work does a part of what there is to do for the pieces of an index, all of them, and reports whether there is more. A
// failure of the endpoint ends it and is no error: it is tried again when somebody searches after the pause.
func (s *Space) Work(ctx context.Context, pieces []Piece) (more bool, err error) {
	tables, err := s.readPieces(pieces)
	if err != nil || tables == nil || s.beside != nil {
		return false, err
	}
	s.startRound(pieces, tables)
	for end := time.Now().Add(roundTime); ; {
		if ctx.Err() != nil || !s.service.maySend() {
			return false, nil
		}
		if err := s.service.learn(ctx); err != nil {
			s.service.failed(err)
			return false, nil
		}
		batch, err := s.lacking(pieces, tables)
		if err != nil {
			return false, err
		}
		if len(batch) == 0 {
			return s.prune(pieces, tables)
		}
		if err := s.embed(ctx, batch); err != nil {
			if ctx.Err() == nil {
				s.service.failed(err)
			}
			return false, nil
		}
		s.service.answered()
		if time.Now().After(end) {
			return true, nil
		}
	}
}

// readPieces returns the tables of pieces, and makes those that are not there; those of other pieces are forgotten. It
// returns none where there are no vectors that this index could use.
func (s *Space) readPieces(pieces []Piece) (map[uint64]*table, error) {
	vectors := s.current()
	if vectors == nil && s.beside != nil {
		if vectors = s.beside.current(); vectors == nil {
			return nil, nil // they are read when somebody searches the live content
		}
	}
	if vectors == nil {
		var err error
		if vectors, err = openSet(s.service.path(s.name), s.service.deps.Embedder.Name()); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	s.set = vectors
	s.mu.Unlock()
	made := map[uint64]*table{}
	for _, piece := range pieces {
		s.mu.Lock()
		known := s.tables[piece.Number()]
		s.mu.Unlock()
		if known == nil {
			var err error
			if known, err = newTable(piece, vectors); err != nil {
				return nil, err
			}
			s.learned(piece, known)
		}
		made[piece.Number()] = known
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tables = maps.Clone(made)
	return made, nil
}

// current returns the set, nil before it was read. Work alone changes it, and reads it without s.mu.
func (s *Space) current() *set {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.set
}

// startRound counts the passages, and lets texts be sent again that were refused before Retry was called.
func (s *Space) startRound(pieces []Piece, tables map[uint64]*table) {
	now := progress{withheld: s.progress.withheld, left: s.progress.left}
	for _, piece := range pieces {
		passages, embedded := tables[piece.Number()].count(piece)
		now.passages, now.embedded = now.passages+passages, now.embedded+embedded
	}
	if retries := s.service.retried(); retries != s.retries {
		clear(s.refused)
		s.mu.Lock()
		s.retries = retries
		s.mu.Unlock()
	}
	now.refused = len(s.refused)
	s.note(now)
}

// note says how far the passages are embedded. Work alone calls it.
func (s *Space) note(now progress) {
	s.progress = now
	s.service.noteProgress(s.name, now)
}

// lacking returns the next passages to send.
func (s *Space) lacking(pieces []Piece, tables map[uint64]*table) ([]*missing, error) {
	found, withheld, refused := map[Hash]*missing{}, 0, 0
	skip := func(hash Hash) bool {
		if s.refused[hash] {
			refused++
		}
		return s.refused[hash]
	}
	for _, piece := range pieces {
		more, some, err := tables[piece.Number()].lacking(piece, found, batchPassages, skip)
		if err != nil {
			return nil, err
		}
		if withheld += some; more {
			break
		}
	}
	batch := slices.SortedFunc(maps.Values(found), func(a, b *missing) int {
		return slices.Compare(a.hash[:], b.hash[:])
	})
	now := s.progress
	if now.left = len(batch) > 0; !now.left {
		now.withheld, now.refused = withheld, refused // all were looked at
	}
	s.note(now)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lacks, s.checked = now.left, time.Time{}
	if withheld > 0 {
		s.checked = time.Now()
	}
	s.logProgress()
	return batch, nil
}

// logProgress says when passages begin to be sent, and when all are there. The caller holds s.mu.
func (s *Space) logProgress() {
	log := s.service.deps.Log.With(slog.String("space", s.name), slog.Int("vectors", s.set.len()))
	switch {
	case s.lacks && s.began.IsZero():
		s.began = time.Now()
		log.Info("embed the passages of a space")
	case !s.lacks && !s.began.IsZero():
		log.Info("the passages of a space are embedded", slog.Duration("took", time.Since(s.began)))
		s.began = time.Time{}
	}
}

// embed sends passages and keeps their vectors. Where the endpoint takes some texts and not others, these go without.
func (s *Space) embed(ctx context.Context, batch []*missing) error {
	err := s.send(ctx, batch)
	if !errs.Is(err, errs.Invalid) {
		return err
	}
	var refused []Hash
	for _, each := range batch {
		one := s.send(ctx, []*missing{each})
		switch {
		case errs.Is(one, errs.Invalid):
			refused = append(refused, each.hash)
		case one != nil:
			return one
		}
	}
	if len(refused) == len(batch) && (len(batch) > 1 || s.set.len() == 0) {
		return err // it is not these texts
	}
	s.service.deps.Log.Warn("the endpoint of embeddings does not take some passages: they are found by words alone",
		slog.String("space", s.name), slog.Int("passages", len(refused)))
	for _, hash := range refused {
		s.refused[hash] = true
	}
	return nil
}

// send asks for the vectors of passages and keeps them.
func (s *Space) send(ctx context.Context, batch []*missing) error {
	texts, hashes := make([]string, len(batch)), make([]Hash, len(batch))
	for i, each := range batch {
		texts[i], hashes[i] = each.text, each.hash
	}
	numbers, err := s.service.deps.Embedder.Embed(ctx, embedding.Passage, texts, batchTime)
	if err != nil {
		return err
	}
	made := make([]Vector, len(numbers))
	for i, each := range numbers {
		made[i] = quantised(each)
	}
	err = s.set.add(hashes, made)
	if errors.Is(err, errDimensions) {
		return s.startAnew(err)
	}
	if err != nil {
		return err
	}
	now := s.progress
	for _, each := range batch {
		each.give(s.set.row(each.hash))
		now.embedded += len(each.at)
	}
	s.note(now)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state++
	return nil
}

// startAnew forgets all vectors: the model has become another one under the same name.
func (s *Space) startAnew(why error) error {
	if err := os.RemoveAll(s.service.path(s.name)); err != nil {
		return err
	}
	s.note(progress{passages: s.progress.passages, left: true})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set, s.tables, s.lacks = nil, map[uint64]*table{}, true
	s.state++
	s.service.forget()
	return why
}

// prune forgets the vectors of passages that are nowhere, when these are most. It reports whether tables are to be made
// again.
func (s *Space) prune(pieces []Piece, tables map[uint64]*table) (again bool, err error) {
	if s.set.len() <= spare {
		return false, nil
	}
	used := map[int32]bool{}
	for _, piece := range pieces {
		tables[piece.Number()].use(piece, used)
	}
	if s.set.len() <= 2*len(used)+spare {
		return false, nil
	}
	left, err := s.set.without(used)
	if err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.set, s.tables = left, map[uint64]*table{}
	s.state++
	return true, nil
}

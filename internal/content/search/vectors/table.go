package vectors

import "sync/atomic"

// Piece is one of the immutable pieces of an index. Its documents are numbered from 0.
type Piece interface {
	// Number tells it from all other pieces of its index.
	Number() uint64
	// Count is how many documents it has.
	Count() int
	// Passages returns those of a document.
	Passages(document int) ([]Passage, error)
	// Lives reports whether a document was not deleted.
	Lives(document int) bool
	// MaySend reports whether the text of a document may be sent to the endpoint.
	MaySend(document int) bool
}

// table says which documents of a piece have which vectors. It does not change, but for passages that get theirs.
type table struct {
	set     *set
	entries []entry
	// rows are where the vectors of the entries are in the set, -1 for none yet.
	rows []atomic.Int32
}

// entry is a passage of a document of a piece. The passages of one document follow each other, in order.
type entry struct{ document, section uint32 }

// newTable reads a piece. Its passages have the vectors that are there.
func newTable(piece Piece, vectors *set) (*table, error) {
	t := &table{set: vectors}
	var rows []int32
	for document := range piece.Count() {
		if !piece.Lives(document) {
			continue
		}
		passages, err := piece.Passages(document)
		if err != nil {
			return nil, err
		}
		for _, passage := range passages {
			t.entries = append(t.entries, entry{uint32(document), uint32(passage.Section)})
			rows = append(rows, vectors.row(hashOf(passage.Text)))
		}
	}
	t.setRows(rows)
	return t, nil
}

func (t *table) setRows(rows []int32) {
	t.rows = make([]atomic.Int32, len(rows))
	for i, row := range rows {
		t.rows[i].Store(row)
	}
}

// Found is a document, how near to the query its nearest passage is, and in which section that is.
type Found struct {
	Document   uint32
	Section    int
	Similarity float32
}

// scan calls a function with each document that has a vector and is allowed, with its nearest passage.
func (t *table) scan(query Vector, allowed func(document uint32) bool, found func(Found)) {
	vectors := t.set.now()
	if vectors.dimensions != len(query.bytes) {
		return
	}
	for at := 0; at < len(t.entries); {
		document := t.entries[at].document
		if !allowed(document) {
			for at < len(t.entries) && t.entries[at].document == document {
				at++
			}
			continue
		}
		best, any := Found{Document: document}, false
		for ; at < len(t.entries) && t.entries[at].document == document; at++ {
			vector, ok := vectors.at(t.rows[at].Load())
			if !ok {
				continue
			}
			if like := similarity(query, vector); !any || like > best.Similarity {
				best.Section, best.Similarity, any = int(t.entries[at].section), like, true
			}
		}
		if any {
			found(best)
		}
	}
}

// missing is a passage without a vector, and where it belongs.
type missing struct {
	hash   Hash
	text   string
	tables []*table
	at     []int
}

// give lets the passage have the vector in a row.
func (m *missing) give(row int32) {
	for i, t := range m.tables {
		t.rows[m.at[i]].Store(row)
	}
}

// count returns how many passages the documents have that live, and how many of these have a vector.
func (t *table) count(piece Piece) (passages, embedded int) {
	for at := 0; at < len(t.entries); {
		document, lives := t.entries[at].document, piece.Lives(int(t.entries[at].document))
		for ; at < len(t.entries) && t.entries[at].document == document; at++ {
			if !lives {
				continue
			}
			passages++
			if t.rows[at].Load() >= 0 {
				embedded++
			}
		}
	}
	return passages, embedded
}

// lacking adds passages of a piece that have no vector and may be sent to those that are known, up to so many. more
// says that there may be others, withheld how many of those that were looked at may not be sent.
func (t *table) lacking(piece Piece, known map[Hash]*missing, most int,
	skip func(Hash) bool) (more bool, withheld int, err error) {
	for at := 0; at < len(t.entries); {
		document, first, lacks := t.entries[at].document, at, 0
		for ; at < len(t.entries) && t.entries[at].document == document; at++ {
			if t.rows[at].Load() < 0 {
				lacks++
			}
		}
		if lacks == 0 || !piece.Lives(int(document)) {
			continue
		}
		if !piece.MaySend(int(document)) {
			withheld += lacks
			continue
		}
		passages, err := piece.Passages(int(document))
		if err != nil {
			return false, withheld, err
		}
		for i, passage := range passages[:min(len(passages), at-first)] {
			if t.rows[first+i].Load() >= 0 {
				continue
			}
			hash := hashOf(passage.Text)
			if row := t.set.row(hash); row >= 0 {
				t.rows[first+i].Store(row) // it came with another document
				continue
			}
			if skip(hash) {
				continue
			}
			if known[hash] == nil {
				if len(known) >= most {
					return true, withheld, nil
				}
				known[hash] = &missing{hash: hash, text: passage.Text}
			}
			known[hash].tables = append(known[hash].tables, t)
			known[hash].at = append(known[hash].at, first+i)
		}
	}
	return false, withheld, nil
}

// use notes the rows of the vectors of documents that live.
func (t *table) use(piece Piece, used map[int32]bool) {
	for i := range t.entries {
		if row := t.rows[i].Load(); row >= 0 && piece.Lives(int(t.entries[i].document)) {
			used[row] = true
		}
	}
}

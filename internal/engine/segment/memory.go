package segment

// Origin says how a text came to stand for a source text.
type Origin string

// Origins.
const (
	// Shown is the source text itself, shown where there is no translation.
	Shown Origin = "source"
	// Carried is the translation of what the source block was before.
	Carried Origin = "carried"
	// Human was written or confirmed by a person in the variant, Import came from a file, Machine from a model.
	Human   Origin = "human"
	Import  Origin = "import"
	Machine Origin = "machine"
)

// translates reports whether texts of the origin are translations of the source text that they stand for.
func (o Origin) translates() bool { return o == Human || o == Import || o == Machine }

// Row is one pair of the memory: a text that stood for a source text. Content is that of the target.
type Row struct {
	Source, Target string // hashes
	Origin         Origin
	Content        Content
}

// Memory holds the pairs of one page. It only grows; what is known better replaces what was known of a pair.
type Memory struct {
	rows    map[[2]string]Row
	sources map[string][]string // by target
	best    map[string]Row      // by source: the latest translation
	added   map[[2]string]bool
}

// NewMemory returns the memory with rows in the order in which they were made.
func NewMemory(rows []Row) *Memory {
	m := &Memory{rows: map[[2]string]Row{}, sources: map[string][]string{}, best: map[string]Row{},
		added: map[[2]string]bool{}}
	for _, row := range rows {
		m.put(row)
	}
	return m
}

func (m *Memory) put(row Row) {
	key := [2]string{row.Source, row.Target}
	if _, known := m.rows[key]; !known {
		m.sources[row.Target] = append(m.sources[row.Target], row.Source)
	}
	m.rows[key] = row
	if row.Origin.translates() {
		m.best[row.Source] = row
	}
}

// Add notes that a text stands for a source text. A pair that is known as a translation stays one.
func (m *Memory) Add(source string, target Content, origin Origin) {
	row := Row{Source: source, Target: target.Hash(), Origin: origin, Content: target}
	before, known := m.rows[[2]string{row.Source, row.Target}]
	if known && (before.Origin == origin || !origin.translates()) {
		return
	}
	m.put(row)
	m.added[[2]string{row.Source, row.Target}] = true
}

// Added returns the rows that are new or have changed.
func (m *Memory) Added() []Row {
	rows := make([]Row, 0, len(m.added))
	for key := range m.added {
		rows = append(rows, m.rows[key])
	}
	return rows
}

// Lookup returns how a target text stands for a source text; false when the two have not met. A text that is the source
// text itself is shown for want of a translation, unless it is known as one.
func (m *Memory) Lookup(source, target string) (Origin, bool) {
	if row, known := m.rows[[2]string{source, target}]; known {
		return row.Origin, true
	}
	return Shown, source == target
}

// Best returns the latest translation of a source text.
func (m *Memory) Best(source string) (Content, Origin, bool) {
	row, ok := m.best[source]
	return row.Content, row.Origin, ok
}

// known reports whether a target text has stood for anything.
func (m *Memory) known(target string) bool { return len(m.sources[target]) > 0 }

// State says what a target text is to a source text, as Align does.
func (m *Memory) State(source, target Content) (State, Origin) {
	return judge(&Unit{Content: source}, &Unit{Content: target}, m)
}

package compare

import "slices"

// mirror exchanges the two sides of a comparison in which nothing has moved yet.
func mirror(blocks []Block) {
	for i := range blocks {
		blocks[i].mirror()
	}
	// What is deleted stands before what is added in its place.
	order(blocks, func(b Block) bool { return b.Change == Deleted }, func(b Block) bool { return b.Change == Added })
}

func (b *Block) mirror() {
	b.Before, b.After = b.After, b.Before
	b.Change = mirrored(b.Change)
	mirrorAttributes(b.Attributes)
	for i := range b.Runs {
		b.Runs[i].Change = mirrored(b.Runs[i].Change)
	}
	order(b.Runs, func(r Run) bool { return r.Change == Deleted }, func(r Run) bool { return r.Change == Added })
	mirror(b.Blocks)
	for i := range b.Parts {
		b.Parts[i].mirror()
	}
	if b.Table != nil {
		b.Table.mirror()
	}
}

func mirrored(change Change) Change {
	switch change {
	case Added:
		return Deleted
	case Deleted:
		return Added
	}
	return change
}

func mirrorAttributes(attributes []Attribute) {
	for i, a := range attributes {
		attributes[i] = Attribute{a.Name, a.After, a.Before}
	}
}

func (t *Table) mirror() {
	for i := range t.Columns {
		column := &t.Columns[i]
		column.Change, column.Before, column.After = mirrored(column.Change), column.After, column.Before
		mirrorAttributes(column.Attributes)
	}
	for i := range t.Rows {
		row := &t.Rows[i]
		row.Change, row.Before, row.After = mirrored(row.Change), row.After, row.Before
		for j := range row.Cells {
			cell := &row.Cells[j]
			cell.Change, cell.Before, cell.After = mirrored(cell.Change), cell.After, cell.Before
			if cell.Text != nil {
				cell.Text.mirror()
			}
		}
	}
	order(t.Rows, func(r Row) bool { return r.Change == Deleted }, func(r Row) bool { return r.Change == Added })
}

// order puts, in each stretch of things of one side alone, those of the older side first.
func order[T any](list []T, older, newer func(T) bool) {
	for start := 0; start < len(list); {
		end := start
		for end < len(list) && (older(list[end]) || newer(list[end])) {
			end++
		}
		slices.SortStableFunc(list[start:end], func(a, b T) int {
			switch {
			case older(a) && newer(b):
				return -1
			case newer(a) && older(b):
				return 1
			}
			return 0
		})
		start = max(end, start+1)
	}
}

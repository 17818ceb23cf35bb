package docx

import (
	"strconv"
	"strings"
)

// maxLevels is how many levels a list of the format has.
const maxLevels = 9

// listPlace is where a paragraph stands in a list: the list's id, "" for none and "0" for none in spite of the style.
type listPlace struct {
	list  string
	level int
}

// listLevel is how one level of a list is written.
type listLevel struct {
	format string // "bullet", "decimal", "none" …
	start  int
}

// numbering holds the lists of a document and where they have counted to.
type numbering struct {
	abstract map[string]*[maxLevels]listLevel
	lists    map[string]*countedList
}

type countedList struct {
	levels [maxLevels]listLevel
	counts [maxLevels]int
}

func (d *document) readNumbering(file string) (*numbering, error) {
	n := &numbering{abstract: map[string]*[maxLevels]listLevel{}, lists: map[string]*countedList{}}
	if !d.files.Has(file) {
		return n, nil
	}
	err := d.walkPart(file, func(p *part, e element) error {
		switch e.Name {
		case "abstractNum":
			levels := newLevels()
			n.abstract[e.Attr("abstractNumId")] = levels
			return p.Children(func(e element) error {
				if e.Name == "lvl" {
					return p.listLevel(e, levels)
				}
				return p.Skip()
			})
		case "num":
			return p.list(e, n)
		}
		return p.Skip()
	})
	return n, err
}

func newLevels() *[maxLevels]listLevel {
	levels := new([maxLevels]listLevel)
	for i := range levels {
		levels[i] = listLevel{format: "bullet", start: 1}
	}
	return levels
}

// listLevel reads one level.
func (p *part) listLevel(e element, levels *[maxLevels]listLevel) error {
	at := levelOf(e.Attr("ilvl"))
	return p.Children(func(e element) error {
		switch e.Name {
		case "numFmt":
			levels[at].format = e.Attr("val")
		case "start":
			if start, err := strconv.Atoi(e.Attr("val")); err == nil && start >= 0 && start < 1_000_000 {
				levels[at].start = start
			}
		}
		return p.Skip()
	})
}

// list reads a list, which may differ from what it is based on.
func (p *part) list(e element, n *numbering) error {
	made := &countedList{levels: *newLevels()}
	n.lists[e.Attr("numId")] = made
	return p.Children(func(e element) error {
		switch e.Name {
		case "abstractNumId":
			if base := n.abstract[e.Attr("val")]; base != nil {
				made.levels = *base
			}
		case "lvlOverride":
			at := levelOf(e.Attr("ilvl"))
			return p.Children(func(e element) error {
				switch e.Name {
				case "startOverride":
					if start, err := strconv.Atoi(e.Attr("val")); err == nil && start >= 0 && start < 1_000_000 {
						made.levels[at].start = start
					}
				case "lvl":
					return p.listLevel(e, &made.levels)
				}
				return p.Skip()
			})
		}
		return p.Skip()
	})
}

func levelOf(written string) int {
	level, err := strconv.Atoi(written)
	if err != nil {
		return 0
	}
	return min(max(level, 0), maxLevels-1)
}

// count counts a paragraph at its place. It returns the number that the paragraph has, whether it is numbered, and
// whether there is such a list at all.
func (n *numbering) count(place listPlace) (number int, ordered, ok bool) {
	if place.list == "" || place.list == "0" {
		return 0, false, false
	}
	list := n.lists[place.list]
	if list == nil {
		// A list that is not described has bullets.
		list = &countedList{levels: *newLevels()}
		n.lists[place.list] = list
	}
	level := list.levels[place.level]
	if level.format == "none" {
		return 0, false, false
	}
	for deeper := place.level + 1; deeper < maxLevels; deeper++ {
		list.counts[deeper] = 0
	}
	number = level.start + list.counts[place.level]
	list.counts[place.level]++
	return number, !strings.EqualFold(level.format, "bullet"), true
}

package merge

import (
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/hunk"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// Part is a stretch of a body that begins and ends between top-level blocks on every side. Lines end in LF.
type Part struct {
	// Conflict says that the sides disagree within the part.
	Conflict bool
	// Base, Ours and Theirs are the part with that side in every conflict, and with what could be merged elsewhere.
	// They are the same where there is no conflict.
	Base, Ours, Theirs string
	// Both has the blocks of ours and then those of theirs in every conflict.
	Both string
}

// PartedBody is a merge of three bodies in parts, for people who choose for each.
type PartedBody struct {
	Parts []Part
	// ending is what lines of the merged text end in when it is not LF; newline says that it ends in one.
	ending  string
	newline bool
}

// BodyParts merges like Body and cuts the outcome into parts. Two bodies that cannot be cut are one part.
func BodyParts(base, ours, theirs []byte) PartedBody {
	b, o, t := string(base), string(ours), string(theirs)
	parted := PartedBody{ending: mergeEndings(&b, &o, &t)}
	baseLines, baseNewline := splitLines(b)
	oursLines, oursNewline := splitLines(o)
	theirsLines, theirsNewline := splitLines(t)
	parted.newline = oursNewline
	if oursNewline == baseNewline {
		parted.newline = theirsNewline
	}
	cuts := [3]map[int]bool{cutsOf(b, baseLines), cutsOf(o, oursLines), cutsOf(t, theirsLines)}
	var part []region
	end := func() {
		if len(part) > 0 {
			parted.add(part, baseLines, oursLines, theirsLines)
		}
		part = nil
	}
	for _, r := range newComparer().diff3Lines(baseLines, oursLines, theirsLines) {
		for _, piece := range pieces(r) {
			if cuts[0][piece.base.Start] && cuts[1][piece.ours.Start] && cuts[2][piece.theirs.Start] {
				end()
			}
			part = append(part, piece)
		}
	}
	end()
	return parted
}

// pieces cuts a region that no side changed into its lines; others stay whole.
func pieces(r region) []region {
	if r.origin != fromBase {
		return []region{r}
	}
	lines := make([]region, r.base.Len())
	for i := range lines {
		one := hunk.Span{Start: i, End: i + 1}
		lines[i] = region{fromBase, one.Moved(r.base.Start), one.Moved(r.ours.Start), one.Moved(r.theirs.Start)}
	}
	return lines
}

// cutsOf returns the lines of a text before which it may be cut: its ends, and where a top-level block begins behind a
// blank line.
func cutsOf(text string, lines []string) map[int]bool {
	cuts := map[int]bool{0: true, len(lines): true}
	document, err := markdown.Parse([]byte(text))
	if err != nil || strings.Contains(text, "\r") {
		return cuts // a source span may not be one of this text
	}
	line, at := 0, 0
	for _, node := range document.Nodes {
		start := min(node.Source.Start, len(text))
		if start < at {
			continue
		}
		line, at = line+strings.Count(text[at:start], "\n"), start
		if line > 0 && strings.TrimSpace(lines[line-1]) == "" {
			cuts[line] = true
		}
	}
	return cuts
}

// add adds a part that is made of regions. One without a conflict becomes one with its neighbour.
func (p *PartedBody) add(regions []region, base, ours, theirs []string) {
	var inBase, inOurs, inTheirs []string
	var places [][2]Lines
	for _, r := range regions {
		took := [3][]string{}
		switch r.origin {
		case fromBase, fromOurs:
			took[0] = ours[r.ours.Start:r.ours.End]
			took[1], took[2] = took[0], took[0]
		case fromTheirs:
			took[0] = theirs[r.theirs.Start:r.theirs.End]
			took[1], took[2] = took[0], took[0]
		case fromConflict:
			took = [3][]string{base[r.base.Start:r.base.End], ours[r.ours.Start:r.ours.End],
				theirs[r.theirs.Start:r.theirs.End]}
			places = append(places, [2]Lines{{len(inOurs), len(inOurs) + len(took[1])},
				{len(inTheirs), len(inTheirs) + len(took[2])}})
		}
		inBase, inOurs, inTheirs = append(inBase, took[0]...), append(inOurs, took[1]...), append(inTheirs, took[2]...)
	}
	made := Part{Conflict: len(places) > 0, Base: joinLines(inBase, true), Ours: joinLines(inOurs, true),
		Theirs: joinLines(inTheirs, true)}
	made.Both = made.Ours
	if made.Conflict {
		made.Both = bothOf(inOurs, inTheirs, places)
	} else if last := len(p.Parts) - 1; last >= 0 && !p.Parts[last].Conflict {
		joined := p.Parts[last].Ours + made.Ours
		p.Parts[last] = Part{Base: joined, Ours: joined, Theirs: joined, Both: joined}
		return
	}
	p.Parts = append(p.Parts, made)
}

// Conflicts is the number of parts in conflict.
func (p PartedBody) Conflicts() int {
	count := 0
	for _, part := range p.Parts {
		if part.Conflict {
			count++
		}
	}
	return count
}

// Text returns what a side has of a part.
func (p Part) Text(side Side) string {
	switch side {
	case Base:
		return p.Base
	case Theirs:
		return p.Theirs
	case Both:
		return p.Both
	}
	return p.Ours
}

// Join returns the body that has a text for each part in conflict. A part does not run into the next one: what ends in
// no blank line gets one. It returns an errs.Invalid error when there are more or fewer texts than parts in conflict.
func (p PartedBody) Join(texts []string) ([]byte, error) {
	if len(texts) != p.Conflicts() {
		return nil, errs.Invalidf("parts",
			"the body has %d parts in conflict and there are %d choices; give one for each", p.Conflicts(), len(texts))
	}
	var out strings.Builder
	for _, part := range p.Parts {
		text := part.Ours
		if part.Conflict {
			text, texts = texts[0], texts[1:]
		}
		if text == "" {
			continue
		}
		if before := out.String(); before != "" && !strings.HasSuffix(before, "\n\n") && !blankEnd(before) {
			out.WriteString(strings.Repeat("\n", 2-min(1, strings.Count(before[len(before)-1:], "\n"))))
		}
		out.WriteString(text)
	}
	lines, _ := splitLines(out.String())
	joined := joinLines(lines, p.newline)
	if p.ending == "\r\n" {
		joined = strings.ReplaceAll(joined, "\n", "\r\n")
	}
	return []byte(joined), nil
}

// blankEnd reports whether the last line of a text is blank.
func blankEnd(text string) bool {
	lines, _ := splitLines(text)
	return len(lines) == 0 || strings.TrimSpace(lines[len(lines)-1]) == ""
}

// Documents parses the body with one side in every conflict, and returns the top-level blocks of each part.
func (p PartedBody) Documents(side Side) ([][]*doc.Node, error) {
	var body strings.Builder
	ends := make([]int, len(p.Parts))
	for i, part := range p.Parts {
		body.WriteString(part.Text(side))
		ends[i] = body.Len()
	}
	document, err := markdown.Parse([]byte(body.String()))
	if err != nil {
		return nil, err
	}
	document.ReadDestinations()
	nodes := make([][]*doc.Node, len(p.Parts))
	for _, node := range document.Nodes {
		at, _ := slices.BinarySearch(ends, node.Source.Start+1)
		at = min(at, len(nodes)-1)
		nodes[at] = append(nodes[at], node)
	}
	return nodes, nil
}

package importer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/pagefile/links"
)

// reading is what was learnt from a body.
type reading struct {
	// replaced is the body that takes the place of the one that was read, nil when that stays.
	replaced []byte
	anchors  map[string]string
	// operations are the blocks with operations of APIs.
	operations []operationUse
	notes      source.Notes
	err        error
}

// readAtOnce is how many bodies are read before what was learnt from them is taken over.
const readAtOnce = 256

// readBodies parses every body, several at a time: their anchors have to be known before any link is settled.
func (a *assembly) readBodies(ctx context.Context) error {
	documents := make([]*assembledPage, 0, readAtOnce)
	for i, page := range a.ordered {
		if page.entry.Type == entity.PageDocument {
			documents = append(documents, page)
		}
		if len(documents) < readAtOnce && i < len(a.ordered)-1 {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for k, read := range readPages(documents) {
			if read.err != nil {
				return read.err
			}
			a.takeReading(documents[k], read)
		}
		documents = documents[:0]
	}
	return nil
}

// readPages reads the bodies of pages side by side.
func readPages(pages []*assembledPage) []reading {
	readings := make([]reading, len(pages))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(pages); i = int(next.Add(1)) - 1 {
				page := pages[i].source
				body, err := page.Body.Bytes()
				if err != nil {
					readings[i].err = err
					continue
				}
				readings[i] = readBody(body, page.Entry.Title, page.Place, page.FirstLine)
			}
		})
	}
	workers.Wait()
	return readings
}

// takeReading keeps what was learnt from the body of a page. What the source says about its anchors counts first.
func (a *assembly) takeReading(page *assembledPage, read reading) {
	page.body = page.source.Body
	if read.replaced != nil {
		page.body = a.tree.Texts.Keep(read.replaced)
	}
	maps.Copy(read.anchors, page.source.Anchors)
	page.source.Anchors = nil
	page.operations = read.operations
	page.anchors = a.tree.Texts.Keep(encodeAnchors(read.anchors))
	a.report.NotUnderstood.Join(read.notes)
}

// encodeAnchors writes a page's anchors, by what links call them, in the order of these names. What holds a NUL is no
// anchor that a link can name, and is left out.
func encodeAnchors(anchors map[string]string) []byte {
	var encoded []byte
	for _, name := range slices.Sorted(maps.Keys(anchors)) {
		if strings.ContainsRune(name+anchors[name], 0) {
			continue
		}
		encoded = append(append(encoded, name...), 0)
		encoded = append(append(encoded, anchors[name]...), 0)
	}
	return encoded
}

// decodeAnchors reads what encodeAnchors wrote.
func decodeAnchors(encoded []byte) map[string]string {
	anchors := map[string]string{}
	for len(encoded) > 0 {
		name, rest, _ := bytes.Cut(encoded, []byte{0})
		anchor, rest, _ := bytes.Cut(rest, []byte{0})
		anchors[string(name)], encoded = string(anchor), rest
	}
	return anchors
}

// readBody parses a body. One that the dialect refuses, for a table of too many columns and the like, is kept as
// text in a code block; one that is too large ends the import.
func readBody(body []byte, title, place string, firstLine int) reading {
	result := reading{anchors: map[string]string{}}
	if len(body) > store.MaxBodySize {
		result.err = errs.New(errs.TooLarge, "%s has %d bytes of text, a page has at most %d; split it", place,
			len(body), store.MaxBodySize)
		return result
	}
	document, err := markdown.Parse(body)
	if err != nil {
		if errs.KindOf(err) == errs.Internal {
			result.err = err
			return result
		}
		result.notes.Addf(place, "it cannot be read as a page and was kept as plain text: %v", err)
		result.replaced = fenced(body)
		if len(result.replaced) > store.MaxBodySize {
			result.err = errs.Wrap(err, errs.TooLarge,
				"%s cannot be read as a page, and is too large to be kept as plain text; split it", place)
		}
		return result
	}
	result.anchors = anchorsOf(document, title)
	result.operations = operationsIn(document, body, firstLine)
	noteRaw(document, body, place, firstLine, &result.notes)
	return result
}

// fenced returns a text as one code block.
func fenced(body []byte) []byte {
	longest, run := 2, 0
	for _, c := range body {
		if c != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	return slices.Concat([]byte(fence+"markdown\n"), bytes.TrimRight(body, "\n"), []byte("\n"+fence+"\n"))
}

var htmlAnchor = regexp.MustCompile(`(?i)\b(?:id|name)\s*=\s*["']([^"']+)["']`)

// anchorsOf returns what links can name in a document: the anchors of its blocks, ids in its HTML, and the names that
// Git hosts and mdBook give to headings, with the anchors that these have here. The title's own name is the top.
func anchorsOf(document *doc.Document, title string) map[string]string {
	anchors := map[string]string{}
	alias := map[string]string{}
	counts := map[string]int{}
	name := func(text string) string {
		slug := headingName(text)
		counts[slug]++
		if counts[slug] > 1 {
			return slug + "-" + strconv.Itoa(counts[slug]-1)
		}
		return slug
	}
	alias[name(title)] = ""
	document.Walk(func(n *doc.Node) bool {
		if n.ID != "" {
			anchors[n.ID] = n.ID
		}
		switch n.Type {
		case doc.Heading1, doc.Heading2, doc.Heading3:
			if given := name(n.PlainText()); given != "" && n.ID != "" {
				if _, taken := alias[given]; !taken {
					alias[given] = n.ID
				}
			}
		case doc.Raw, doc.RawInline:
			if raw := n.Data.(*doc.RawData); raw.Syntax == "html" {
				for _, found := range htmlAnchor.FindAllStringSubmatch(raw.Source, -1) {
					anchors[found[1]] = found[1]
				}
			}
		}
		return true
	})
	for given, anchor := range alias {
		if _, real := anchors[given]; !real && given != "" {
			anchors[given] = anchor
		}
	}
	return anchors
}

// headingName is the anchor that Git hosts and mdBook give to a heading: lower case, white space as "-", punctuation
// dropped.
func headingName(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case unicode.IsSpace(r):
			return '-'
		}
		return -1
	}, text)
}

// noteRaw reports what the dialect does not know. Comments and bare anchors are no loss.
func noteRaw(document *doc.Document, body []byte, place string, firstLine int, notes *source.Notes) {
	line, counted := firstLine, 0
	seen := map[string]bool{}
	for _, block := range document.Nodes {
		start := min(max(block.Source.Start, counted), len(body))
		line += bytes.Count(body[counted:start], []byte{'\n'})
		counted = start
		block.Walk(func(n *doc.Node) bool {
			if n.Type != doc.Raw && n.Type != doc.RawInline {
				return true
			}
			raw := n.Data.(*doc.RawData)
			what := describeRaw(raw)
			if what == "" || seen[what] {
				return true
			}
			seen[what] = true
			at := line
			if firstLine == 0 {
				at = 0
			}
			notes.Addf(placeOf(place, at), "%s", what)
			return true
		})
	}
}

var (
	rawElement = regexp.MustCompile(`^\s*<([a-zA-Z][\w-]*)`)
	rawTag     = regexp.MustCompile(`^\s*\{%\s*(\S+)`)
	bareAnchor = regexp.MustCompile(`^\s*<a\s+(?:id|name)\s*=\s*["'][^"']*["']\s*/?>\s*(?:</a>)?\s*$`)
)

// shown are elements within text that pages show as they are.
var shown = map[string]bool{"a": true, "span": true, "abbr": true, "cite": true, "dfn": true, "ins": true, "mark": true,
	"q": true, "samp": true, "small": true, "u": true, "var": true}

// describeRaw says what is not understood about a piece of source, "" when nothing is lost.
func describeRaw(raw *doc.RawData) string {
	if raw.Syntax == "tag" {
		if tag := rawTag.FindStringSubmatch(raw.Source); tag != nil {
			return "the tag {% " + truncate(tag[1], 60) + " %} is not known; it stays as it is"
		}
		return ""
	}
	if strings.HasPrefix(strings.TrimSpace(raw.Source), "<!--") || bareAnchor.MatchString(raw.Source) {
		return ""
	}
	if element := rawElement.FindStringSubmatch(raw.Source); element != nil {
		if shown[element[1]] {
			return ""
		}
		return "the HTML element <" + truncate(element[1], 60) + "> has no counterpart; it stays as it is"
	}
	return ""
}

// placeOf names a line of a place; line 0 means that lines mean nothing.
func placeOf(place string, line int) string {
	if line <= 0 {
		return place
	}
	return place + ":" + strconv.Itoa(line)
}

// linkPages settles what pages point to and adds them to the commit.
func (a *assembly) linkPages(ctx context.Context) error {
	for _, page := range a.ordered {
		if err := a.step(ctx, page.source.Place); err != nil {
			return err
		}
		if err := a.linkFields(page); err != nil {
			return err
		}
		if page.entry.Type != entity.PageDocument {
			a.put(page.entry, page.before)
			continue
		}
		body, err := page.body.Bytes()
		if err != nil {
			return err
		}
		from := page.source
		if err := a.checkOperations(ctx, page.operations, from.Base, from.Place); err != nil {
			return err
		}
		linked := a.linkBody(body, from.Base, from.Place, from.FirstLine, page)
		if err := a.putBody(ctx, page.entry, page.before, linked); err != nil {
			return err
		}
	}
	return nil
}

// How much of bodies waits in memory to be stored together.
const (
	storeBytes  = 1 << 20
	storeBodies = 256
)

// putBody adds an entry with a body.
func (a *assembly) putBody(ctx context.Context, e, before *entity.Entry, body []byte) error {
	e.Body = ""
	if len(body) > 0 {
		sum := sha256.Sum256(body)
		e.Body = hex.EncodeToString(sum[:])
	}
	if before != nil && sameEntry(e, before) {
		return nil
	}
	a.put(e, before)
	if len(body) == 0 || before != nil && before.Body == e.Body {
		return nil
	}
	a.bodies, a.waiting = append(a.bodies, body), a.waiting+len(body)
	if a.waiting < storeBytes && len(a.bodies) < storeBodies {
		return nil
	}
	return a.storeBodies(ctx)
}

// storeBodies stores the bodies that wait.
func (a *assembly) storeBodies(ctx context.Context) error {
	if len(a.bodies) == 0 {
		return nil
	}
	if err := a.content.PutBodies(ctx, a.bodies); err != nil {
		return err
	}
	clear(a.bodies)
	a.bodies, a.waiting = a.bodies[:0], 0
	return nil
}

// linkFields settles the target of a link page and the cover.
func (a *assembly) linkFields(page *assembledPage) error {
	from := page.source
	if page.entry.Type == entity.PageLink {
		page.entry.Target = a.target(from.Base, from.Target, from.Place, 0)
		if page.entry.Target == nil {
			return errs.New(errs.Invalid, "%s: the entry %q links to nothing", from.Place, page.entry.Title)
		}
	}
	if from.Cover == "" {
		return nil
	}
	cover := entity.Cover{}
	if page.entry.Cover != nil {
		cover = *page.entry.Cover
	}
	cover.Ref = a.target(from.Base, from.Cover, from.Place, 0)
	cover.RefDark = a.target(from.Base, from.CoverDark, from.Place, 0)
	page.entry.Cover = &cover
	return nil
}

// linkReusables settles the links of reusable contents and adds them to the commit.
func (a *assembly) linkReusables(ctx context.Context) error {
	for _, reusable := range a.tree.Reusables {
		if err := a.step(ctx, reusable.Place); err != nil {
			return err
		}
		made := a.reusable[reusable]
		body, err := reusable.Body.Bytes()
		if err != nil {
			return err
		}
		read := readBody(body, reusable.Entry.Title, reusable.Place, reusable.FirstLine)
		if read.err != nil {
			return read.err
		}
		a.report.NotUnderstood.Join(read.notes)
		if read.replaced != nil {
			body = read.replaced
		}
		if err := a.checkOperations(ctx, read.operations, reusable.Base, reusable.Place); err != nil {
			return err
		}
		linked := a.linkBody(body, reusable.Base, reusable.Place, reusable.FirstLine, nil)
		if err := a.putBody(ctx, made.entry, made.before, linked); err != nil {
			return err
		}
	}
	return nil
}

// linkBody puts stable references in the place of what a body's links are written as. page is nil for a reusable
// content, which has no anchors of its own.
func (a *assembly) linkBody(body []byte, base, place string, firstLine int, page *assembledPage) []byte {
	return links.Rewrite(body, func(use links.Use) (string, bool) {
		line := 0
		if firstLine > 0 {
			line = firstLine + use.Line - 1
		}
		at := placeOf(place, line)
		if anchor, ok := strings.CutPrefix(use.Destination, "#"); ok {
			return a.ownAnchor(anchor, at, page)
		}
		return a.settle(use, base, at)
	})
}

// ownAnchor settles a link within a page.
func (a *assembly) ownAnchor(anchor, at string, page *assembledPage) (string, bool) {
	if page == nil || anchor == "" || isGenerated(anchor) {
		return "", false
	}
	known, ok := a.lookup(page, anchor)
	switch {
	case !ok:
		a.broken(source.Note{Place: at, Target: "#" + anchor, Message: "the page has no such anchor"})
		return "", false
	case known == "":
		return "/pages/" + page.entry.ID, true
	}
	return "#" + known, known != anchor
}

// isGenerated reports whether an anchor is one of a footnote: those come with the footnote itself.
func isGenerated(anchor string) bool {
	return strings.HasPrefix(anchor, "user-content-fn") || strings.HasPrefix(anchor, "fn:") || strings.HasPrefix(anchor,
		":~:")
}

// maxAnchored is how many pages' anchors are kept at hand.
const maxAnchored = 1024

// lookup returns the anchor that a name stands for in a page; "" is the top.
func (a *assembly) lookup(page *assembledPage, name string) (string, bool) {
	anchors, known := a.anchors[page]
	if !known {
		if len(a.anchors) >= maxAnchored {
			clear(a.anchors)
		}
		// A text that cannot be read fails the import where the body is read.
		encoded, _ := page.anchors.Bytes()
		anchors = decodeAnchors(encoded)
		a.anchors[page] = anchors
	}
	anchor, ok := anchors[name]
	return anchor, ok
}

// settle returns the stable form of a destination, and whether there is one.
func (a *assembly) settle(use links.Use, base, at string) (string, bool) {
	resolution := a.tree.Resolve(base, use.Destination)
	switch resolution.Kind {
	case source.ToPage:
		ref := doc.Ref{Kind: doc.RefPage, Page: a.pages[resolution.Page].entry.ID}
		if anchor := a.anchor(resolution, use.Destination, at); anchor != "" {
			ref.Kind, ref.Anchor = doc.RefAnchor, anchor
		}
		return ref.Destination(), true
	case source.ToFile:
		if file := a.files[resolution.File]; file != nil {
			return doc.Ref{Kind: doc.RefFile, File: file.ID}.Destination(), true
		}
	case source.ToReusable:
		return doc.Ref{Kind: doc.RefReusableContent, ReusableContent: a.reusable[resolution.Reusable].entry.ID}.
			Destination(), true
	case source.Broken:
		a.broken(source.Note{Place: at, Target: truncate(use.Destination, 500), Message: resolution.Reason})
	}
	return resolution.URL, resolution.URL != ""
}

// maxDistinct is how many broken links are remembered to report each once; a report lists fewer.
const maxDistinct = 100_000

// broken reports a link that leads nowhere, once for each place: a reference names the same missing page in every line.
func (a *assembly) broken(note source.Note) {
	if a.reported[note] {
		return
	}
	if len(a.reported) < maxDistinct {
		a.reported[note] = true
	}
	a.report.Broken.Add(note)
}

// anchor returns the anchor that a resolved link names on its page, "" for the top. One that is not there stays as it
// is and is reported.
func (a *assembly) anchor(resolution source.Resolution, destination, at string) string {
	if resolution.Anchor == "" || isGenerated(resolution.Anchor) {
		return resolution.Anchor
	}
	page := a.pages[resolution.Page]
	if page.entry.Type != entity.PageDocument {
		return ""
	}
	if known, ok := a.lookup(page, resolution.Anchor); ok {
		return known
	}
	a.broken(source.Note{Place: at, Target: truncate(destination, 500), Message: "the page has no such anchor"})
	return resolution.Anchor
}

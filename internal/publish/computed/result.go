package computed

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// Bounds of a result.
const (
	maxPages = 500
	maxDepth = 8
	// maxBody is how many bytes of Markdown a page has, maxResult all of them together.
	maxBody   = 512 << 10
	maxResult = 4 << 20
	maxSeed   = 200
)

// keptPage is a page of a result as it is kept.
type keptPage struct {
	Type        entity.PageType  `json:"type"`
	Seed        string           `json:"seed"`
	Slug        string           `json:"slug"`
	Title       string           `json:"title"`
	Description string           `json:"description,omitempty"`
	Icon        string           `json:"icon,omitempty"`
	LinkTitle   string           `json:"linkTitle,omitempty"`
	Emoji       string           `json:"emoji,omitempty"`
	Layout      *entity.Layout   `json:"layout,omitempty"`
	Cover       *entity.Cover    `json:"cover,omitempty"`
	Target      *doc.Ref         `json:"target,omitempty"`
	Source      *entity.Computed `json:"source,omitempty"`
	entity.Flags
	// URL is what Target was in results of earlier versions.
	URL string `json:"url,omitempty"`
	// Body is Markdown. Missing says that the script has never given it.
	Body    string      `json:"body,omitempty"`
	Missing bool        `json:"missing,omitempty"`
	Pages   []*keptPage `json:"pages,omitempty"`
}

// made returns the page as it stands among others.
func (p *keptPage) made() *spec.Made {
	made := &spec.Made{Type: p.Type, Seed: p.Seed, Title: p.Title, Slug: p.Slug, Description: p.Description,
		LinkTitle: p.LinkTitle, Emoji: p.Emoji, Icon: p.Icon, Flags: p.Flags, Layout: p.Layout, Cover: p.Cover,
		Target: p.Target, Source: p.Source}
	switch {
	case p.Type == entity.PageLink && p.Target == nil:
		made.Target = &doc.Ref{Kind: doc.RefURL, URL: p.URL}
	case p.Missing:
		made.Nodes = paragraph(failed)
	case p.Type == entity.PageDocument:
		if document, err := markdown.Parse([]byte(p.Body)); err == nil {
			document.MapRefs(func(ref doc.Ref) doc.Ref {
				if ref.Kind == doc.RefURL {
					ref = doc.ParseDestination(ref.URL)
				}
				made.Linked = made.Linked || spec.IsMadeRef(ref)
				return ref
			})
			made.Nodes = document.Nodes
		}
	}
	for _, below := range p.Pages {
		made.Pages = append(made.Pages, below.made())
	}
	return made
}

// givenPage is a page as a script gives it.
type givenPage struct {
	ID           string          `json:"id"`
	Type         string          `json:"type"`
	Kind         string          `json:"kind"` // what older scripts say in place of the type
	Title        string          `json:"title"`
	Slug         string          `json:"slug"`
	Description  string          `json:"description"`
	Icon         string          `json:"icon"`
	ComputedSeed string          `json:"computedSeed"`
	Computed     *givenSource    `json:"computed"`
	Document     json.RawMessage `json:"document"`
	Target       *doc.Ref        `json:"target"`
	Href         string          `json:"href"`
	Pages        []givenPage     `json:"pages"`
	givenAround
}

// givenSource is what a script says that a page is made from.
type givenSource struct {
	Type         string         `json:"type"`
	Integration  string         `json:"integration"`
	Source       string         `json:"source"`
	Props        map[string]any `json:"props"`
	Dependencies map[string]any `json:"dependencies"`
}

// source returns what a page is made from: a source of the integration itself, with the dependencies of the computed
// page where it names none of its own.
func (g *givenSource) source(integration string, of *entity.Computed) (*entity.Computed, string, error) {
	name, sourceID := g.Integration, g.Source
	if rest, ok := strings.CutPrefix(g.Type, entity.IntegrationSource); ok {
		name, sourceID, _ = strings.Cut(rest, ":")
	}
	if name == "" {
		name = integration
	}
	if !strings.EqualFold(name, integration) || sourceID == "" || len(sourceID) > 100 {
		return nil, "", fmt.Errorf("a page is computed from %.100q, which is no source of %s", g.Type, integration)
	}
	props, err := entity.Plain(g.Props)
	if err != nil {
		return nil, "", fmt.Errorf("the properties of a page: %w", err)
	}
	made := &entity.Computed{Type: entity.IntegrationSource + integration + ":" + sourceID,
		Dependencies: of.Dependencies}
	made.Props, _ = props.(map[string]any)
	return made, sourceID, nil
}

// reading turns what a script gave into pages.
type reading struct {
	integration string
	of          *entity.Computed
	seeds       map[string]bool
	// named are the seeds of pages by what the script calls them, files where the files of an answer are.
	named map[name]string
	files map[string]string
	// part is the seed of the page whose pages are read, "" for those of the computed page itself.
	part  string
	pages int
	// documents are the pages that the script has to be asked for, bodies those that came with what is on them, nested
	// the pages whose pages it has to be asked for, and links what leads to another of the pages.
	documents []*asked
	bodies    []*asked
	nested    []*asked
	links     []*asked
}

// name is what a script calls a page of a part of the result.
type name struct{ part, id string }

// asked is a page of which something is still to be found out.
type asked struct {
	page     *keptPage
	sourceID string
	given    *givenPage
	// part is where the page was given, depth how deep it is.
	part  string
	depth int
}

var iconPattern = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// read holds the pages on one level to the bounds; above is the seed of the page above them.
func (r *reading) read(given []givenPage, above string, depth int) ([]*keptPage, error) {
	if depth > maxDepth && len(given) > 0 {
		return nil, fmt.Errorf("pages are nested more than %d deep", maxDepth)
	}
	taken := map[string]bool{}
	var list []*keptPage
	for i := range given {
		if r.pages++; r.pages > maxPages {
			return nil, fmt.Errorf("there are more than %d pages", maxPages)
		}
		page, err := r.page(&given[i], above, taken, depth)
		if err != nil {
			return nil, err
		}
		if page.Pages, err = r.read(given[i].Pages, page.Seed, depth+1); err != nil {
			return nil, err
		}
		if page.Type == entity.PageLink && len(page.Pages) > 0 {
			return nil, fmt.Errorf("the link %.100q has pages below it", page.Title)
		}
		list = append(list, page)
	}
	return list, nil
}

func (r *reading) page(given *givenPage, above string, taken map[string]bool, depth int) (*keptPage, error) {
	page := &keptPage{Type: given.kind(), Title: plainText(given.Title, entity.MaxTitleLength),
		Description: plainText(given.Description, entity.MaxDescriptionLength)}
	if page.Title == "" {
		return nil, fmt.Errorf("a page has no title")
	}
	if len(given.Icon) <= 100 && iconPattern.MatchString(given.Icon) {
		page.Icon = given.Icon
	}
	page.Slug = entity.UniqueSlug(cmp.Or(given.Slug, given.Title), func(slug string) bool { return taken[slug] })
	taken[page.Slug] = true
	page.Seed = r.seed(given, above, page.Slug)
	given.around(page)
	of := &asked{page: page, given: given, part: r.part, depth: depth}
	if given.Computed != nil && (page.Type == entity.PageDocument || page.Type == entity.PageComputed) {
		var err error
		if page.Source, of.sourceID, err = given.Computed.source(r.integration, r.of); err != nil {
			return nil, err
		}
	}
	switch {
	case page.Type == entity.PageGroup:
	case page.Type == entity.PageLink:
		r.links = append(r.links, of)
	case page.Type == entity.PageComputed && page.Source != nil:
		page.Type = entity.PageGroup
		r.nested = append(r.nested, of)
	case page.Type == entity.PageDocument && page.Source != nil:
		page.Missing = true
		r.documents = append(r.documents, of)
	case page.Type == entity.PageDocument:
		r.bodies = append(r.bodies, of)
	default:
		return nil, fmt.Errorf("the page %.100q is a %.40q; use document, group, link or computed", page.Title,
			given.Type)
	}
	return page, nil
}

// kind is the type of the page, by either name.
func (g *givenPage) kind() entity.PageType {
	switch kind := cmp.Or(g.Type, g.Kind); kind {
	case "", "sheet":
		return entity.PageDocument
	default:
		return entity.PageType(kind)
	}
}

// seed returns what names a page for good: what the script says, or else its address.
func (r *reading) seed(given *givenPage, above, slug string) string {
	seed := given.ComputedSeed
	if seed == "" {
		seed = given.ID
	}
	switch {
	case seed == "" || len(seed) > maxSeed:
		seed = above + "/" + slug
	case r.part != "":
		seed = r.part + "/" + seed
	}
	for r.seeds[seed] {
		seed += "+"
	}
	r.seeds[seed] = true
	for _, id := range []string{given.ID, given.ComputedSeed} {
		if _, known := r.named[name{r.part, id}]; id != "" && !known {
			r.named[name{r.part, id}] = seed
		}
	}
	return seed
}

// plainText returns a text on one line, shortened to a number of characters.
func plainText(text string, most int) string {
	text = strings.ToValidUTF8(text, "")
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text))
	if characters := []rune(text); len(characters) > most {
		text = strings.TrimSpace(string(characters[:most]))
	}
	return text
}

// body returns what a script gave as a document of a part of the result, as Markdown: a document, Markdown, or an
// object that has one of them as its member document or markdown, or nothing.
func (r *reading) body(given json.RawMessage, part string) (string, error) {
	if len(given) == 0 || string(given) == "null" {
		return "", nil
	}
	var text string
	var object struct {
		Object   string          `json:"object"`
		Markdown *string         `json:"markdown"`
		Document json.RawMessage `json:"document"`
	}
	document := &doc.Document{}
	var err error
	switch {
	case json.Unmarshal(given, &text) == nil:
		document, err = markdown.Parse([]byte(text))
	case json.Unmarshal(given, &object) == nil && object.Markdown != nil:
		document, err = markdown.Parse([]byte(*object.Markdown))
	case object.Object == "" && object.Document != nil:
		err = json.Unmarshal(object.Document, document)
	case string(given) == "{}":
	default:
		err = json.Unmarshal(given, document)
	}
	if err != nil {
		return "", err
	}
	document.Nodes = allowed(document.Nodes, r.integration)
	document.ReadDestinations()
	document.MapRefs(func(ref doc.Ref) doc.Ref { return r.ref(ref, part) })
	written := markdown.Write(document)
	if len(written) > maxBody {
		return "", fmt.Errorf("the document has %d bytes; up to %d are accepted", len(written), maxBody)
	}
	// Text that looks like blocks must not become some: what is written is read once more, as readers get it.
	again, err := markdown.Parse(written)
	if err != nil {
		return "", err
	}
	again.Nodes = allowed(again.Nodes, r.integration)
	return string(markdown.Write(again)), nil
}

// allowed returns nodes without those that show what an integration may not see, or that depend on the reader.
func allowed(nodes []*doc.Node, integration string) []*doc.Node {
	kept := nodes[:0:0]
	for _, node := range nodes {
		switch data := node.Data.(type) {
		case *doc.OpenAPIData:
			continue
		case *doc.IntegrationData:
			if !strings.EqualFold(data.Integration, integration) {
				continue
			}
		}
		if node.Type == doc.ReusableContent || node.Type == doc.If || node.Type == doc.Expression {
			continue
		}
		node.Nodes = allowed(node.Nodes, integration)
		node.Fragments = allowed(node.Fragments, integration)
		kept = append(kept, node)
	}
	return kept
}

package computed

import (
	"encoding/json"
	"fmt"
	"net/url"
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
	URL         string           `json:"url,omitempty"`
	Source      *entity.Computed `json:"source,omitempty"`
	// Body is Markdown. Missing says that the script has never given it.
	Body    string      `json:"body,omitempty"`
	Missing bool        `json:"missing,omitempty"`
	Pages   []*keptPage `json:"pages,omitempty"`
}

// made returns the page as it stands among others.
func (p *keptPage) made() *spec.Made {
	made := &spec.Made{Type: p.Type, Seed: p.Seed, Title: p.Title, Slug: p.Slug, Description: p.Description,
		Icon: p.Icon, Source: p.Source}
	switch {
	case p.Type == entity.PageLink:
		made.Target = &doc.Ref{Kind: doc.RefURL, URL: p.URL}
	case p.Missing:
		made.Nodes = paragraph(failed)
	case p.Type == entity.PageDocument:
		if document, err := markdown.Parse([]byte(p.Body)); err == nil {
			document.ReadDestinations()
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
	Title        string          `json:"title"`
	Slug         string          `json:"slug"`
	Description  string          `json:"description"`
	Icon         string          `json:"icon"`
	ComputedSeed string          `json:"computedSeed"`
	Computed     *givenSource    `json:"computed"`
	Document     json.RawMessage `json:"document"`
	Target       *struct {
		URL string `json:"url"`
	} `json:"target"`
	Href  string      `json:"href"`
	Pages []givenPage `json:"pages"`
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
	pages       int
	// documents are the pages that the script has to be asked for.
	documents []*asked
}

// asked is a page whose document comes from a source.
type asked struct {
	page     *keptPage
	sourceID string
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
		page, err := r.page(&given[i], above, taken)
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

func (r *reading) page(given *givenPage, above string, taken map[string]bool) (*keptPage, error) {
	page := &keptPage{Type: entity.PageType(given.Type), Title: plainText(given.Title, entity.MaxTitleLength),
		Description: plainText(given.Description, entity.MaxDescriptionLength)}
	if page.Title == "" {
		return nil, fmt.Errorf("a page has no title")
	}
	if len(given.Icon) <= 100 && iconPattern.MatchString(given.Icon) {
		page.Icon = given.Icon
	}
	name := given.Slug
	if name == "" {
		name = given.Title
	}
	page.Slug = entity.UniqueSlug(name, func(slug string) bool { return taken[slug] })
	taken[page.Slug] = true
	page.Seed = r.seed(given, above, page.Slug)
	switch page.Type {
	case entity.PageGroup:
	case entity.PageLink:
		address := given.Href
		if given.Target != nil {
			address = given.Target.URL
		}
		parsed, err := url.Parse(address)
		if err != nil || len(address) > 2000 || parsed.Host == "" || parsed.Scheme != "https" &&
			parsed.Scheme != "http" {
			return nil, fmt.Errorf("the link %.100q leads to %.100q; it takes addresses with http or https", page.Title,
				address)
		}
		page.URL = address
	case entity.PageDocument, "":
		page.Type = entity.PageDocument
		return page, r.body(given, page)
	default:
		return nil, fmt.Errorf("the page %.100q is a %.40q; use document, group or link", page.Title, given.Type)
	}
	return page, nil
}

// body sets the body of a document that a script gave with its page, or notes that it is to be asked for.
func (r *reading) body(given *givenPage, page *keptPage) (err error) {
	if given.Computed != nil {
		var sourceID string
		if page.Source, sourceID, err = given.Computed.source(r.integration, r.of); err != nil {
			return err
		}
		page.Missing = true
		r.documents = append(r.documents, &asked{page, sourceID})
		return nil
	}
	page.Body, err = body(given.Document, r.integration)
	if err != nil {
		return fmt.Errorf("the page %.100q: %w", page.Title, err)
	}
	return nil
}

// seed returns what names a page for good: what the script says, or else its address.
func (r *reading) seed(given *givenPage, above, slug string) string {
	seed := given.ComputedSeed
	if seed == "" {
		seed = given.ID
	}
	if seed == "" || len(seed) > maxSeed {
		seed = above + "/" + slug
	}
	for r.seeds[seed] {
		seed += "+"
	}
	r.seeds[seed] = true
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

// body returns what a script gave as a document, as Markdown: a document, an object with a member markdown, or Markdown
// itself.
func body(given json.RawMessage, integration string) (string, error) {
	if len(given) == 0 || string(given) == "null" {
		return "", nil
	}
	var text string
	var object struct {
		Markdown *string `json:"markdown"`
	}
	document := &doc.Document{}
	var err error
	switch {
	case json.Unmarshal(given, &text) == nil:
		document, err = markdown.Parse([]byte(text))
	case json.Unmarshal(given, &object) == nil && object.Markdown != nil:
		document, err = markdown.Parse([]byte(*object.Markdown))
	default:
		err = json.Unmarshal(given, document)
	}
	if err != nil {
		return "", err
	}
	document.Nodes = allowed(document.Nodes, integration)
	written := markdown.Write(document)
	if len(written) > maxBody {
		return "", fmt.Errorf("the document has %d bytes; up to %d are accepted", len(written), maxBody)
	}
	// Text that looks like blocks must not become some: what is written is read once more, as readers get it.
	again, err := markdown.Parse(written)
	if err != nil {
		return "", err
	}
	again.Nodes = allowed(again.Nodes, integration)
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

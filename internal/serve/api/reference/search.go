package reference

import (
	"cmp"
	"context"
	"html/template"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/engine/endpoint"
)

// Bounds of a search.
const (
	maxHits  = 20
	maxQuery = 200 // bytes
)

// Answer is what a search finds, as the script of published sites reads it.
type Answer struct {
	Total int   `json:"total"`
	Items []Hit `json:"items"`
}

// Hit is a page that was found. Titles are in pieces, every second of which was found.
type Hit struct {
	Title    []string `json:"title"`
	URL      string   `json:"url"`
	Crumb    string   `json:"crumb"`
	Sections []Part   `json:"sections"`
}

// Part is what of a page was found.
type Part struct {
	Title []string `json:"title"`
	URL   string   `json:"url"`
	Text  []string `json:"text"`
}

// Search finds operations by their path and method, and pages by words of their titles, operations by their ids too.
func (r *Reference) Search(ctx context.Context, query string) (Answer, error) {
	s, err := r.site(ctx)
	if err != nil {
		return Answer{}, err
	}
	if len(query) > maxQuery {
		query = strings.ToValidUTF8(query[:maxQuery], "")
	}
	asked, isAddress := endpoint.Parse(query)
	words := strings.Fields(strings.ToLower(query))
	type ranked struct {
		*page
		score float32
	}
	var found []ranked
	for _, p := range s.pages {
		score := float32(0)
		if isAddress && p.Operation != nil {
			score = 10 * asked.Match(endpoint.Of(p.Operation.Method, p.Operation.Path))
		}
		if score += p.says(words); score > 0 {
			found = append(found, ranked{p, score})
		}
	}
	slices.SortStableFunc(found, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	answer := Answer{Total: len(found), Items: []Hit{}}
	for _, each := range found[:min(len(found), maxHits)] {
		link := r.link(each.page, nil)
		hit := Hit{Title: marked(link.Title, words), URL: link.URL, Sections: []Part{}}
		if each.above != nil && each.above.path != "" {
			hit.Crumb = each.above.Title
		}
		if o := each.Operation; o != nil {
			text := marked(strings.ToUpper(o.Method)+" "+o.Path, words)
			hit.Sections = append(hit.Sections, Part{Title: []string{}, URL: link.URL, Text: text})
		}
		answer.Items = append(answer.Items, hit)
	}
	return answer, nil
}

// says tells how well a page fits words, all of which it has to have; 0 when it does not.
func (p *page) says(words []string) float32 {
	title, more := strings.ToLower(p.Title), strings.ToLower(p.Description)
	if p.Operation != nil {
		more += " " + strings.ToLower(p.Operation.Method+" "+p.Operation.Path+" "+p.Operation.ID)
	}
	score := float32(0)
	for _, word := range words {
		switch {
		case strings.HasPrefix(title, word) || strings.Contains(title, " "+word):
			score += 3
		case strings.Contains(title, word):
			score += 2
		case strings.Contains(more, word):
			score++
		default:
			return 0
		}
	}
	return score / float32(max(1, len(words))) * (1 - float32(min(len(title), 100))/1000)
}

// marked cuts a text into pieces, every second of which is one of the words.
func marked(text string, words []string) []string {
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		return []string{text} // places in one are none in the other
	}
	pieces := []string{}
	for at := 0; ; {
		first, length := -1, 0
		for _, word := range words {
			i := strings.Index(lower[at:], word)
			if i >= 0 && (first < 0 || i < first || i == first && len(word) > length) {
				first, length = i, len(word)
			}
		}
		if first < 0 {
			return append(pieces, text[at:])
		}
		pieces = append(pieces, text[at:at+first], text[at+first:at+first+length])
		at += first + length
	}
}

// Results is the page with what a search finds, for browsers without scripts.
func (r *Reference) Results(ctx context.Context, query string) ([]byte, error) {
	answer, err := r.Search(ctx, query)
	if err != nil {
		return nil, err
	}
	s, err := r.site(ctx)
	if err != nil {
		return nil, err
	}
	v := r.view(s, s.pages[0])
	v.Title, v.Heading, v.Note = "Search · Recto API", "Search", "Nothing is found."
	v.Lists, v.Previous, v.Next = []listView{{}}, nil, nil
	for _, hit := range answer.Items {
		link := linkView{Title: strings.Join(hit.Title, ""), URL: hit.URL}
		if len(hit.Sections) > 0 {
			method, path, _ := strings.Cut(strings.Join(hit.Sections[0].Text, ""), " ")
			link.Badge, link.Path = badge(strings.ToLower(method)), path
		}
		v.Note = ""
		v.Lists[0].Operations = append(v.Lists[0].Operations, link)
	}
	v.Body = template.HTML(`<form action="` + template.HTMLEscapeString(r.Home) +
		`/search"><input type="search" name="q" aria-label="Search the API" value="` +
		template.HTMLEscapeString(query) + `"></form>`)
	return r.write(v)
}

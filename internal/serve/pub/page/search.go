package page

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
	"github.com/rectodocs/recto/internal/serve/pub/words"
)

// Sizes of a list of results: in the dialog, and on the page that needs no script.
const (
	dialogHits = 8
	pageHits   = 20
	// maxQuery bounds what is searched for, in characters; what is longer is cut.
	maxQuery = 200
	// resultsPause is after how many seconds a page of results asks again that is not complete.
	resultsPause = 2
)

// searchAnswer is what the script gets. Texts alternate between plain and highlighted.
type searchAnswer struct {
	Total int         `json:"total"`
	Items []searchHit `json:"items"`
	// Incomplete says that it is worth asking again in a moment, and Note why.
	Incomplete bool   `json:"incomplete,omitempty"`
	Note       string `json:"note,omitempty"`
	// Closest says that no page has all words, and Meant is what may have been meant.
	Closest bool   `json:"closest,omitempty"`
	Meant   string `json:"meant,omitempty"`
}

type searchHit struct {
	Title    []string        `json:"title"`
	URL      string          `json:"url"`
	Crumb    string          `json:"crumb"`
	Sections []searchSection `json:"sections"`
}

type searchSection struct {
	Title []string `json:"title"` // empty for the text before the first heading
	URL   string   `json:"url"`
	Text  []string `json:"text"`
}

// ServeSearch answers a search: a browser that opens the address gets a page, everybody else JSON.
func (p *Pages) ServeSearch(w http.ResponseWriter, r *http.Request, s *scope.Scope) error {
	w.Header().Set("Vary", "Accept")
	if limit := p.deps.SearchLimit; limit != nil {
		decision := limit.Allow(httpx.AddressKey(httpx.ClientAddress(r.Context())))
		decision.SetHeaders(w.Header())
		if !decision.OK {
			return errs.New(errs.TooMany, "Too many searches from your address. Wait a moment and try again.")
		}
	}
	query := strings.TrimSpace(strings.ToValidUTF8(r.URL.Query().Get("q"), ""))
	if utf8.RuneCountInString(query) > maxQuery {
		query = string([]rune(query)[:maxQuery])
	}
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		return p.serveResults(w, r, s, query)
	}
	answer, err := p.lookUp(s, r, query, dialogHits)
	if err != nil {
		return err
	}
	body, err := json.Marshal(answer)
	if err != nil {
		return fmt.Errorf("encode search results: %w", err)
	}
	response.New(http.Header{"Content-Type": {"application/json; charset=utf-8"}, "Cache-Control": {"no-cache"},
		"X-Robots-Tag": {"noindex"}}, body).Serve(w, r)
	return nil
}

func (p *Pages) lookUp(s *scope.Scope, r *http.Request, query string, limit int) (searchAnswer, error) {
	answer := searchAnswer{Items: []searchHit{}}
	if query == "" {
		answer.Items = p.popularHits(s)
		return answer, nil
	}
	from := s.Resolver(nil)
	from.Ctx = r.Context()
	found, err := p.deps.Search.Search(r.Context(), from.Query(query, limit))
	if errs.Is(err, errs.Invalid) {
		return answer, nil
	}
	if err != nil {
		return answer, fmt.Errorf("search site: %w", err)
	}
	answer.Total, answer.Incomplete = found.Total, found.Incomplete
	answer.Closest, answer.Meant = found.Closest, found.Suggestion
	if found.Incomplete {
		answer.Note = s.Theme().Words.StillReading
	}
	for _, page := range found.Pages {
		in, ok := from.Of(page.Space)
		if !ok {
			continue
		}
		// The index may be of an earlier revision for a moment: only what exists now is shown.
		node := in.Edition.Tree.ByID[page.ID]
		if !in.Edition.Searchable(node) {
			continue
		}
		hit := searchHit{Title: highlight(edition.PlainTitle(edition.Title(node.Entry)), query), URL: in.PageURL(node),
			Crumb: joinCrumbs(in.PartTitle(), crumbText(node)), Sections: []searchSection{}}
		for _, section := range page.Sections {
			address := hit.URL
			if section.ID != "" {
				address += "#" + section.ID
			}
			found := searchSection{Title: []string{}, URL: address, Text: marked(section.Body, section.Marks)}
			if section.Title != "" {
				found.Title = highlight(edition.PlainTitle(section.Title), query)
			}
			hit.Sections = append(hit.Sections, found)
		}
		answer.Items = append(answer.Items, hit)
	}
	return answer, nil
}

// marked cuts text at its marks: plain, highlighted, plain and so on.
func marked(text string, marks [][2]int) []string {
	parts := make([]string, 0, 2*len(marks)+1)
	at := 0
	for _, mark := range marks {
		start, end := mark[0], mark[1]
		if start < at || end < start || end > len(text) {
			continue
		}
		parts = append(parts, text[at:start], text[start:end])
		at = end
	}
	return append(parts, text[at:])
}

// highlight marks the words of a query in a title, where a word of the title begins with one.
func highlight(title, query string) []string {
	words := edition.WordsOf(query)
	var marks [][2]int
	lower := strings.ToLower(title)
	if len(lower) != len(title) { // a letter whose lower case has another length: offsets would be wrong
		return []string{title}
	}
	for at := 0; at < len(lower); {
		r, size := utf8.DecodeRuneInString(lower[at:])
		end := at + size
		if inWord(r) {
			for end < len(lower) {
				r, size := utf8.DecodeRuneInString(lower[end:])
				if !inWord(r) {
					break
				}
				end += size
			}
			for _, word := range words {
				// A single letter, as in Vec<T>, is a word by itself or nothing.
				if lower[at:end] == word || len(word) > 1 && strings.HasPrefix(lower[at:end], word) {
					marks = append(marks, [2]int{at, at + len(word)})
					break
				}
			}
		}
		at = end
	}
	return marked(title, marks)
}

func inWord(r rune) bool { return len(edition.WordsOf(string(r))) > 0 }

// serveResults answers a search with a page, for browsers without our script.
func (p *Pages) serveResults(w http.ResponseWriter, r *http.Request, s *scope.Scope, query string) error {
	answer, err := p.lookUp(s, r, query, pageHits)
	if err != nil {
		return err
	}
	v := NewView(s)
	v.Heading = s.Theme().Words.Search
	v.Title = v.Heading + " · " + v.Site.Title
	v.NoIndex = true
	v.Query = query
	v.Navigation = Navigation(s, nil)
	said := s.Theme().Words
	v.Count = words.Count(answer.Total, said.OneMatch, said.Matches, said.NoMatch)
	if answer.Incomplete {
		v.Count, v.Refresh = answer.Note, resultsPause
	}
	if query == "" {
		answer.Items = nil // this page says how to search
	}
	if answer.Closest {
		v.Closest = said.Script["closest"]
	}
	if answer.Meant != "" {
		v.Meant = &linkView{Title: answer.Meant, URL: v.Site.Search + "?q=" + url.QueryEscape(answer.Meant)}
		v.MeantLabel = said.Script["meant"]
	}
	for _, item := range answer.Items {
		hit := hitView{Title: item.Title, URL: item.URL, Crumb: item.Crumb}
		for _, section := range item.Sections {
			if len(section.Title) == 0 {
				hit.Text = section.Text
				continue
			}
			hit.Sections = append(hit.Sections, hitSectionView(section))
		}
		v.Hits = append(v.Hits, hit)
	}
	page, err := p.Execute(s, v, "results", 0)
	if err != nil {
		return err
	}
	page.Serve(w, r)
	return nil
}

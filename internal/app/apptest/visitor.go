package apptest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"testing"
	"time"
)

// Proposal is a change request on the space of a site: Preview is the address that opens its preview, with a ticket;
// Below and Revision are where it is below the site's home.
type Proposal struct{ Preview, Below, Revision string }

// Propose makes a change request of changes of updateContent.
func (a Site) Propose(changes string) Proposal {
	a.S.T.Helper()
	path := "/v1/spaces/" + a.Space + "/change-requests"
	a.S.Call(http.MethodPost, path, `{"subject":"More"}`, http.StatusCreated, nil)
	a.S.Call(http.MethodPost, path+"/1/content", `{"changes":[`+changes+`]}`, http.StatusOK, nil)
	var change struct {
		Revision string
		URLs     struct{ Preview string }
	}
	a.S.Call(http.MethodGet, path+"/1", nil, http.StatusOK, &change)
	return Proposal{Preview: change.URLs.Preview, Below: "~/changes/1/", Revision: "~/revisions/" + change.Revision +
		"/"}
}

// FoundPages are the pages that a search finds, by their addresses, and the whole answer as text.
type FoundPages struct {
	Status    int
	Total     int
	Addresses []string
	Text      string
	Header    http.Header
}

// Search searches below an address of a site as the dialog does: it asks again while pages are still being read.
func (v *Visitor) Search(below, text string) FoundPages {
	v.T.Helper()
	for range 100 {
		status, body, answer := v.Open(below + "~/search?q=" + url.QueryEscape(text))
		found := FoundPages{Status: status, Text: body, Header: answer.Header}
		var said struct {
			Total      int
			Incomplete bool
			Note       string
			Items      []struct{ URL string }
		}
		if status == http.StatusOK {
			if err := json.Unmarshal([]byte(body), &said); err != nil {
				v.T.Fatalf("search for %q: %v\n%s", text, err, body)
			}
			if said.Incomplete != (said.Note != "") {
				v.T.Errorf("incomplete is %t and the note %q", said.Incomplete, said.Note)
			}
		}
		found.Total = said.Total
		for _, item := range said.Items {
			found.Addresses = append(found.Addresses, item.URL)
		}
		if !said.Incomplete {
			return found
		}
		time.Sleep(100 * time.Millisecond)
	}
	v.T.Fatalf("the search for %q never ends", text)
	return FoundPages{}
}

// Visitor is a browser with its own cookies.
type Visitor struct {
	T      *testing.T
	Client *http.Client
}

// NewVisitor returns a visitor without cookies.
func NewVisitor(t *testing.T) *Visitor {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Visitor{t, &http.Client{Jar: jar}}
}

// Open follows redirects and returns the last answer.
func (v *Visitor) Open(address string) (status int, body string, answer *http.Response) {
	v.T.Helper()
	answer, err := v.Client.Get(address)
	if err != nil {
		v.T.Fatal(err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		v.T.Fatal(err)
	}
	return answer.StatusCode, string(raw), answer
}

package api

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/serve/api/failure"
	"github.com/rectodocs/recto/internal/serve/api/orgs"
)

type nested struct {
	Body struct {
		Title string `json:"title,omitempty"`
		Parts []struct {
			Name string `json:"name,omitempty"`
		} `json:"parts,omitempty"`
		Free  map[string]any             `json:"free,omitempty"`
		Named map[string]struct{ A int } `json:"named,omitempty"`
		Mixed orgs.InvitedEmail          `json:"mixed" required:"false"`
	}
}

type bodiless struct{}

// said returns what an answer says about a path.
func said(refusal *failure.ErrorBody, path string) string {
	if refusal == nil {
		return ""
	}
	for _, detail := range refusal.Info.Details {
		if detail.Path == path {
			return detail.Message
		}
	}
	return ""
}

func TestUnknownFieldsAreRefusedWithTheNearestName(t *testing.T) {
	call := bind[nested](t, 1<<20)
	for body, want := range map[string]errs.Detail{
		`{"titel":"x"}`: {Path: "body.titel", Message: `did you mean "title"?`},
		`{"Title":"x"}`: {Path: "body.Title", Message: `did you mean "title"?`},
		`{"colour":"x"}`: {Path: "body.colour",
			Message: "there are free, mixed, named, parts, title"},
		`{"parts":[{"name":"x"},{"nmae":"x"}]}`: {Path: "body.parts[1].nmae", Message: `did you mean "name"?`},
		`{"named":{"any":{"A":1,"B":1}}}`:       {Path: "body.named.any.B", Message: `did you mean "A"?`},
		`{"mixed":{"email":"x","rle":"read"}}`:  {Path: "body.mixed.rle", Message: `did you mean "role"?`},
		`{"` + strings.Repeat("x", 999) + `":1}`: {Path: "body." + strings.Repeat("x", 60) + "…",
			Message: "there are free"},
	} {
		_, refusal := call(http.MethodPost, "/x", "application/json", body)
		if refusal == nil || refusal.Info.Code != http.StatusBadRequest || !strings.Contains(said(refusal, want.Path),
			want.Message) {
			t.Errorf("%.60s: %+v, want %+v", body, refusal, want)
		}
	}
	for _, body := range []string{
		`{"title":"x","parts":[{"name":"y"}],"free":{"any":{"thing":[{"z":1}]}},"named":{"x":{"A":1}}}`,
		`{"mixed":"x"}`, `{"mixed":{"email":"x"}}`} {
		if _, refusal := call(http.MethodPost, "/x", "application/json", body); refusal != nil {
			t.Errorf("%s: %+v", body, refusal)
		}
	}
	many := `{` + strings.Repeat(`"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,`, 2) +
		`"m":1}`
	if _, refusal := call(http.MethodPost, "/x", "application/json", many); refusal == nil ||
		len(refusal.Info.Details) != mostUnknown {
		t.Errorf("many unknown fields: %+v", refusal)
	}
}

func TestUnknownParametersAreRefusedWithTheNearestName(t *testing.T) {
	call := bind[everything](t, 1<<10)
	for query, want := range map[string]errs.Detail{
		"wnated=x":         {Path: "query.wnated", Message: `did you mean "wanted"?`},
		"Deep=true":        {Path: "query.Deep", Message: `did you mean "deep"?`},
		"kind[]=owl":       {Path: "query.kind[]", Message: "kind=one&kind=two"},
		"kind[0]=owl":      {Path: "query.kind[0]", Message: "kind=one&kind=two"},
		"names[]=a":        {Path: "query.names[]", Message: "without brackets"},
		"limit=1&limit=2":  {Path: "query.limit", Message: "more than once"},
		"limit=1;deep=yes": {Path: "query", Message: "separated by &"},
		"utm=x":            {Path: "query.utm", Message: "there are limit, deep, kind, names, since, wanted"},
	} {
		_, refusal := call(http.MethodPost, "/books?wanted=x&"+query, "", "")
		if refusal == nil || refusal.Info.Code != http.StatusBadRequest || !strings.Contains(said(refusal, want.Path),
			want.Message) {
			t.Errorf("%s: %+v, want %+v", query, refusal, want)
		}
	}
	if _, refusal := call(http.MethodPost, "/books?wanted=x&kind=owl&kind=crow", "", ""); refusal != nil {
		t.Errorf("a repeated list: %+v", refusal)
	}
}

func TestABodyThatNobodyTakesIsRefused(t *testing.T) {
	call := bind[bodiless](t, 1<<20)
	for body, refused := range map[string]bool{
		"": false, "{}": false, " null\n": false, `{"title":"x"}`: true, "words": true,
		strings.Repeat(" ", noBody+1): true,
	} {
		_, refusal := call(http.MethodPost, "/x", "application/json", body)
		if refused != (refusal != nil && refusal.Info.Code == http.StatusBadRequest && said(refusal, "body") != "") {
			t.Errorf("%.20q: %+v", body, refusal)
		}
	}
}

package api

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/serve/api/failure"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Paths is embedded in everything below, as the inputs of operations embed theirs.
type Paths struct {
	Shelf string `path:"shelf" maxLength:"5"`
}

type everything struct {
	Paths
	Limit   int       `query:"limit" minimum:"1" maximum:"9" default:"4"`
	Deep    bool      `query:"deep"`
	Kinds   []string  `query:"kind,explode" maxItems:"2" enum:"owl,crow"`
	Names   []string  `query:"names"`
	Since   time.Time `query:"since"`
	Wanted  string    `query:"wanted" required:"true"`
	Version string    `header:"If-Match"`
	Body    *struct {
		Title string          `json:"title" maxLength:"4"`
		Count wire.Patch[int] `json:"count"`
	}
}

type wanting struct {
	Body struct {
		Title string `json:"title"`
	}
}

type bytesOnly struct{ RawBody []byte }

// bind serves one input type and returns what it reads of a request.
func bind[In any](t *testing.T, limit int64) func(method, target, contentType, body string) (*In, *failure.ErrorBody) {
	t.Helper()
	mux := http.NewServeMux()
	config := huma.DefaultConfig("test", "1")
	config.AllowAdditionalPropertiesByDefault = true
	server := humago.New(mux, config)
	op := &huma.Operation{OperationID: "test", Method: http.MethodPost, Path: "/{shelf}", MaxBodyBytes: limit}
	binding := bindInput(op, server.OpenAPI().Components.Schemas, reflect.TypeFor[In]())
	var got *In
	var refusal *failure.ErrorBody
	server.Adapter().Handle(op, func(ctx huma.Context) {
		var read any
		if read, refusal = binding.read(server, ctx); refusal == nil {
			got = read.(*In)
		}
	})
	return func(method, target, contentType, body string) (*In, *failure.ErrorBody) {
		got, refusal = nil, nil
		request := httptest.NewRequest(method, target, io.NopCloser(strings.NewReader(body)))
		if contentType != "" {
			request.Header.Set("Content-Type", contentType)
		}
		request.Header.Set("If-Match", `"7"`)
		mux.ServeHTTP(httptest.NewRecorder(), request)
		return got, refusal
	}
}

func TestARequestBecomesAnInput(t *testing.T) {
	call := bind[everything](t, 1<<10)
	query := url.Values{
		"deep": {"true"}, "kind": {"owl", "crow"}, "names": {"a,b"}, "since": {"2026-01-31T09:30:00Z"}, "wanted": {"x"},
	}
	got, refusal := call(http.MethodPost, "/books?"+query.Encode(), "application/json", `{"title":"Owls","count":3}`)
	if refusal != nil {
		t.Fatal(refusal)
	}
	want := everything{
		Paths: Paths{Shelf: "books"}, Limit: 4, Deep: true, Kinds: []string{"owl", "crow"}, Names: []string{"a", "b"},
		Since: time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC), Wanted: "x", Version: `"7"`, Body: got.Body,
	}
	if !reflect.DeepEqual(*got, want) {
		t.Errorf("got %+v, want %+v", *got, want)
	}
	if got.Body == nil || got.Body.Title != "Owls" || got.Body.Count.Or(0) != 3 {
		t.Errorf("body %+v", got.Body)
	}
}

func TestAnOptionalBodyMayBeAbsent(t *testing.T) {
	got, refusal := bind[everything](t, 1<<10)(http.MethodPost, "/books?wanted=x", "", "")
	if refusal != nil || got.Body != nil {
		t.Errorf("got %+v, %v", got, refusal)
	}
}

func TestEveryInvalidPartOfARequestIsNamed(t *testing.T) {
	_, refusal := bind[everything](t, 1<<10)(http.MethodPost,
		"/bookshelf?limit=many&deep=perhaps&kind=owl&kind=bat&kind=crow&since=yesterday", "application/json",
		`{"title":"Too long","count":"three"}`)
	if refusal == nil || refusal.Info.Code != http.StatusBadRequest {
		t.Fatalf("refusal %+v", refusal)
	}
	for _, path := range []string{"path.shelf", "query.limit", "query.deep", "query.kind", "query.kind[1]",
		"query.since", "query.wanted", "body.title", "body.count"} {
		if !names(refusal.Info.Details, path) {
			t.Errorf("%s is not named in %+v", path, refusal.Info.Details)
		}
		if !strings.Contains(refusal.Info.Message, path+": ") {
			t.Errorf("the message does not name %s: %s", path, refusal.Info.Message)
		}
	}
}

func names(details []errs.Detail, path string) bool {
	for _, detail := range details {
		if detail.Path == path && detail.Message != "" {
			return true
		}
	}
	return false
}

func TestBodiesThatAreRefused(t *testing.T) {
	const limit = 32
	json := bind[wanting](t, limit)
	raw := bind[bytesOnly](t, limit)
	jsonBody := func(contentType, body string) *failure.ErrorBody {
		_, refusal := json(http.MethodPost, "/x", contentType, body)
		return refusal
	}
	rawBody := func(contentType, body string) *failure.ErrorBody {
		_, refusal := raw(http.MethodPost, "/x", contentType, body)
		return refusal
	}
	full := `{"title":"` + strings.Repeat("x", limit-len(`{"title":""}`)) + `"}`
	for name, c := range map[string]struct {
		read        func(contentType, body string) *failure.ErrorBody
		contentType string
		body        string
		status      int // 0 for a body that is taken
	}{
		"none":              {jsonBody, "application/json", "", 400},
		"no JSON":           {jsonBody, "application/json", `{"title":`, 400},
		"wrong shape":       {jsonBody, "application/json", `[]`, 400},
		"missing property":  {jsonBody, "application/json", `{}`, 400},
		"a form":            {jsonBody, "application/x-www-form-urlencoded", `title=x`, 415},
		"bad content type":  {jsonBody, "application/json/", `{"title":"x"}`, 415},
		"no content type":   {jsonBody, "", `{"title":"x"}`, 0},
		"with charset":      {jsonBody, "application/json; charset=utf-8", `{"title":"x"}`, 0},
		"as long as may be": {jsonBody, "application/json", full, 0},
		"longer":            {jsonBody, "application/json", full + " ", 413},
		"no bytes":          {rawBody, "text/plain", "", 400},
		"bytes":             {rawBody, "text/plain", "owl", 0},
		"too many bytes":    {rawBody, "text/plain", strings.Repeat("x", limit+1), 413},
	} {
		refusal := c.read(c.contentType, c.body)
		switch {
		case c.status == 0 && refusal != nil:
			t.Errorf("%s: refused with %+v", name, refusal.Info)
		case c.status != 0 && (refusal == nil || refusal.Info.Code != c.status || refusal.Info.Message == ""):
			t.Errorf("%s: got %+v, want %d", name, refusal, c.status)
		}
	}
}

func TestTypesThatNoRequestFills(t *testing.T) {
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	for name, of := range map[string]reflect.Type{
		"a field from nowhere": reflect.TypeFor[struct{ Lost string }](),
		"a parameter of many parts": reflect.TypeFor[struct {
			Sum complex128 `query:"sum"`
		}](),
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is taken", name)
				}
			}()
			bindInput(&huma.Operation{OperationID: "test"}, registry, of)
		}()
	}
	for name, of := range map[string]reflect.Type{
		"a field for nobody": reflect.TypeFor[struct{ Lost string }](),
		"a status of text":   reflect.TypeFor[struct{ Status string }](),
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is taken", name)
				}
			}()
			bindOutput(&huma.Operation{OperationID: "test"}, registry, of)
		}()
	}
}

type shelf string

// TestNamedTextsAreRead holds that parameters may have types of their own over text, alone and in lists.
func TestNamedTextsAreRead(t *testing.T) {
	var one shelf
	if _, err := parseParameter(reflect.ValueOf(&one).Elem(), "books", nil); err != nil || one != "books" {
		t.Errorf("read %q, %v", one, err)
	}
	for name, values := range map[string][]string{"with commas": nil, "repeated": {"books", "maps"}} {
		var list []shelf
		checked, err := parseParameter(reflect.ValueOf(&list).Elem(), "books,maps", values)
		if err != nil || !slices.Equal(list, []shelf{"books", "maps"}) {
			t.Errorf("%s: read %q, %v", name, list, err)
		}
		if texts, ok := checked.([]string); !ok || len(texts) != 2 {
			t.Errorf("%s: a schema checks %#v", name, checked)
		}
	}
}

package app_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// admissionSchema asks for a plan, for something that visitors say of themselves, and for members.
const admissionSchema = `{"type":"object","properties":{"plan":{"type":"string"},
	"member":{"type":"object","properties":{"role":{"type":"string"}},"additionalProperties":false},
	"unsigned":{"type":"object","description":"Unsigned claims of the site visitor.","properties":{
		"beta":{"type":"boolean"}},"additionalProperties":false}},"additionalProperties":false}`

// admissionSite is a site with two sections: one for everybody whom the site is for, and one with a condition.
type admissionSite struct {
	apptest.Site
	name, visibility, signIn               string
	adaptive, noAgents, unpublished, moved bool
	host                                   string // of its own
	key, revoked, secret                   string
}

// asker is what somebody brings to a site.
type asker struct {
	name  string
	key   string // "good", "revoked", "other", "forged"
	token string // "free", "pro", "expired", "other", "forged", "claimed", "reader", "admin", "left"
	beta  bool
	agent bool
}

// admissionFixture is a server with the sites, and those who are asked about.
type admissionFixture struct {
	*apptest.Server
	first, second        string // spaces
	sites                []*admissionSite
	tokens               map[string]string // of members, by asker.token
	guest, reader, other string            // API tokens of people
	gone                 apptest.Answer    // what there is at a site that is not there
}

const signInPage = "https://example.com/login"

func newAdmissionFixture(t *testing.T, s *apptest.Server) *admissionFixture {
	t.Helper()
	f := &admissionFixture{Server: s, tokens: map[string]string{}}
	text := func(name string) string {
		space := s.Space(name)
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/content", `{"changes":[{"operation":"insert_page",
			"title":"Start","document":{"markdown":"Text of the `+name+` space.\n"}}]}`, http.StatusOK, nil)
		return space
	}
	f.first, f.second = text("first"), text("second")
	for _, of := range []admissionSite{
		{name: "public", visibility: "public", adaptive: true},
		{name: "unlisted", visibility: "unlisted"},
		{name: "shared", visibility: "share-link", adaptive: true},
		{name: "closed", visibility: "visitor-auth", adaptive: true},
		{name: "guarded", visibility: "visitor-auth", adaptive: true, signIn: signInPage},
		{name: "people", visibility: "public", adaptive: true, noAgents: true},
		{name: "shared people", visibility: "share-link", adaptive: true, noAgents: true, signIn: signInPage},
		{name: "guarded people", visibility: "visitor-auth", adaptive: true, noAgents: true, signIn: signInPage},
		{name: "unpublished", visibility: "public", unpublished: true},
		{name: "moved", visibility: "share-link", adaptive: true, moved: true},
		{name: "own host", visibility: "visitor-auth", adaptive: true, host: "docs.admission.example"},
	} {
		f.sites = append(f.sites, f.newSite(of))
	}
	f.Call(http.MethodPatch, "/v1/spaces/"+f.second, `{"defaultLevel":null}`, http.StatusOK, nil)

	var second apptest.Identified
	f.Call(http.MethodPost, "/v1/orgs", `{"title":"Other","emailDomains":[],"type":"business","useCase":"docsSite"}`,
		http.StatusCreated, &second)
	f.other = f.OperatorAdds("eve@example.net", second.ID, "admin")
	var guestID string
	f.guest, guestID = f.Person(org.RoleGuest, "guest@example.org")
	f.Call(http.MethodPost, "/v1/spaces/"+f.second+"/permissions", map[string]any{"users": []string{guestID},
		"role": "read"}, http.StatusNoContent, nil)
	f.reader = f.Member(org.RoleRead, "reader@example.org")
	leaver, leaverID := f.Person(org.RoleRead, "leaver@example.org")
	f.tokens = map[string]string{"reader": f.Ping(f.reader), "admin": f.Ping(f.Token), "left": f.Ping(leaver)}
	f.Call(http.MethodDelete, "/v1/orgs/"+f.Organization+"/members/"+leaverID, nil, http.StatusResetContent, nil)
	f.gone = f.read(strings.Replace(f.sites[0].Home, "/manual-of-public/", "/not-there/", 1), "", false, nil)
	return f
}

func (f *admissionFixture) newSite(of admissionSite) *admissionSite {
	f.T.Helper()
	var made struct {
		ID   string
		URLs struct{ Published string }
	}
	sites := "/v1/orgs/" + f.Organization + "/sites"
	f.Call(http.MethodPost, sites, map[string]any{"title": "Manual of " + of.name, "visibility": of.visibility,
		"spaces": []string{f.first}}, http.StatusCreated, &made)
	f.Call(http.MethodPost, sites+"/"+made.ID+"/publish", nil, http.StatusOK, &made)
	of.Site = apptest.Site{S: f.Server, Path: sites + "/" + made.ID, Home: made.URLs.Published}
	f.Call(http.MethodPost, of.Path+"/sections", map[string]any{"spaceId": f.second, "title": "More"},
		http.StatusCreated, nil)
	var sections struct{ Items []apptest.Identified }
	f.Call(http.MethodGet, of.Path+"/sections", nil, http.StatusOK, &sections)
	f.Call(http.MethodPatch, of.Path+"/sections/"+sections.Items[1].ID,
		`{"condition":"visitor.claims.plan == \"pro\" || visitor.claims.unsigned.beta === true"}`, http.StatusOK, nil)
	if of.adaptive {
		of.Adapt(admissionSchema)
	}
	of.secret = of.Site.Key()
	auth := `{"backend":"custom"}`
	if of.signIn != "" {
		auth = `{"backend":"custom","fallbackURL":"` + of.signIn + `"}`
	}
	f.Call(http.MethodPatch, of.Path+"/publishing/auth", auth, http.StatusOK, nil)
	secretOf := func(address string) string { return strings.Trim(strings.TrimPrefix(address, of.Home), "/") }
	_, address := of.Link("Customers")
	of.key = secretOf(address)
	id, address := of.Link("Partners")
	of.revoked = secretOf(address)
	f.Call(http.MethodPatch, of.Path+"/share-links/"+id, `{"active":false}`, http.StatusOK, nil)
	if of.noAgents {
		f.Call(http.MethodPatch, of.Path, `{"agentsContext":"excluded"}`, http.StatusOK, nil)
	}
	if of.moved { // the address that is asked for is the one before
		f.Call(http.MethodPatch, of.Path, `{"basename":"elsewhere"}`, http.StatusOK, nil)
	}
	if of.host != "" {
		f.Exec(`UPDATE site SET custom_hostname = $1, hostname_proven = $2, updated_at = updated_at + 1 WHERE id = $3`,
			of.host, true, made.ID)
		of.Home = "http://" + of.host + "/"
	}
	if of.unpublished {
		f.Call(http.MethodPost, of.Path+"/unpublish", nil, http.StatusOK, nil)
	}
	return &of
}

// askers are all that somebody may bring.
func askers() []asker {
	all := []asker{{name: "nothing"}}
	for _, key := range []string{"good", "revoked", "other", "forged"} {
		all = append(all, asker{name: key + " key", key: key})
	}
	for _, token := range []string{"free", "pro", "expired", "other", "forged", "claimed", "reader", "admin", "left"} {
		all = append(all, asker{name: token + " token", token: token})
	}
	return append(all,
		asker{name: "claims that nobody signed", beta: true},
		asker{name: "a reader with claims that nobody signed", token: "reader", beta: true},
		asker{name: "an admin with claims that nobody signed", token: "admin", beta: true},
		asker{name: "key and token", key: "good", token: "pro"},
		asker{name: "key and token that has expired", key: "good", token: "expired"},
		asker{name: "agent", agent: true},
		asker{name: "agent with a key", key: "good", agent: true},
		asker{name: "agent with a token", token: "pro", agent: true})
}

// keyOf and tokenOf are what an asker brings to a site, "" for nothing.
func (f *admissionFixture) keyOf(a asker, at *admissionSite) string {
	switch a.key {
	case "good":
		return at.key
	case "revoked":
		return at.revoked
	case "other":
		return f.otherThan(at).key
	case "forged":
		return strings.Repeat("a", 32)
	}
	return ""
}

func (f *admissionFixture) tokenOf(a asker, at *admissionSite) string {
	plan := map[string]any{"plan": a.token}
	switch a.token {
	case "":
		return ""
	case "free", "pro":
	case "expired":
		plan["exp"] = 1
	case "other":
		return apptest.SignClaims(f.T, f.otherThan(at).secret, map[string]any{"plan": "pro"})
	case "forged":
		return apptest.SignClaims(f.T, "not the key", map[string]any{"plan": "pro"})
	case "claimed": // the site's program knows nothing of members
		plan["member"], plan["sub"] = map[string]any{"role": "admin"}, "user_x"
	default:
		return f.tokens[a.token]
	}
	return apptest.SignClaims(f.T, at.secret, plan)
}

func (f *admissionFixture) otherThan(at *admissionSite) *admissionSite {
	for _, other := range f.sites {
		if other != at && other.visibility == at.visibility {
			return other
		}
	}
	return f.sites[0]
}

// want is the rule in other words than those of the code: what is there for an asker at a path.
func (f *admissionFixture) want(at *admissionSite, a asker, path string) string {
	member := a.token == "reader" || a.token == "admin"
	vouched := a.token == "free" || a.token == "pro" || a.token == "claimed" || member
	in := map[string]bool{"public": true, "unlisted": true, "share-link": a.key == "good",
		"visitor-auth": vouched}[at.visibility]
	switch {
	case at.unpublished:
		return "nothing"
	case !in && at.visibility == "visitor-auth" && at.signIn != "":
		return "sign in"
	case !in || a.agent && at.noAgents:
		return "nothing"
	}
	meets := at.adaptive && (a.token == "pro" || a.beta)
	mayRead := at.visibility != "visitor-auth" || a.token != "reader"
	if strings.HasPrefix(path, "more/") && meets && mayRead {
		return "second"
	}
	return "first"
}

// read opens an address of a site, at its host.
func (f *admissionFixture) read(address, host string, agent bool, jar http.CookieJar) apptest.Answer {
	f.T.Helper()
	target, err := url.Parse(address)
	if err != nil {
		f.T.Fatal(err)
	}
	request, err := http.NewRequestWithContext(f.T.Context(), http.MethodGet, f.Base+target.RequestURI(), nil)
	if err != nil {
		f.T.Fatal(err)
	}
	request.Host = host
	request.Header.Set("Accept", "text/html")
	if agent {
		request.Header.Set("User-Agent", "Mozilla/5.0 (compatible; GPTBot/1.1)")
	}
	if jar == nil {
		return f.Send(request)
	}
	target.Scheme = "https" // which cookies may ask for
	for _, cookie := range jar.Cookies(target) {
		request.AddCookie(cookie)
	}
	said := f.Send(request)
	jar.SetCookies(target, (&http.Response{Header: said.Header}).Cookies())
	return said
}

// atSite asks the site itself, as a new browser does.
func (f *admissionFixture) atSite(at *admissionSite, a asker, path, query string) (got, signIn string) {
	f.T.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		f.T.Fatal(err)
	}
	address := at.Home
	if key := f.keyOf(a, at); key != "" {
		address += key + "/"
	}
	parameters, err := url.ParseQuery(query)
	if err != nil {
		f.T.Fatal(err)
	}
	if token := f.tokenOf(a, at); token != "" {
		parameters.Set("jwt_token", token)
	}
	if a.beta {
		parameters.Set("visitor.beta", "true")
	}
	address += path + "?" + parameters.Encode()
	for range 6 {
		target, err := url.Parse(address)
		if err != nil {
			f.T.Fatal(err)
		}
		said := f.read(address, target.Host, a.agent, jar)
		body := string(said.Body)
		switch said.Status {
		case http.StatusOK:
			for _, space := range []string{"first", "second"} {
				if strings.Contains(body, "Text of the "+space+" space.") {
					return space, ""
				}
			}
			if strings.Contains(body, "What is proposed.") {
				return "preview", ""
			}
			f.T.Fatalf("%s shows something else: %s", address, body)
		case http.StatusUnauthorized:
			return "sign in", html.UnescapeString(body)
		case http.StatusForbidden:
			return "nothing", ""
		case http.StatusNotFound:
			if strings.Contains(body, "Manual of "+at.name) {
				return "first", "" // a page that says that there is no such page
			}
			if body != string(f.gone.Body) {
				f.T.Errorf("%s does not answer as where nothing is: %s", address, body)
			}
			return "nothing", ""
		}
		next, err := target.Parse(said.Header.Get("Location"))
		if err != nil || said.Status < 300 || said.Status >= 400 {
			f.T.Fatalf("%s: %d %s", address, said.Status, said.Header.Get("Location"))
		}
		if strings.HasPrefix(next.String(), signInPage) {
			return "sign in", next.String()
		}
		address = next.String()
	}
	f.T.Fatalf("%s leads on and on", address)
	return "", ""
}

// lookUp asks the API on behalf of an asker, or for a caller themselves where there is no asker.
func (f *admissionFixture) lookUp(caller string, at *admissionSite, a *asker, path string,
	inAddress bool) (got, signIn string) {
	f.T.Helper()
	body := map[string]any{"redirectOnError": true}
	address, parameters := at.Home, url.Values{}
	if a != nil {
		if key := f.keyOf(*a, at); key != "" {
			address += key + "/"
		}
		visitor := map[string]any{"type": map[bool]string{true: "agent", false: "human"}[a.agent]}
		token := f.tokenOf(*a, at)
		if token != "" && inAddress {
			parameters.Set("jwt_token", token)
		} else if token != "" {
			visitor["jwtToken"] = token
		}
		if a.beta && inAddress {
			parameters.Set("visitor.beta", "true")
		} else if a.beta {
			visitor["unsignedClaims"] = map[string]any{"beta": true}
		}
		body["visitor"] = visitor
	}
	address += path
	if len(parameters) > 0 {
		address += "?" + parameters.Encode()
	}
	for range 3 {
		body["url"] = address
		said := f.Raw(http.MethodPost, "/v1/urls/published", caller, body)
		var found struct {
			Target, Redirect, Space string
			Preview                 bool
		}
		switch said.Status {
		case http.StatusNotFound:
			return "nothing", ""
		case http.StatusOK:
		default:
			f.T.Fatalf("%s: %d %s", address, said.Status, said.Body)
		}
		if err := json.Unmarshal(said.Body, &found); err != nil {
			f.T.Fatal(err)
		}
		switch {
		case found.Target == "external":
			return "sign in", found.Redirect
		case found.Target == "content":
			address = found.Redirect
			continue
		case found.Preview:
			return "preview", ""
		case found.Space == f.first:
			return "first", ""
		case found.Space == f.second:
			return "second", ""
		}
		f.T.Fatalf("%s: %s", address, said.Body)
	}
	f.T.Fatalf("%s leads on and on", address)
	return "", ""
}

// TestBothDoorsAdmitTheSame asks published sites and the look-up of addresses, for everything that somebody may bring,
// who may see a site and what of it. Both have to say the same, and what the rule says.
func TestBothDoorsAdmitTheSame(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		f := newAdmissionFixture(t, s)
		questions := 0
		callers := []string{f.guest, f.other, f.reader, f.Token}
		for _, at := range f.sites {
			for _, path := range []string{"start", "more/start"} {
				for _, a := range askers() {
					questions++
					what := fmt.Sprintf("%s at %s of the site %q", a.name, path, at.name)
					want := f.want(at, a, path)
					shown, signIn := f.atSite(at, a, path, "")
					if shown != want {
						t.Errorf("%s: the site shows %q, want %q", what, shown, want)
					}
					// Who looks an address up for a visitor gets what the visitor gets, whoever they are.
					caller := callers[questions%len(callers)]
					told, at := f.lookUp(caller, at, &a, path, questions%2 == 0)
					if told != want {
						t.Errorf("%s: the look-up tells %q, want %q", what, told, want)
					}
					if told == "sign in" && !strings.Contains(signIn, at) {
						t.Errorf("%s: signs in at %q, the site says %q", what, at, signIn)
					}
				}
				// Those who ask for themselves and are no members are strangers; members see all.
				for name, caller := range map[string]string{"guest": f.guest, "other organization": f.other,
					"reader": f.reader, "admin": f.Token} {
					want := f.want(at, asker{}, path)
					if (name == "reader" || name == "admin") && !at.unpublished {
						want = map[string]string{"start": "first", "more/start": "second"}[path]
					}
					if told, _ := f.lookUp(caller, at, nil, path, false); told != want {
						t.Errorf("%s for themselves at %s of %q: %q, want %q", name, path, at.name, told, want)
					}
				}
			}
		}
		// Addresses for signing in tell nobody of a site that sends nobody to sign in.
		for _, at := range f.sites {
			for _, path := range []string{"~/auth/login", "~/auth/logout"} {
				if at.visibility != "share-link" {
					continue
				}
				if shown, _ := f.atSite(at, asker{}, path, ""); shown != "nothing" {
					t.Errorf("%s of %q shows a stranger %q", path, at.name, shown)
				}
			}
		}
		if questions < 400 {
			t.Errorf("%d questions", questions)
		}
	})
}

// TestBothDoorsPreviewTheSame asks both for the preview of a change in a section that is hidden from everybody who
// asks.
func TestBothDoorsPreviewTheSame(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		f := newAdmissionFixture(t, s)
		changes := "/v1/spaces/" + f.second + "/change-requests"
		f.Call(http.MethodPost, changes, `{"subject":"More"}`, http.StatusCreated, nil)
		var tree struct{ Pages []apptest.Identified }
		f.Call(http.MethodGet, "/v1/spaces/"+f.second+"/content/pages", nil, http.StatusOK, &tree)
		f.Call(http.MethodPost, changes+"/1/content", `{"changes":[{"operation":"update_page","page":"`+
			tree.Pages[0].ID+`","document":{"markdown":"What is proposed.\n"}}]}`, http.StatusOK, nil)
		for name, person := range map[string]struct {
			token string
			may   bool
		}{"admin": {f.Token, true}, "guest of the space": {f.guest, true}, "member without access": {f.reader, false},
			"other organization": {f.other, false}} {
			var change struct{ URLs struct{ Preview string } }
			ticket := "?ticket=x"
			if person.may {
				f.CallAs(person.token, http.MethodGet, changes+"/1", nil, http.StatusOK, &change)
				_, query, _ := strings.Cut(change.URLs.Preview, "?")
				ticket = "?" + query
			}
			for _, at := range f.sites {
				for _, path := range []string{"more/~/changes/1/start", "more/~/changes/2/start", "~/changes/1/start"} {
					want := person.may && !at.unpublished && path == "more/~/changes/1/start"
					shown, _ := f.atSite(at, asker{}, path, strings.TrimPrefix(ticket, "?"))
					if (shown == "preview") != want {
						t.Errorf("%s at %s of %q: the site shows %q", name, path, at.name, shown)
					}
					if shown == "second" {
						t.Errorf("%s at %s of %q: the preview shows what is live", name, path, at.name)
					}
					told, _ := f.lookUp(person.token, at, nil, path, false)
					if (told == "preview") != want {
						t.Errorf("%s at %s of %q: the look-up tells %q", name, path, at.name, told)
					}
				}
			}
		}
	})
}

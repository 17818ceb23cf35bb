package pub

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/expr"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/words"
)

// inspectionPath is where members look at a site as a visitor, below its root. Behind it come the claims, in base64,
// and then the paths of the site.
const inspectionPath = "~/visitor/"

// inspectionCookie keeps the ticket of a member.
const inspectionCookie = "recto_inspection"

// reasonsPath is where, below the claims, a member reads what is hidden and why.
const reasonsPath = "~/hidden"

// inspection is a member's look at a site as a visitor.
type inspection struct {
	// claims are the visitor's in a line, "" for one of whom nothing is known.
	claims string
	// Choose is where other claims are chosen, Reasons where it is said what is hidden; Leave is the live site.
	Choose, Reasons, Leave string
}

// serveInspection answers for a member who looks at the site as a visitor; done is false for everybody else. Who it is
// and what they may read is checked for every request.
func (s *Server) serveInspection(w http.ResponseWriter, r *http.Request, asked request) (done bool, err error) {
	below, ok := strings.CutPrefix(asked.rest, inspectionPath)
	if !ok || s.deps.Previews == nil {
		return false, nil
	}
	g := &gate{server: s, r: r, request: asked}
	served := asked.found.site
	if ticket := r.URL.Query().Get(ticketParameter); ticket != "" {
		if _, until, ok := s.deps.Previews.Ticket(ticket, served.Site.ID); ok {
			query := r.URL.Query()
			query.Del(ticketParameter)
			g.setCookie(w, inspectionCookie, ticket, until)
			g.leave(w, asked.found.root+asked.rest, query)
			return true, nil
		}
	}
	cookie, err := r.Cookie(inspectionCookie)
	if err != nil {
		return false, nil
	}
	user, _, ok := s.deps.Previews.Ticket(cookie.Value, served.Site.ID)
	if !ok {
		return false, nil
	}
	readable, err := s.deps.Previews.Readable(r.Context(), user, served)
	if errs.Is(err, errs.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	rules, err := s.deps.Audiences.Rules(r.Context(), served.Site)
	if err != nil {
		return false, err
	}
	asked.found = asked.found.only(readable)
	w = response.Private(w)
	if below == "" {
		return true, s.serveChoice(w, r, asked, rules)
	}
	return true, s.serveAs(w, r, asked, rules, below)
}

// only returns a site with the spaces in a set alone.
func (found *resolved) only(readable map[string]bool) *resolved {
	left := *found
	left.site = found.site.Only(readable)
	var state strings.Builder
	for _, space := range left.site.Spaces {
		state.WriteString(" " + space.ID)
	}
	left.state += " only" + edition.ShortKey(state.String())
	return &left
}

// serveAs shows the site as a visitor sees it; below begins with the claims.
func (s *Server) serveAs(w http.ResponseWriter, r *http.Request, asked request, rules *audience.Rules,
	below string) error {
	encoded, rest, slash := strings.Cut(below, "/")
	said, ok := readClaims(encoded)
	if !ok {
		return errs.NotFoundf("these are not claims; choose them at %s", asked.found.root+inspectionPath)
	}
	root := asked.found.root
	here := root + inspectionPath + encoded + "/"
	whole := *asked.found
	whole.root = here
	if !slash {
		return response.Redirect(w, r, here)
	}
	unsigned, _ := said["unsigned"].(map[string]any)
	by := viewer{visitor: edition.Nobody, adaptive: true, admitted: true, inspection: &inspection{
		Choose: root + inspectionPath + "?from=" + encoded, Reasons: here + reasonsPath, Leave: root,
	}}
	if asked.found.site.Site.AdaptiveContent && rules.Schema != nil {
		by.visitor = edition.NewVisitor(rules.Schema.Assumed(said, unsigned))
		by.inspection.claims = describeClaims(by.visitor.Claims)
	}
	assumed := *whole.as(audience.Assume(whole.site, by.visitor.Claims))
	assumed.state += " as " + here
	asked.found, asked.rest = &assumed, rest
	if rest == reasonsPath {
		return s.serveReasons(w, r, asked, by, &whole)
	}
	return s.serveSite(w, r, asked, by)
}

// maxClaims bounds the claims in an address, in characters.
const maxClaims = 3000

func readClaims(encoded string) (map[string]any, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil || len(encoded) > maxClaims {
		return nil, false
	}
	var claims map[string]any
	return claims, json.Unmarshal(raw, &claims) == nil && claims != nil
}

// describeClaims says in a line what a visitor's claims are, "" for none.
func describeClaims(claims map[string]any) string {
	var said []string
	var walk func(claims map[string]any, path string)
	walk = func(claims map[string]any, path string) {
		for _, name := range slices.Sorted(maps.Keys(claims)) {
			if inner, ok := claims[name].(map[string]any); ok {
				walk(inner, path+name+".")
				continue
			}
			said = append(said, path+name+" = "+plainJSON(claims[name]))
		}
	}
	walk(claims, "")
	return strings.Join(said, ", ")
}

func plainJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "?" // claims come from JSON
	}
	return string(text)
}

// claimField is a claim in the form in which a member chooses.
type claimField struct {
	Name, Label, Description string
	Kind                     audience.Kind
	Choices                  []string
	// Value is what is chosen, Values that of a list.
	Value  string
	Values []string
}

// choiceView is the page on which a member chooses claims.
type choiceView struct {
	Action string
	Fields []claimField
	// Off says that the site's content does not adapt, so that claims make no difference.
	Off bool
}

// serveChoice lets a member choose as whom to look at the site: a form of the schema's claims.
func (s *Server) serveChoice(w http.ResponseWriter, r *http.Request, asked request, rules *audience.Rules) error {
	query := r.URL.Query()
	before, _ := readClaims(query.Get("from"))
	var fields []claimField
	chosen := map[string]any{}
	var walk func(claims []audience.Claim, path, label string, into, was map[string]any)
	walk = func(claims []audience.Claim, path, label string, into, was map[string]any) {
		for i := range claims {
			claim := &claims[i]
			name := path + "/" + url.PathEscape(claim.Name)
			if claim.Kind == audience.KindObject {
				inner, _ := was[claim.Name].(map[string]any)
				next := map[string]any{}
				walk(claim.Claims, name, label+claim.Name+".", next, inner)
				if len(next) > 0 {
					into[claim.Name] = next
				}
				continue
			}
			if given := slices.DeleteFunc(slices.Clone(query[name]), func(text string) bool {
				return text == ""
			}); len(given) > 0 {
				if value, ok := claim.Read(given); ok {
					into[claim.Name] = value
				}
			}
			field := claimField{Name: name, Label: label + claim.Name, Description: claim.Description, Kind: claim.Kind,
				Choices: claim.Choices}
			if claim.Kind == audience.KindList {
				field.Choices = claim.Element.Choices
			}
			switch value := was[claim.Name].(type) {
			case nil:
			case string:
				field.Value = value
			case []any:
				for _, each := range value {
					field.Values = append(field.Values, strings.Trim(plainJSON(each), `"`))
				}
			default:
				field.Value = plainJSON(value)
			}
			fields = append(fields, field)
		}
	}
	if rules.Schema != nil {
		was, _ := before["unsigned"].(map[string]any)
		walk(rules.Schema.Signed.Claims, "claim", "", chosen, before)
		unsigned := map[string]any{}
		walk(rules.Schema.Unsigned.Claims, "unsigned", "unsigned.", unsigned, was)
		if len(unsigned) > 0 {
			chosen["unsigned"] = unsigned
		}
	}
	action := asked.found.root + inspectionPath
	if query.Has("look") {
		text, err := json.Marshal(chosen)
		if err != nil {
			return fmt.Errorf("encode claims: %w", err)
		}
		g := &gate{server: s, r: r, request: asked}
		g.see(w, httpx.LocalLocation(action+base64.RawURLEncoding.EncodeToString(text)+"/"))
		return nil
	}
	asked.rest = ""
	sc, err := s.preparedScope(r.Context(), asked, viewer{visitor: edition.Nobody, admitted: true})
	if err != nil {
		return err
	}
	v := sc.newView()
	v.Heading = v.Words.Visit.Look
	v.Title, v.NoIndex = v.Heading+" · "+v.Site.Title, true
	v.Choice = &choiceView{Action: action, Fields: fields, Off: !asked.found.site.Site.AdaptiveContent ||
		rules.Schema == nil}
	page, err := sc.page(v, "choice", 0)
	if err != nil {
		return err
	}
	page.Serve(w, r)
	return nil
}

func (s *Server) preparedScope(ctx context.Context, asked request, by viewer) (*scope, error) {
	sc, _, err := s.scope(asked, by)
	if err != nil {
		return nil, err
	}
	return sc, sc.prepare(ctx)
}

// reasonView says why something is hidden from a visitor.
type reasonView struct {
	// Kind is what it is, in words: a page with how many below it, a section, a variant, a link.
	Kind, Title, Path, Condition string
	// Read are the claims that the condition reads, with what they are.
	Read []claimRead
	// Broken is set for a condition that cannot be read at all.
	Broken bool
}

type claimRead struct{ Name, Value string }

// serveReasons lists what a visitor does not see, with the condition that hides each and the claims that it reads.
func (s *Server) serveReasons(w http.ResponseWriter, r *http.Request, asked request, by viewer,
	whole *resolved) error {
	// What is shown around the list is the site as the visitor sees it, or where nothing is left of that, as everybody
	// does.
	around := asked
	around.rest = ""
	sc, err := s.preparedScope(r.Context(), around, by)
	if errs.Is(err, errs.NotFound) {
		around.found = whole
		sc, err = s.preparedScope(r.Context(), around, by)
	}
	if err != nil {
		return err
	}
	said := sc.theme().Words.Visit
	var reasons []reasonView
	hides := func(kind, title, path, condition string) {
		reason := reasonView{Kind: kind, Title: title, Path: path, Condition: condition}
		program, err := expr.Parse(condition)
		reason.Broken = err != nil
		if err == nil {
			reason.Read = readBy(program, by.visitor, said.NotThere)
		}
		reasons = append(reasons, reason)
	}
	for _, section := range whole.site.Sections {
		if _, there := asked.found.site.Section(section.ID); !there && section.Condition != "" &&
			!by.visitor.Meets(section.Condition) {
			hides(said.Section, section.Title, "/"+section.Path, section.Condition)
		}
	}
	for _, space := range whole.site.Spaces {
		if space.Condition != "" && !by.visitor.Meets(space.Condition) {
			hides(said.Variant, space.Title, "/"+space.Address, space.Condition)
		}
	}
	for _, link := range sc.site.Customization.Header.Links {
		if !sc.holds(link.Condition) {
			hides(said.HeaderLink, link.Title, "", link.Condition)
		}
	}
	for _, space := range asked.found.site.Spaces {
		if space.Head == "" {
			continue
		}
		e, err := s.editions.For(r.Context(), space.Head, asked.found.specs, by.visitor)
		if err != nil {
			return err
		}
		for _, node := range e.Tree.Ordered {
			if node.Entry.Condition == "" || e.Exists(node) || node.Parent != nil && !e.Exists(node.Parent) {
				continue
			}
			kind := said.Page
			if below := countBelow(node); below > 0 {
				kind = fmt.Sprintf(said.PageAbove, below)
			}
			hides(kind, edition.PlainTitle(edition.Title(node.Entry)), "/"+space.Address+node.Path,
				node.Entry.Condition)
		}
	}
	v := sc.newView()
	v.Heading = said.Hidden
	v.Title, v.NoIndex = v.Heading+" · "+v.Site.Title, true
	v.Count = words.Count(len(reasons), said.OneHidden, said.ManyHidden, said.NothingHidden)
	v.Reasons = reasons
	page, err := sc.page(v, "reasons", 0)
	if err != nil {
		return err
	}
	page.Serve(w, r)
	return nil
}

func countBelow(node *store.TreeNode) int {
	count := 0
	for _, child := range node.Children {
		count += 1 + countBelow(child)
	}
	return count
}

// readBy lists the claims that an expression reads, with what they are for a visitor; missing is said of those that are
// not there.
func readBy(program *expr.Program, visitor *edition.Visitor, missing string) []claimRead {
	var read []claimRead
	for _, path := range program.Variables() {
		segments := strings.Split(path, ".")
		if segments[0] != "visitor" {
			continue
		}
		var value any = map[string]any{"claims": visitor.Claims}
		said := missing
		for _, segment := range segments[1:] {
			object, ok := value.(map[string]any)
			if !ok {
				break // a method of the value, such as includes
			}
			if value, ok = object[segment]; !ok {
				said = missing
				break
			}
			said = plainJSON(value)
		}
		read = append(read, claimRead{path, said})
	}
	return read
}

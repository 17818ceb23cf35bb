// Package inspect owns how members look at a site as a visitor: they choose claims, see what a visitor with these sees,
// and read what is hidden and why.
//
// It is for members who have a ticket for the site, asked for with every request, and shows them no space that they may
// not read.
package inspect

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/expr"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/preview"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/gate"
	"github.com/rectodocs/recto/internal/serve/pub/page"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
	"github.com/rectodocs/recto/internal/serve/pub/words"
)

// inspectionCookie keeps the ticket of a member.
const inspectionCookie = "recto_inspection"

// reasonsPath is where, below the claims, a member reads what is hidden and why.
const reasonsPath = "~/hidden"

// Deps is what an Inspector stands on.
type Deps struct {
	Audiences *audience.Service
	// Previews says who may look at a site as a visitor.
	Previews *preview.Service
	Services *scope.Services
	Pages    *page.Pages
	// Serve answers for a path of a site as a viewer sees it.
	Serve func(w http.ResponseWriter, r *http.Request, asked scope.Request, by scope.Viewer) error
}

// Inspector shows sites to members as visitors see them.
type Inspector struct{ deps Deps }

// New returns an Inspector. It panics without what it needs.
func New(deps Deps) *Inspector {
	required.Must(deps)
	return &Inspector{deps}
}

// Serve answers for a member who looks at the site as a visitor; done is false for everybody else. Who it is
// and what they may read is checked for every request.
func (i *Inspector) Serve(w http.ResponseWriter, r *http.Request, asked scope.Request) (done bool, err error) {
	below, ok := strings.CutPrefix(asked.Path, audience.InspectionPath)
	if !ok {
		return false, nil
	}
	served := asked.Site.Served
	query := r.URL.Query()
	for at, ticket := range query[gate.TicketParameter] {
		holder, ok, err := i.deps.Previews.Holder(r.Context(), ticket, string(served.Site.ID))
		if err != nil {
			return false, err
		}
		if ok {
			// The address of a preview has the ticket of its space as well, which waits for whom it is for.
			query[gate.TicketParameter] = slices.Delete(query[gate.TicketParameter], at, at+1)
			gate.SetCookie(w, asked.Site, inspectionCookie, ticket, holder.Until)
			gate.DropSecret(w, asked.Site.Root+asked.Path, query)
			return true, nil
		}
	}
	cookie, err := r.Cookie(inspectionCookie)
	if err != nil {
		return false, nil
	}
	holder, ok, err := i.deps.Previews.Holder(r.Context(), cookie.Value, string(served.Site.ID))
	if !ok || err != nil {
		return false, err
	}
	readable, err := i.deps.Audiences.Readable(r.Context(), holder.Caller, served)
	if errs.Is(err, errs.NotFound) || errs.Is(err, errs.Forbidden) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	rules, err := i.deps.Audiences.Rules(r.Context(), served.Site)
	if err != nil {
		return false, err
	}
	asked.Site = asked.Site.Only(readable)
	w = response.Private(w)
	if below == "" {
		return true, i.serveChoice(w, r, asked, rules)
	}
	return true, i.serveAs(w, r, asked, rules, below)
}

// serveAs shows the site as a visitor sees it; below begins with the claims.
func (i *Inspector) serveAs(w http.ResponseWriter, r *http.Request, asked scope.Request, rules *audience.Rules,
	below string) error {
	encoded, rest, slash := strings.Cut(below, "/")
	said, ok := audience.ReadAssumed(encoded)
	if !ok {
		return errs.NotFoundf("These are not claims; choose them at %s.", asked.Site.Root+audience.InspectionPath)
	}
	root := asked.Site.Root
	here := root + audience.InspectionPath + encoded + "/"
	whole := *asked.Site
	whole.Root = here
	if !slash {
		return response.Redirect(w, r, here)
	}
	unsigned, _ := said["unsigned"].(map[string]any)
	by := scope.Viewer{Visitor: edition.Nobody, Adaptive: true, Admitted: true, Inspection: &scope.Inspection{
		Choose: root + audience.InspectionPath + "?from=" + encoded, Reasons: here + reasonsPath, Leave: root,
	}}
	if asked.Site.Served.Site.AdaptiveContent && rules.Schema != nil {
		by.Visitor = edition.NewVisitor(rules.Schema.Assumed(said, unsigned))
		by.Inspection.Claims = describeClaims(by.Visitor.Claims)
	}
	assumed := *whole.As(audience.Assume(whole.Served, by.Visitor.Claims))
	assumed.State += " as " + here
	asked.Site, asked.Path = &assumed, rest
	if rest == reasonsPath {
		return i.serveReasons(w, r, asked, by, &whole)
	}
	return i.deps.Serve(w, r, asked, by)
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

// serveChoice lets a member choose as whom to look at the site: a form of the schema's claims.
func (i *Inspector) serveChoice(w http.ResponseWriter, r *http.Request, asked scope.Request,
	rules *audience.Rules) error {
	query := r.URL.Query()
	before, _ := audience.ReadAssumed(query.Get("from"))
	var fields []page.ClaimField
	chosen := map[string]any{}
	var walk func(claims []audience.Claim, path, label string, into, was map[string]any)
	walk = func(claims []audience.Claim, path, label string, into, was map[string]any) {
		for _, claim := range claims {
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
			field := page.ClaimField{Name: name, Label: label + claim.Name, Description: claim.Description,
				Kind:    claim.Kind,
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
	action := asked.Site.Root + audience.InspectionPath
	// Who came from a preview goes on with it.
	back := query.Get("at")
	if _, _, ok := scope.ReadPath(back); !ok {
		back = ""
	}
	if query.Has("look") {
		text, err := audience.WriteAssumed(chosen)
		if err != nil {
			return err
		}
		gate.SeeOther(w, httpx.LocalLocation(action+text+"/"+back))
		return nil
	}
	asked.Path = ""
	sc, err := i.preparedScope(r.Context(), asked, scope.Viewer{Visitor: edition.Nobody, Admitted: true})
	if err != nil {
		return err
	}
	v := page.NewView(sc)
	v.Heading = v.Words.Visit.Look
	v.Title, v.NoIndex = v.Heading+" · "+v.Site.Title, true
	v.Choice = &page.ChoiceView{Action: action, At: back, Fields: fields,
		Off: !asked.Site.Served.Site.AdaptiveContent || rules.Schema == nil}
	page, err := i.deps.Pages.Execute(sc, v, "choice", 0)
	if err != nil {
		return err
	}
	page.Serve(w, r)
	return nil
}

func (i *Inspector) preparedScope(ctx context.Context, asked scope.Request, by scope.Viewer) (*scope.Scope, error) {
	sc, _, err := scope.New(i.deps.Services, asked, by)
	if err != nil {
		return nil, err
	}
	return sc, sc.Prepare(ctx)
}

// serveReasons lists what a visitor does not see, with the condition that hides each and the claims that it reads.
func (i *Inspector) serveReasons(w http.ResponseWriter, r *http.Request, asked scope.Request, by scope.Viewer,
	whole *scope.Site) error {
	// What is shown around the list is the site as the visitor sees it, or where nothing is left of that, as everybody
	// does.
	around := asked
	around.Path = ""
	sc, err := i.preparedScope(r.Context(), around, by)
	if errs.Is(err, errs.NotFound) {
		around.Site = whole
		sc, err = i.preparedScope(r.Context(), around, by)
	}
	if err != nil {
		return err
	}
	said := sc.Theme().Words.Visit
	var reasons []page.ReasonView
	hides := func(kind, title, path, condition string) {
		reason := page.ReasonView{Kind: kind, Title: title, Path: path, Condition: condition}
		program, err := expr.Parse(condition)
		reason.Broken = err != nil
		if err == nil {
			reason.Read = readBy(program, by.Visitor, said.NotThere)
		}
		reasons = append(reasons, reason)
	}
	for _, section := range whole.Served.Sections {
		if _, there := asked.Site.Served.Section(section.ID); !there && section.Condition != "" &&
			!by.Visitor.Meets(section.Condition) {
			hides(said.Section, section.Title, "/"+section.Path, section.Condition)
		}
	}
	for _, space := range whole.Served.Spaces {
		if space.Condition != "" && !by.Visitor.Meets(space.Condition) {
			hides(said.Variant, space.Title, "/"+space.Address, space.Condition)
		}
	}
	for _, link := range sc.Served.Customization.Header.Links {
		if !sc.Holds(link.Condition) {
			hides(said.HeaderLink, link.Title, "", link.Condition)
		}
	}
	for _, space := range asked.Site.Served.Spaces {
		if space.Head == "" {
			continue
		}
		e, err := i.deps.Services.Editions.For(r.Context(), space.Head, asked.Site.Specs, by.Visitor)
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
	v := page.NewView(sc)
	v.Heading = said.Hidden
	v.Title, v.NoIndex = v.Heading+" · "+v.Site.Title, true
	v.Count = words.Count(len(reasons), said.OneHidden, said.ManyHidden, said.NothingHidden)
	v.Reasons = reasons
	page, err := i.deps.Pages.Execute(sc, v, "reasons", 0)
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
func readBy(program *expr.Program, visitor *edition.Visitor, missing string) []page.ClaimRead {
	var read []page.ClaimRead
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
		read = append(read, page.ClaimRead{Name: path, Value: said})
	}
	return read
}

package audience

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/expr"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/site"
)

// Visitor is who asks for a site: what they bring, none of which has been checked. The zero Visitor is a stranger.
type Visitor struct {
	// Path is what they ask for below the root of the site, percent-encoded, and Query are the parameters of the
	// address, encoded. Either may hold secrets: that of a share link begins the path.
	Path, Query string
	// Keys are secrets of share links that they were let in with before.
	Keys []string
	// Token is a token of visitor authentication that comes with this request; "" takes the one of the Query.
	Token string
	// Tokens are tokens that they were let in with before. They count where the one of this request does not.
	Tokens []string
	// Unsigned are claims that they make up. Those of the Query are put over them.
	Unsigned map[string]any
	// Agent says that it is an AI agent or a crawler that gathers for one.
	Agent bool
	// Caller is somebody who is signed in and asks for themselves, not on behalf of a visitor; nil for others. Whoever
	// brings a token in the Query asks as the visitor of the token.
	Caller *account.Caller
	// MayPreview reports whether they may see a preview of a space of the site; nil for those who may see none.
	MayPreview func(ctx context.Context, space site.ServedSpace, preview Preview) (bool, error)
}

// Decision says whether a site is there for a visitor.
type Decision int

// Decisions. Absent is the zero value: whom nothing lets in is told of no site.
const (
	// Absent is for those who must not be able to tell the site from one that is not there.
	Absent Decision = iota
	// SignIn is for those who are sent to sign in, see Verdict.SignIn.
	SignIn
	// Excluded is for agents whom the site does not want. They could read it if they were people.
	Excluded
	// Previewing is for those who may see the preview that they ask for and nothing else of the site.
	Previewing
	// Admitted is for those whom the site is for.
	Admitted
)

// String names a decision.
func (d Decision) String() string {
	return [...]string{"absent", "sign in", "excluded", "previewing", "admitted"}[d]
}

// Verdict is what Admit decides: whether a site is there for a visitor, and what of it.
type Verdict struct {
	Decision Decision
	// Site is what there is of the site for those who are Admitted or Previewing, nil for others: the sections and
	// spaces that they may read and whose conditions hold for them. Whole has those as well whose conditions do not
	// hold.
	Site, Whole *site.Served
	// State is the same for those who have the same sections and spaces of the site; "" for all of them.
	State string
	// Trusted says that a member of the organization asks for themselves: no condition keeps anything from them.
	Trusted bool
	// Key is the secret of a share link with which the path begins, if it is one of this site. Path is the path
	// without it.
	Key, Path string
	// SignIn is where the site sends people to sign in who then come back to what they have asked for; "" for nowhere.
	// It is there for the Decision SignIn alone.
	SignIn string
	// Brought says that a token came with this request, Problem why it does not count (ErrTokenExpired,
	// ErrTokenInvalid, ErrTokenTooLong). Token is the one that counts, if Signed is true.
	Brought bool
	Problem error
	Token   Token
	Signed  bool
	// Rules are what the site goes by; nil for a site that asks nothing about its visitors.
	Rules *Rules
	// Adaptive says that what they get may depend on their claims. Claims are these, as conditions see them; they may
	// be shared: read only. Of a site that does not adapt nobody has any.
	Adaptive bool
	Claims   map[string]any
	// Unsigned are the claims that they make up. Said is true when the Query has such.
	Unsigned map[string]any
	Said     bool
	// Profile is the one of visits with the same Claims, for as long as the site stays as it is; nil when that is not
	// known, as of claims that are made up.
	Profile *Profile

	readable map[id.Space]bool
}

// Tells reports whether the visitor may know that the site is there.
func (v *Verdict) Tells() bool { return v.Decision != Absent }

// maxTried bounds how many secrets of one kind that a visitor has kept are looked at: a browser also sends the cookies
// of the paths above, which may be somebody else's.
const maxTried = 4

// admission is one visitor at one site, while Admit decides.
type admission struct {
	service *Service
	visitor Visitor
	served  *site.Served
	query   url.Values
	now     time.Time
	Verdict
}

// Admit decides who may see a published site and what of it. It is the only place that does: those who serve the site
// and those who tell addresses of it say its verdict in their own words.
//
// A public or unlisted site is for everybody. A share-link site is for those who bring the secret of one of its active
// links. A visitor-auth site is for those who bring a token that counts; others are sent to sign in where the site says
// where. A member of its organization who asks for themselves sees every site. Of a site that wants no agents, agents
// get nothing. Of all this nothing is there for anybody else, but the preview of a space for those who may see that.
//
// Those who are let in get the sections and spaces whose conditions hold for them, and by a token about a member only
// the spaces that this member may read now. A preview is there whatever the conditions on its space and section say.
func (s *Service) Admit(ctx context.Context, served *site.Served, visitor Visitor) (Verdict, error) {
	a := &admission{service: s, visitor: visitor, served: served, now: s.deps.Now(),
		Verdict: Verdict{Path: visitor.Path}}
	if visitor.Query != "" {
		a.query, _ = url.ParseQuery(visitor.Query) // what cannot be read of it is not there
	}
	a.Brought = visitor.Token != "" || a.query.Has(TokenParameter)
	for _, step := range []func(context.Context) error{a.readMember, a.readKey, a.readTokens} {
		if err := step(ctx); err != nil {
			return Verdict{}, err
		}
	}
	admitted, err := a.admits(ctx)
	if err != nil {
		return Verdict{}, err
	}
	preview, previewed, err := a.preview(ctx)
	if err != nil {
		return Verdict{}, err
	}
	excluded := visitor.Agent && served.Site.AgentsContext == site.AgentsExcluded
	switch {
	case admitted && excluded:
		a.Decision = Excluded
	case admitted:
		a.Decision = Admitted
	case previewed && !excluded:
		a.Decision = Previewing
	case a.Rules != nil && served.Site.Visibility == site.VisibilityVisitorAuth && a.Rules.FallbackURL != "":
		// Who is not let in does not learn that agents are not wanted either.
		a.Decision = SignIn
		a.query.Del(TokenParameter)
		a.Verdict.SignIn = SignInAt(a.Rules.FallbackURL, httpx.LocalLocation(a.Path).WithQuery(a.query.Encode()).
			String())
	}
	if a.Decision == Admitted || a.Decision == Previewing {
		a.readClaims()
		a.leave(preview, previewed)
	}
	return a.Verdict, nil
}

// readMember finds out whether a member asks for themselves.
func (a *admission) readMember(ctx context.Context) (err error) {
	if a.visitor.Caller != nil && !a.Brought {
		a.Trusted, err = a.service.deps.Sites.Member(ctx, *a.visitor.Caller, a.served.Site)
	}
	return err
}

// readKey takes the secret of a share link off the path. What only looks like one belongs to the path.
func (a *admission) readKey(ctx context.Context) error {
	secret, below, _ := strings.Cut(a.visitor.Path, "/")
	opens, err := a.service.opens(ctx, a.served.Site.ID, secret)
	if opens {
		a.Key, a.Path = secret, below
	}
	return err
}

// readTokens finds the first token that counts.
func (a *admission) readTokens(ctx context.Context) (err error) {
	of := a.served.Site
	if of.Visibility != site.VisibilityVisitorAuth && !of.AdaptiveContent {
		return nil
	}
	if a.Rules, err = a.service.Rules(ctx, of); err != nil {
		return err
	}
	if a.Brought {
		text := a.visitor.Token
		if text == "" {
			text = a.query.Get(TokenParameter)
		}
		if a.Problem, err = a.readToken(ctx, text); a.Signed || err != nil {
			return err
		}
	}
	for _, text := range a.visitor.Tokens[:min(len(a.visitor.Tokens), maxTried)] {
		if _, err := a.readToken(ctx, text); a.Signed || err != nil {
			return err
		}
	}
	return nil
}

// readToken makes a token that of the visit if it counts, and returns what is wrong with it otherwise. Whether a member
// still is one is asked each time.
func (a *admission) readToken(ctx context.Context, text string) (problem, err error) {
	profile, problem := a.service.profile(a.Rules, text, a.now)
	if problem != nil {
		return problem, nil
	}
	readable, err := a.service.readableBy(ctx, profile.token, a.served)
	if errs.Is(err, errs.NotFound) {
		return ErrTokenInvalid, nil
	}
	if err != nil {
		return nil, err
	}
	a.Token, a.Signed, a.readable = profile.token, true, readable
	a.Profile, a.Claims = profile, profile.claims()
	return nil, nil
}

// admits reports whether the site is for the visitor. Nobody is let in by anything that is not named here.
func (a *admission) admits(ctx context.Context) (bool, error) {
	switch a.served.Site.Visibility {
	case site.VisibilityPublic, site.VisibilityUnlisted:
		return true, nil
	case site.VisibilityVisitorAuth:
		return a.Trusted || a.Signed, nil
	case site.VisibilityShareLink:
		if a.Trusted || a.Key != "" {
			return true, nil
		}
		for _, secret := range a.visitor.Keys[:min(len(a.visitor.Keys), maxTried)] {
			if opens, err := a.service.opens(ctx, a.served.Site.ID, secret); opens || err != nil {
				return opens, err
			}
		}
	default:
		return a.Trusted, nil
	}
	return false, nil
}

// preview returns the space of which the visitor asks for a preview; ok says that they may see it.
func (a *admission) preview(ctx context.Context) (space site.ServedSpace, ok bool, err error) {
	if a.visitor.MayPreview == nil || !strings.Contains(a.Path, "~/") {
		return site.ServedSpace{}, false, nil // as nearly always
	}
	location, _ := a.served.Locate(a.Path)
	preview, asks := ReadPreview(location.Rest)
	if !asks || location.Bare || location.Space.ID == "" {
		return site.ServedSpace{}, false, nil
	}
	ok, err = a.visitor.MayPreview(ctx, location.Space, preview)
	return location.Space, ok, err
}

// readClaims completes the claims of somebody who is let in.
func (a *admission) readClaims() {
	a.Adaptive = a.Rules != nil && a.served.Site.AdaptiveContent && a.Rules.Schema != nil
	if !a.Adaptive {
		a.Claims, a.Profile = (*Schema)(nil).Visitor(Token{}, nil), nil
		return
	}
	a.Unsigned = a.visitor.Unsigned
	if said, found := a.Rules.Schema.QueryClaims(a.query); found && len(said) > 0 {
		a.Unsigned, a.Said = Merge(a.Unsigned, said), true
	}
	switch {
	case a.Unsigned != nil:
		a.Claims, a.Profile = a.Rules.Schema.Visitor(a.Token, a.Unsigned), nil
	case !a.Signed:
		a.Claims, a.Profile = a.Rules.nobody.claims(), a.Rules.nobody
	}
}

// leave works out what of the site is left for somebody who is let in.
func (a *admission) leave(preview site.ServedSpace, previewed bool) {
	a.Whole = a.served
	switch {
	case a.Decision == Previewing:
		a.Whole = a.served.Only(map[id.Space]bool{preview.Space: true})
	case a.served.Site.Visibility == site.VisibilityVisitorAuth && a.readable != nil:
		a.Whole = a.served.Only(a.readable)
	}
	a.Site = a.Whole
	if !a.Trusted {
		opened := id.SiteSpace("")
		if previewed {
			opened = preview.ID
		}
		a.Site = visible(a.Whole, a.Claims, opened)
	}
	a.State = stateOf(a.Site, a.served)
}

// visible returns what is left of a site where some conditions do not hold. The space that is opened, by its
// ServedSpace.ID, stays whatever its conditions say, and opens nothing else.
func visible(whole *site.Served, claims map[string]any, opened id.SiteSpace) *site.Served {
	if !slices.ContainsFunc(whole.Sections, func(one site.ServedSection) bool { return one.Condition != "" }) &&
		!slices.ContainsFunc(whole.Spaces, func(one site.ServedSpace) bool { return one.Condition != "" }) {
		return whole
	}
	outcomes := map[string]bool{"": true}
	holds := func(condition string) bool {
		outcome, known := outcomes[condition]
		if !known {
			outcome = Meets(claims, condition)
			outcomes[condition] = outcome
		}
		return outcome
	}
	hidden := map[id.Section]bool{} // sections
	for _, section := range whole.Sections {
		hidden[section.ID] = !holds(section.Condition)
	}
	return whole.Keep(func(space site.ServedSpace) bool {
		return space.ID == opened || !hidden[space.Section] && holds(space.Condition)
	})
}

// Assume returns what a visitor with some claims sees of a site, and its state: see Verdict. It is for members who look
// at the site as somebody else.
func Assume(whole *site.Served, claims map[string]any) (left *site.Served, state string) {
	left = visible(whole, claims, "")
	return left, stateOf(left, whole)
}

// stateOf names the part of a site that is left. All else that is left follows from the spaces.
func stateOf(left, whole *site.Served) string {
	if left == whole {
		return ""
	}
	sum := sha256.New()
	for _, space := range left.Spaces {
		sum.Write([]byte(string(space.ID) + " ")) // which never fails
	}
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:18])
}

// Context returns a text that two visits of a site share when nothing differs of them that its content may depend on;
// "" for visitors without a token that counts.
func (v *Verdict) Context() (string, error) {
	if !v.Signed || v.Whole == nil {
		return "", nil
	}
	known := []any{v.Whole.Site.ID, v.readable}
	if v.Adaptive {
		known = append(known, v.Claims)
	}
	text, err := json.Marshal(known)
	if err != nil {
		return "", fmt.Errorf("encode claims: %w", err)
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:18]), nil
}

// Meets decides a condition on a section or a variant for a visitor's claims, as Schema.Visitor returns them: it knows
// of no page and no space.
func Meets(claims map[string]any, condition string) bool {
	program, err := expr.Parse(condition)
	variables := map[string]any{"visitor": map[string]any{"claims": claims}}
	return err == nil && render.Outcome(context.Background(), program, true, variables) == render.Holds
}

// SignInAt returns where a visitor signs in who asked for a location, a path below the site's root with a slash in
// front.
func SignInAt(fallback, location string) string {
	parsed, err := url.Parse(fallback)
	if err != nil {
		return fallback // it was checked when it was stored
	}
	query := parsed.Query()
	query.Set("location", location)
	parsed.RawQuery = query.Encode()
	return parsed.String()
}

// PreviewKind says what a preview shows: the word of its path.
type PreviewKind string

// Kinds of previews, at "~/changes/{number}/" and "~/revisions/{id}/" below the home of a space.
const (
	PreviewChange   PreviewKind = "changes"
	PreviewRevision PreviewKind = "revisions"
)

// Preview is what the path of a preview names.
type Preview struct {
	Kind PreviewKind
	// Name is the number of the change request or the id of the revision, percent-encoded.
	Name string
	// Rest is the path in what is shown, percent-encoded. Slash says that there is a slash in front of it.
	Rest  string
	Slash bool
}

// ReadPreview reads the path of a preview in a space, percent-encoded; ok is false for other paths.
func ReadPreview(path string) (preview Preview, ok bool) {
	below, ok := strings.CutPrefix(path, "~/")
	if !ok {
		return Preview{}, false // as nearly always
	}
	kind, below, _ := strings.Cut(below, "/")
	if kind != string(PreviewChange) && kind != string(PreviewRevision) {
		return Preview{}, false
	}
	name, rest, slash := strings.Cut(below, "/")
	return Preview{Kind: PreviewKind(kind), Name: name, Rest: rest, Slash: slash}, name != ""
}

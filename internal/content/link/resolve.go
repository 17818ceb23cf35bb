package link

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pagefile"
)

// resolver says where references of one revision lead, and notes what it looks at on the way.
type resolver struct {
	service *Service
	view    *store.View
	// claims returns the ids of those that lay claim to a path of the Markdown tree.
	claims func(ctx context.Context, claim string) ([]string, error)
	looked map[string]struct{}
}

// resolution is where a reference leads.
type resolution struct {
	class  class
	reason string
	target doc.Ref
	path   bool
}

func nowhere(reason string, ref doc.Ref) resolution {
	return resolution{class: broken, reason: reason, target: ref}
}

// Longer destinations are no paths and no references; an address may be as long as it likes, but is kept shortened.
const maxWritten = 4 << 10

// What resolving looks at. Each is a text that is hashed.
func lookedEntity(id string) string                { return "e:" + id } // whether it is there, and what
func lookedInclude(id string) string               { return "h:" + id } // the same, of what a target includes
func lookedAnchor(id, anchor string) string        { return "a:" + id + "#" + anchor }
func lookedIncludes(id string) string              { return "i:" + id } // the list of what its body includes
func lookedName(path string) string                { return "n:" + path }
func lookedFolder(id string) string                { return "f:" + id }
func lookedOther(space id.Space, id string) string { return "s:" + string(space) + "/" + id }

const lookedOrder = "o" // which of two pages comes first

func (r *resolver) note(what string) { r.looked[shortHash(what)] = struct{}{} }

// entity returns an entry, nil when there is none.
func (r *resolver) entity(ctx context.Context, id string) (*entity.Entry, error) {
	e, err := r.view.Entry(ctx, id)
	if errs.Is(err, errs.NotFound) {
		return nil, nil
	}
	return e, err
}

// resolve says where a reference of a source leads.
func (r *resolver) resolve(ctx context.Context, source *entity.Entry, ref reference) (resolution, error) {
	if ref.ref.Kind == doc.RefURL || ref.ref.Kind == "" {
		return r.destination(ctx, source, ref)
	}
	if len(ref.written) > maxWritten {
		return nowhere(NoPath, doc.URL(shorten(ref.written))), nil
	}
	return r.reference(ctx, source, ref.ref)
}

func shorten(text string) string {
	if len(text) > maxWritten {
		return strings.ToValidUTF8(text[:maxWritten], "")
	}
	return text
}

// reference resolves what names its target.
func (r *resolver) reference(ctx context.Context, source *entity.Entry, ref doc.Ref) (resolution, error) {
	switch {
	case ref.Space != "":
		r.note(lookedOther(id.Space(ref.Space), ref.Page+ref.File+ref.ReusableContent))
		return resolution{class: elsewhere, target: ref}, nil
	case ref.Kind == doc.RefUser, ref.Kind == doc.RefCollection, ref.Kind == doc.RefSpace, ref.Kind == doc.RefOpenAPI:
		return resolution{class: elsewhere, target: ref}, nil
	case ref.Kind == doc.RefAnchor && ref.Page == "":
		return r.ownAnchor(ctx, source, ref)
	case ref.Kind == doc.RefPage, ref.Kind == doc.RefAnchor:
		return r.entry(ctx, ref, ref.Page, entity.KindPage, NoPage)
	case ref.Kind == doc.RefFile:
		return r.entry(ctx, ref, ref.File, entity.KindFile, NoFile)
	case ref.Kind == doc.RefReusableContent:
		return r.entry(ctx, ref, ref.ReusableContent, entity.KindReusable, NoReusable)
	}
	return nowhere(NoPath, ref), nil
}

func (r *resolver) entry(ctx context.Context, ref doc.Ref, id string, kind entity.Kind,
	reason string) (resolution, error) {
	r.note(lookedEntity(id))
	e, err := r.entity(ctx, id)
	switch {
	case err != nil:
		return resolution{}, err
	case e == nil || e.Kind != kind:
		return nowhere(reason, ref), nil
	}
	if ref.Kind == doc.RefAnchor {
		there, err := r.hasAnchor(ctx, e, ref.Anchor)
		if err != nil {
			return resolution{}, err
		}
		if !there {
			return nowhere(NoAnchor, ref), nil
		}
	}
	return resolution{class: inside, target: ref}, nil
}

// ownAnchor resolves a fragment alone. A reusable content is shown in pages that it does not know: there any will do.
func (r *resolver) ownAnchor(ctx context.Context, source *entity.Entry, ref doc.Ref) (resolution, error) {
	if source.Kind != entity.KindPage {
		return resolution{class: inside, target: ref}, nil
	}
	ref.Page = source.ID
	there, err := r.hasAnchor(ctx, source, ref.Anchor)
	if err != nil {
		return resolution{}, err
	}
	if !there {
		return nowhere(NoAnchor, ref), nil
	}
	return resolution{class: inside, target: ref}, nil
}

// generated reports whether a fragment needs no anchor: the top, footnotes, text fragments.
func generated(anchor string) bool {
	return anchor == "" || anchor == "top" || strings.HasPrefix(anchor, "user-content-fn") || strings.HasPrefix(anchor,
		"fn:") ||
		strings.HasPrefix(anchor, ":~:")
}

// numbered is an anchor that has got a number because an earlier one has its name.
var numbered = regexp.MustCompile(`^(.+)-([1-9][0-9]{0,3})$`)

// hasAnchor reports whether a page has an anchor, itself or in what it includes. Pages without a body have any.
func (r *resolver) hasAnchor(ctx context.Context, page *entity.Entry, anchor string) (bool, error) {
	if decoded, err := url.PathUnescape(anchor); err == nil {
		anchor = decoded
	}
	if generated(anchor) || page.Type != entity.PageDocument {
		return true, nil
	}
	own, err := r.service.read(ctx, r.view, page)
	if err != nil {
		return false, err
	}
	r.note(lookedAnchor(page.ID, anchor))
	if _, there := own.anchors[anchor]; there {
		return true, nil
	}
	base, number := "", 0
	if parts := numbered.FindStringSubmatch(anchor); parts != nil {
		base = parts[1]
		number, _ = strconv.Atoi(parts[2])
	}
	// Bodies that are shown together number an anchor that several of them have.
	same := 0
	visit := func(id string, anchors map[string]struct{}) bool {
		r.note(lookedAnchor(id, anchor))
		_, there := anchors[anchor]
		if base != "" {
			r.note(lookedAnchor(id, base))
			if _, has := anchors[base]; has {
				same++
			}
		}
		return there || base != "" && same > number
	}
	visit(page.ID, own.anchors)
	return r.included(ctx, page, 0, map[string]struct{}{}, visit)
}

// How deep reusable contents are followed, as rendering does, and how many for one anchor. An anchor of a page that
// includes more counts as there: each link to it keeps a note of everything it has looked at.
const (
	maxIncludes = 8
	maxIncluded = 32
)

// included visits what a body includes until visit returns true.
func (r *resolver) included(ctx context.Context, e *entity.Entry, depth int, seen map[string]struct{},
	visit func(string, map[string]struct{}) bool) (bool, error) {
	r.note(lookedIncludes(e.ID))
	read, err := r.service.read(ctx, r.view, e)
	if err != nil || depth == maxIncludes {
		return false, err
	}
	for _, i := range read.includes {
		each := read.references[i]
		id, err := r.includedID(ctx, e, each)
		if err != nil {
			return false, err
		}
		if _, again := seen[id]; again || id == "" {
			continue
		}
		if len(seen) == maxIncluded {
			return true, nil
		}
		seen[id] = struct{}{}
		r.note(lookedInclude(id))
		reusable, err := r.entity(ctx, id)
		if err != nil {
			return false, err
		}
		if reusable == nil || reusable.Kind != entity.KindReusable {
			continue
		}
		body, err := r.service.read(ctx, r.view, reusable)
		if err != nil {
			return false, err
		}
		if visit(id, body.anchors) {
			return true, nil
		}
		if found, err := r.included(ctx, reusable, depth+1, seen, visit); err != nil || found {
			return found, err
		}
	}
	return false, nil
}

// includedID is the id of the reusable content that an include names, "" when it is another space's or not to be told.
func (r *resolver) includedID(ctx context.Context, source *entity.Entry, ref reference) (string, error) {
	if ref.ref.Kind == doc.RefReusableContent && ref.ref.Space == "" {
		return ref.ref.ReusableContent, nil
	}
	if ref.ref.Kind != doc.RefURL || len(ref.ref.URL) > maxWritten {
		return "", nil
	}
	from, err := r.folder(ctx, source)
	if err != nil {
		return "", err
	}
	file, _ := pagefile.Join(from, ref.ref.URL)
	return r.claimant(ctx, claimReusable, file)
}

// destination resolves what is only written.
func (r *resolver) destination(ctx context.Context, source *entity.Entry, ref reference) (resolution, error) {
	written := strings.TrimSpace(ref.ref.URL)
	kept := doc.URL(shorten(written))
	named, place, fragment, ok := pagefile.ReadDestination(written)
	switch {
	case written == "":
		return nowhere(NoDestination, kept), nil
	case ok && named.Kind == doc.RefURL:
		return r.service.external(named.URL, kept), nil
	case !ok || len(written) > maxWritten:
		return nowhere(NoPath, kept), nil
	case named.Kind != "" && !ref.include:
		return r.reference(ctx, source, named)
	}
	if ref.include {
		id, err := r.includedID(ctx, source, ref)
		if err != nil {
			return resolution{}, err
		}
		if id == "" {
			return resolution{class: broken, reason: NoReusable, target: kept, path: true}, nil
		}
		r.note(lookedEntity(id))
		return resolution{class: inside, target: doc.Ref{Kind: doc.RefReusableContent, ReusableContent: id},
			path: true}, nil
	}
	found, err := r.at(ctx, source, place, fragment)
	if err != nil {
		return resolution{}, err
	}
	if found.class == 0 {
		found = nowhere(NoPath, kept)
	}
	found.path = true
	return found, nil
}

// external sorts an address: in the app, on the web, or of another scheme, which nobody checks.
func (s *Service) external(written string, kept doc.Ref) resolution {
	address, err := url.Parse(written)
	if err != nil {
		return resolution{class: inside, target: kept}
	}
	scheme := strings.ToLower(address.Scheme)
	if scheme != "http" && scheme != "https" {
		return resolution{class: inside, target: kept}
	}
	base, err := url.Parse(s.deps.BaseURL)
	if err != nil || s.deps.BaseURL == "" || !strings.EqualFold(base.Host, address.Host) {
		return resolution{class: outside, target: kept}
	}
	rest, below := strings.CutPrefix(address.Path, strings.TrimRight(base.Path, "/"))
	if !below || rest != "" && rest[0] != '/' {
		return resolution{class: outside, target: kept}
	}
	for _, public := range []string{"/sites", "/v1"} {
		if rest == public || strings.HasPrefix(rest, public+"/") {
			return resolution{class: outside, target: kept}
		}
	}
	return resolution{class: inApp, target: kept}
}

// at resolves a place in the Markdown tree. The class is zero when nothing is there.
func (r *resolver) at(ctx context.Context, source *entity.Entry, place, fragment string) (resolution, error) {
	if place == "" {
		return r.ownAnchor(ctx, source, doc.Ref{Kind: doc.RefAnchor, Anchor: fragment})
	}
	from := ""
	if !strings.HasPrefix(place, "/") {
		var err error
		if from, err = r.folder(ctx, source); err != nil {
			return resolution{}, err
		}
	}
	for _, meaning := range pagefile.Meanings(from, place) {
		if meaning.Kind == entity.KindPage {
			if found, err := r.pageAt(ctx, meaning.Path, fragment); err != nil || found.class != 0 {
				return found, err
			}
			continue
		}
		file, err := r.claimant(ctx, claimFile, meaning.Path)
		if err != nil {
			return resolution{}, err
		}
		if file != "" {
			r.note(lookedEntity(file))
			return resolution{class: inside, target: doc.Ref{Kind: doc.RefFile, File: file}}, nil
		}
	}
	return resolution{}, nil
}

// pageAt resolves a path to the page that has it; the class is zero when there is none.
func (r *resolver) pageAt(ctx context.Context, name, fragment string) (resolution, error) {
	id, err := r.pageNamed(ctx, name)
	if err != nil || id == "" {
		return resolution{}, err
	}
	ref := doc.Ref{Kind: doc.RefPage, Page: id}
	if fragment != "" {
		ref.Kind, ref.Anchor = doc.RefAnchor, fragment
	}
	return r.entry(ctx, ref, id, entity.KindPage, NoPage)
}

// pageNamed is the id of the page that has a path in the Markdown tree: the file that it came from, or the one that it
// would be written to. Of several it is the first in the order of reading.
func (r *resolver) pageNamed(ctx context.Context, name string) (string, error) {
	r.note(lookedName(name))
	ids, err := r.claims(ctx, claimPage+name)
	if err != nil {
		return "", err
	}
	if len(ids) == 0 {
		for _, address := range pagefile.Addresses(name) {
			id, err := r.view.At(ctx, address)
			if err != nil {
				return "", err
			}
			if id != "" && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	if len(ids) == 0 && name == pagefile.Readme {
		landing, err := r.view.Landing(ctx)
		if err != nil || landing == nil {
			return "", err
		}
		return landing.ID, nil
	}
	return r.first(ctx, ids)
}

// first returns the page that comes first in the order of reading, "" of none.
func (r *resolver) first(ctx context.Context, ids []string) (string, error) {
	if len(ids) == 0 {
		return "", nil
	}
	if len(ids) == 1 {
		return ids[0], nil
	}
	r.note(lookedOrder)
	var best []*entity.Entry
	for _, id := range ids {
		way, err := r.wayTo(ctx, id)
		if err != nil {
			return "", err
		}
		if best == nil || compareWays(way, best) < 0 {
			best = way
		}
	}
	return best[len(best)-1].ID, nil
}

// wayTo returns a page's ancestors from the root, and the page.
func (r *resolver) wayTo(ctx context.Context, id string) ([]*entity.Entry, error) {
	var way []*entity.Entry
	for id != "" {
		e, err := r.view.Entry(ctx, id)
		if err != nil {
			return nil, err
		}
		way = append(way, e)
		id = e.Parent
	}
	slices.Reverse(way)
	return way, nil
}

// compareWays orders pages by reading: a page before those below it, siblings by position.
func compareWays(a, b []*entity.Entry) int {
	for i := range min(len(a), len(b)) {
		if a[i].ID != b[i].ID {
			return entity.Compare(a[i], b[i])
		}
	}
	return len(a) - len(b)
}

// folder is where the source's Markdown is, or would be, as the path of the file.
func (r *resolver) folder(ctx context.Context, source *entity.Entry) (string, error) {
	r.note(lookedFolder(source.ID))
	return page.File(ctx, r.view, source)
}

// Who lays claim to a path of the Markdown tree. Pages do by the file that they came from; their addresses are in the
// path index.
const (
	claimPage     = "p"
	claimFile     = "f"
	claimReusable = "r"
)

// claimKey is pagefile.Of with the sort of claim, "" when there is none.
func claimKey(e *entity.Entry) string {
	if e == nil {
		return ""
	}
	sort := ""
	switch e.Kind {
	case entity.KindPage:
		sort = claimPage
	case entity.KindFile:
		sort = claimFile
	case entity.KindReusable:
		sort = claimReusable
	default:
		return ""
	}
	if claim := pagefile.Of(e); claim != "" {
		return sort + claim
	}
	return ""
}

// claimant is the id of the file or reusable content at a path, "" when there is none: of several the first by name or
// title, then id.
func (r *resolver) claimant(ctx context.Context, sort, name string) (string, error) {
	r.note(lookedName(name))
	ids, err := r.claims(ctx, sort+name)
	if err != nil || len(ids) == 0 {
		return "", err
	}
	if len(ids) == 1 {
		return ids[0], nil
	}
	var best *entity.Entry
	for _, id := range ids {
		e, err := r.view.Entry(ctx, id)
		if err != nil {
			return "", err
		}
		if best == nil || strings.Compare(label(e), label(best)) < 0 || label(e) == label(best) && e.ID < best.ID {
			best = e
		}
	}
	return best.ID, nil
}

func label(e *entity.Entry) string { return e.Name + e.Title }

package store

import (
	"context"
	"math"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store/pathindex"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// Resolved is where a path leads.
type Resolved struct {
	// Entry is the page. It is nil when a redirect leads to something that is no page of the revision; Target says
	// where then.
	Entry *entity.Entry
	// Path is the page's own path, also when it was asked for by another, the landing page's too: that its canonical
	// path is "" is for the caller to know (Landing, Tree.Landing).
	Path string
	// Redirected says that the path is an old one, or one that was made to lead elsewhere.
	Redirected bool
	// Target is what the last redirect on the way leads to: a page, an anchor of a page, or any other reference. It
	// is nil when the path is the page's own.
	Target *doc.Ref
}

// Limits of resolving one path. Nothing that was ever a path is over them in practice; hostile paths are.
const (
	maxPathLength   = 16 << 10
	maxPathSegments = 256
	maxPathSteps    = 2048
)

// ByPath finds the page at a path: slugs joined by "/", with or without slashes around them; "" is the landing page.
// A living page wins over every redirect. After that come explicit redirects of the whole path, then the redirects
// that pages have left behind where they were, also below ancestors that have moved or are gone: the page that was
// there last. Link pages never answer. An errs.NotFound error says that nothing is there.
//
// A path of k segments costs k look-ups in the path index, each of O(log n) nodes, then k entries.
func (v *View) ByPath(ctx context.Context, path string) (Resolved, error) {
	path = strings.Trim(path, "/")
	if path == "" {
		return v.resolveLanding(ctx)
	}
	segments := strings.Split(path, "/")
	if len(path) > maxPathLength || len(segments) > maxPathSegments {
		return Resolved{}, errs.NotFoundf("No page is at this path, which has %d bytes and %d segments.", len(path),
			len(segments))
	}
	id, err := v.walkLive(ctx, segments)
	if err != nil {
		return Resolved{}, err
	}
	if id != "" {
		return v.resolvePage(ctx, id, path)
	}
	explicit, err := v.find(ctx, entity.RedirectID("", path))
	if err != nil {
		return Resolved{}, err
	}
	if explicit != nil && explicit.Kind == entity.KindRedirect {
		if leads, err := v.leadsOn(ctx, explicit); err != nil {
			return Resolved{}, err
		} else if leads {
			return v.resolveTarget(ctx, explicit.Target)
		}
	}
	w := walker{view: v, steps: maxPathSteps, known: map[step]arrival{}}
	found, err := w.walk(ctx, "", segments)
	if err != nil {
		return Resolved{}, err
	}
	if found.whole > 0 {
		return v.resolveTarget(ctx, found.target)
	}
	return Resolved{}, errs.NotFoundf("No page is at the path %q, and none has moved away from there.", path)
}

func (v *View) resolveLanding(ctx context.Context) (Resolved, error) {
	e, err := v.Landing(ctx)
	if err != nil {
		return Resolved{}, err
	}
	if e == nil {
		return Resolved{}, errs.NotFoundf("There is no landing page, because there is no document; make one.")
	}
	own, err := v.Path(ctx, e.ID)
	return Resolved{Entry: e, Path: own}, err
}

// walkLive returns the id of the page that lives at a path, "" when there is none. A link has no path.
func (v *View) walkLive(ctx context.Context, segments []string) (string, error) {
	at := pathindex.Page{Type: entity.PageGroup}
	for _, slug := range segments {
		next, ok, err := v.lookup(ctx, at.ID, slug)
		if err != nil || !ok {
			return "", err
		}
		at = next
	}
	if at.Type == entity.PageLink {
		return "", nil
	}
	return at.ID, nil
}

// resolvePage makes the result for a page that lives at a path. An empty path asks for its own to be found.
func (v *View) resolvePage(ctx context.Context, id, path string) (Resolved, error) {
	e, err := v.find(ctx, id)
	if err != nil {
		return Resolved{}, err
	}
	if e == nil {
		return Resolved{}, errs.NotFoundf("Revision %s has no page %q.", v.revision.ID, id)
	}
	if path == "" {
		if path, err = v.Path(ctx, id); err != nil {
			return Resolved{}, err
		}
	}
	return Resolved{Entry: e, Path: path}, nil
}

// leadsOn reports whether the target of a redirect is something to be led to: no page that is gone, no link.
func (v *View) leadsOn(ctx context.Context, redirect *entity.Entry) (bool, error) {
	page := pathindex.TargetPage(redirect.Target)
	if page == "" {
		return redirect.Target != nil, nil
	}
	e, err := v.find(ctx, page)
	return isPage(e) && e.Type != entity.PageLink, err
}

// resolveTarget makes the result for what a redirect leads to.
func (v *View) resolveTarget(ctx context.Context, target *doc.Ref) (Resolved, error) {
	page := pathindex.TargetPage(target)
	if page == "" {
		return Resolved{Redirected: true, Target: target}, nil
	}
	resolved, err := v.resolvePage(ctx, page, "")
	resolved.Redirected, resolved.Target = true, target
	return resolved, err
}

// walker looks for what was once at a path. At every segment there can be the page that lives there now, and the
// redirect that an earlier one has left; the path may have meant either, so there are several ways to read it. Every
// redirect on a way says when the way ended; the first of them says when it was last whole. The way that was whole most
// lately is the right one: it is what the path led to before.
type walker struct {
	view  *View
	steps int // places left to look at
	known map[step]arrival
}

// step is a place in the search: so many segments left below a page, which may be gone.
type step struct {
	parent string
	left   int
}

// arrival is where a way leads.
type arrival struct {
	target *doc.Ref
	// whole is when the way was last whole, 0 when it leads nowhere; alive is the present.
	whole int64
}

const (
	alive  = math.MaxInt64
	byHand = 1 // of a redirect without a time
)

// walk resolves segments below a page. What has moved out of a page that is gone is found by its id all the same.
func (w *walker) walk(ctx context.Context, parent string, segments []string) (arrival, error) {
	here := step{parent, len(segments)}
	if found, seen := w.known[here]; seen || w.steps <= 0 {
		return found, nil
	}
	w.steps--
	w.known[here] = arrival{} // ends cycles
	left, behind, err := w.view.leftBehind(ctx, parent, segments[0])
	if err != nil {
		return arrival{}, err
	}
	var best arrival
	if behind {
		if best, err = w.over(ctx, parent, left, segments[1:]); err != nil {
			return arrival{}, err
		}
		best.whole = min(best.whole, max(left.Since, byHand))
	}
	living, found, err := w.view.lookup(ctx, parent, segments[0])
	if err != nil {
		return arrival{}, err
	}
	if found {
		through, err := w.through(ctx, living, segments[1:])
		if err != nil {
			return arrival{}, err
		}
		// When both ended with one commit, who lives there has come with it.
		if through.whole > best.whole {
			best = through
		}
	}
	w.known[here] = best
	return best, nil
}

// through goes on below a living page, or ends at it.
func (w *walker) through(ctx context.Context, living pathindex.Page, rest []string) (arrival, error) {
	if len(rest) > 0 {
		return w.walk(ctx, living.ID, rest)
	}
	if living.Type == entity.PageLink {
		return arrival{}, nil
	}
	return arrival{target: &doc.Ref{Kind: doc.RefPage, Page: living.ID}, whole: alive}, nil
}

// over goes on behind a redirect, or ends at what it leads to.
func (w *walker) over(ctx context.Context, parent string, left pathindex.Redirect, rest []string) (arrival, error) {
	if len(rest) > 0 {
		if left.Target == "" {
			return arrival{}, nil
		}
		return w.walk(ctx, left.Target, rest)
	}
	redirect, err := w.view.find(ctx, entity.RedirectID(parent, left.Slug))
	if err != nil || redirect == nil {
		return arrival{}, err
	}
	leads, err := w.view.leadsOn(ctx, redirect)
	if err != nil || !leads {
		return arrival{}, err
	}
	return arrival{target: redirect.Target, whole: alive}, nil
}

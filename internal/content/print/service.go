package print

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Order orders a PDF of the current content of a space and returns at once; Await waits for it. errs.NotFound says that
// the space or the page is not there or not the caller's to see.
func (s *Service) Order(ctx context.Context, caller account.Caller, spaceID id.Space, scope Scope) (PDF, error) {
	allowed, err := s.access.RequireSpace(ctx, caller, spaceID, access.ViewSpace)
	if err != nil {
		return PDF{}, err
	}
	return s.order(ctx, caller, spaceID, allowed.Head, "", scope)
}

// OrderChange is Order for the content of a change request, by its id or number.
func (s *Service) OrderChange(ctx context.Context, caller account.Caller, spaceID id.Space,
	changeRequest id.ChangeRequest, scope Scope) (PDF, error) {
	found, err := s.deps.Changes.Get(ctx, caller, spaceID, changeRequest)
	if err != nil {
		return PDF{}, err
	}
	subtitle := fmt.Sprintf("Change request #%d", found.Number)
	if found.Subject != "" {
		subtitle += ": " + found.Subject
	}
	return s.order(ctx, caller, spaceID, found.Head, subtitle, scope)
}

func (s *Service) order(ctx context.Context, caller account.Caller, spaceID id.Space, revision id.Revision,
	subtitle string, scope Scope) (PDF, error) {
	space, err := s.deps.Spaces.Get(ctx, caller, spaceID)
	if err != nil {
		return PDF{}, err
	}
	if revision == "" {
		return PDF{}, errs.NotFoundf("The space has no content.")
	}
	title := space.Title
	view, err := s.deps.Content.View(ctx, revision)
	if err != nil {
		return PDF{}, err
	}
	madeFrom, err := s.madeFrom(ctx, spaceID)
	if err != nil {
		return PDF{}, err
	}
	page, err := s.find(ctx, view, scope)
	if err != nil {
		return PDF{}, err
	}
	if page != nil {
		title = pageTitle(page)
		if subtitle == "" {
			subtitle = space.Title
		} else {
			subtitle = space.Title + " · " + subtitle
		}
	}
	return s.take(ctx, PDF{Space: spaceID, Revision: revision, Scope: scope, Title: title, Subtitle: subtitle,
		madeFrom: madeFrom})
}

// Published is content of a site that a reader may see, with the titles for the cover of its PDF.
type Published struct {
	Space           id.Space
	Revision        id.Revision
	Scope           Scope
	Title, Subtitle string
	// Spaces are the revisions of other spaces, by their ids, whose reusable contents, files and titles it may show:
	// they are on the same site, and the reader sees them there.
	Spaces map[id.Space]id.Revision
	// Claims are what conditions know of the reader; nil for nothing. Audience is then a short text that two readers
	// share only when nothing that is printed differs between them.
	Claims   map[string]any
	Audience string
}

// OrderPublished orders a PDF of content that is published, and returns at once. It checks no access: who calls it has
// made sure that the reader may see all that is printed.
func (s *Service) OrderPublished(ctx context.Context, in Published) (PDF, error) {
	view, err := s.deps.Content.View(ctx, in.Revision)
	if err != nil {
		return PDF{}, err
	}
	if view.Revision().Space != in.Space {
		return PDF{}, errs.NotFoundf("The revision is not of this space.")
	}
	if _, err := s.find(ctx, view, in.Scope); err != nil {
		return PDF{}, err
	}
	madeFrom, err := s.madeFrom(ctx, in.Space)
	if err != nil {
		return PDF{}, err
	}
	wanted := PDF{Space: in.Space, Revision: in.Revision, Scope: in.Scope, Title: in.Title, Subtitle: in.Subtitle,
		madeFrom: madeFrom}
	known := reader{Spaces: in.Spaces}
	if in.Audience != "" {
		wanted.audience, known.Claims = in.Audience, in.Claims
	}
	if len(in.Spaces) > 0 {
		wanted.madeFrom += " " + digest(in.Spaces)
	}
	if known.Claims != nil || len(known.Spaces) > 0 {
		encoded, err := json.Marshal(known)
		if err != nil {
			return PDF{}, fmt.Errorf("encode who it is for: %w", err)
		}
		wanted.claims = string(encoded)
	}
	return s.take(ctx, wanted)
}

// reader is for whom a PDF is made, as it is stored until then.
type reader struct {
	Claims map[string]any           `json:"claims,omitempty"`
	Spaces map[id.Space]id.Revision `json:"spaces,omitempty"`
}

// digest is a short text that is the same for the same revisions of spaces.
func digest(spaces map[id.Space]id.Revision) string {
	sum := sha256.New()
	for _, space := range slices.Sorted(maps.Keys(spaces)) {
		fmt.Fprintf(sum, "%q %q\n", space, spaces[space])
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// madeFrom is the state of what computed pages of a space are made from; "" when none are printed.
func (s *Service) madeFrom(ctx context.Context, spaceID id.Space) (string, error) {
	return s.hooks.Get().Computed.State(ctx, spaceID)
}

// take returns the PDF that is as the wanted one, and has it made when nobody has yet.
func (s *Service) take(ctx context.Context, wanted PDF) (PDF, error) {
	now := s.deps.Now()
	wanted.ID, wanted.State, wanted.ExpiresAt, wanted.updatedAt = id.New("pdf"), Pending, now.Add(Life+grace), now
	wanted.Title, wanted.Subtitle = shorten(wanted.Title), shorten(wanted.Subtitle)
	var ordered PDF
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var again bool
		var err error
		if ordered, again, err = take(ctx, q, wanted); err != nil || !again {
			return err
		}
		_, err = s.deps.Jobs.Enqueue(ctx, q, jobKind, jobArgs{PDF: ordered.ID})
		return err
	})
	if err != nil {
		return PDF{}, fmt.Errorf("order PDF: %w", err)
	}
	return ordered, nil
}

// find returns the page that a scope names, nil when it names none, and refuses a scope that prints nothing.
func (s *Service) find(ctx context.Context, view *store.View, scope Scope) (*entity.Entry, error) {
	if scope.Page == "" {
		if scope.Only {
			return nil, errs.Invalidf("query.only", "“only” prints one page: say which with “page”")
		}
		return nil, nil
	}
	page, err := view.Entry(ctx, scope.Page)
	if errs.Is(err, errs.NotFound) || err == nil && page.Type == entity.PageComputed {
		made, err := s.computedEntry(ctx, view, scope.Page)
		if err != nil {
			return nil, err
		}
		if made != nil {
			page = made
		}
	} else if err != nil {
		return nil, err
	}
	if page == nil || page.Kind != entity.KindPage {
		return nil, errs.NotFoundf("There is no page %.80q in this revision. List its pages to see their ids.",
			scope.Page)
	}
	if page.Type != entity.PageDocument && (scope.Only || page.Type != entity.PageGroup) {
		return nil, errs.Invalidf("query.page", "the page is a %s, which has no text of its own to print", page.Type)
	}
	return page, nil
}

// computedEntry returns a page that was made for a computed one, nil when there is none.
func (s *Service) computedEntry(ctx context.Context, view *store.View, pageID string) (*entity.Entry, error) {
	tree, err := view.Pages(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the pages: %w", err)
	}
	tree, _, err = s.hooks.Get().Computed.Expand(ctx, view.Revision().Space, tree)
	if err != nil {
		return nil, err
	}
	if node := tree.ByID[pageID]; node != nil {
		return node.Entry, nil
	}
	return nil, nil
}

// shorten cuts a text for the cover: what tells PDFs apart has to fit into an index.
func shorten(text string) string {
	const most = 250
	if characters := []rune(text); len(characters) > most {
		return string(characters[:most-1]) + "…"
	}
	return text
}

// grace is how long a PDF is kept beyond its life, for downloads that are slow.
const grace = 10 * time.Minute

// Await returns a PDF when its state is Done or Failed, or as it is when patience has run out. It checks no access: who
// has an id got it from an order. errs.NotFound says that there is none any more.
func (s *Service) Await(ctx context.Context, pdfID string, patience time.Duration) (PDF, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for pause := 20 * time.Millisecond; ; pause = min(pause*3/2, 500*time.Millisecond) {
		found, err := find(context.WithoutCancel(ctx), s.deps.DB.Read(), pdfID)
		if err != nil || found.State == Done || found.State == Failed {
			return found, err
		}
		select {
		case <-ctx.Done():
			return found, nil
		case <-time.After(pause):
		}
	}
}

// Open returns the bytes of a PDF that is done, and their number. The caller closes it.
func (s *Service) Open(ctx context.Context, made PDF) (io.ReadSeekCloser, int64, error) {
	if made.blob == "" {
		return nil, 0, errs.New(errs.Unavailable, "The PDF is not made yet.")
	}
	return s.deps.Content.OpenFile(ctx, made.blob)
}

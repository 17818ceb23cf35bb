package page

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/singleflight"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/social"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
	"github.com/rectodocs/recto/internal/serve/pub/theme"
)

// socialImage is the picture that stands for a page where somebody shows a link to it: its cover, the site's own, or
// one that is drawn when somebody asks for it.
func socialImage(s *scope.Scope, node *store.TreeNode) pictureView {
	if cover := node.Entry.Cover; cover != nil {
		if to := s.Resolver(node).Target(cover.Ref); !to.Broken {
			return pictureView{URL: s.Absolute(to.URL)}
		}
	}
	if own := s.Customization().SocialPreview.URL; own != "" {
		return pictureView{URL: own}
	}
	if s.Preview != nil || s.Inspection != nil {
		return pictureView{} // nobody shows links to what only a few may see for a while
	}
	return pictureView{URL: s.Address + "~/social/" + node.Entry.ID + ".png?v=" + version(cardOf(s, node)),
		Width: social.Width, Height: social.Height}
}

// cardOf is what the picture of a page shows. Of the page it has only what is the same for all who may read it: the
// text is not in it, which may depend on the reader.
func cardOf(s *scope.Scope, node *store.TreeNode) social.Card {
	title := s.Title()
	card := social.Card{Site: title, Title: edition.PlainTitle(edition.Title(node.Entry)),
		Description: strings.TrimSpace(node.Entry.Description), Mark: emojiOf(s), Language: s.Language()}
	if card.Mark == "" {
		card.Mark = initial(title)
	}
	card.Fill, card.Ink = theme.Mark(s.Customization())
	return card
}

// version identifies a picture by all that it shows.
func version(card social.Card) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %q", social.Version, []any{card}))
	return hex.EncodeToString(sum[:8])
}

// maxDrawing is how many pictures may wait for being drawn, the one at hand included.
const maxDrawing = 16

// drawing lets pictures be drawn one at a time, and one once for all who ask for it.
type drawing struct {
	shared  singleflight.Group
	waiting atomic.Int64
	turn    chan struct{} // has room for one
}

// draw draws the picture of a card; ok is false when too many wait.
func (d *drawing) draw(ctx context.Context, card social.Card) (picture []byte, ok bool, err error) {
	defer d.waiting.Add(-1)
	if d.waiting.Add(1) > maxDrawing {
		return nil, false, nil
	}
	d.turn <- struct{}{}
	defer func() { <-d.turn }()
	picture, err = social.Draw(ctx, card)
	return picture, true, err
}

// ServeSocial sends the picture that stands for a page, to those who may read the page; rest is the page's id and
// ".png". It is kept among the pages by all that it shows, and browsers may keep the one that they ask for by its
// version.
func (p *Pages) ServeSocial(w http.ResponseWriter, r *http.Request, s *scope.Scope, rest string) error {
	id, named := strings.CutSuffix(rest, ".png")
	node := s.Edition.Tree.ByID[id]
	if !named || !s.Edition.Exists(node) || node.Entry.Type != entity.PageDocument || s.Fallback {
		return p.Missing(w, r, s, "")
	}
	card := cardOf(s, node)
	current := version(card)
	key := "social\x00" + current
	made, ok := s.Services.Pages.Get(key)
	if !ok {
		ctx := context.WithoutCancel(r.Context()) // others may wait for the same picture
		shared, err, _ := p.drawing.shared.Do(key, func() (any, error) {
			picture, ok, err := p.drawing.draw(ctx, card)
			if err != nil || !ok {
				return (*response.Response)(nil), err
			}
			made := response.New(http.Header{"Content-Type": {"image/png"}}, picture)
			s.Services.Pages.Set(key, made)
			return made, nil
		})
		if err != nil {
			return fmt.Errorf("draw the picture of page %s: %w", id, err)
		}
		if made = shared.(*response.Response); made == nil {
			w.Header().Set("Retry-After", "2")
			return errs.New(errs.TooMany, "Too many pictures are being drawn. Ask again in two seconds.")
		}
	}
	header := w.Header()
	header.Set("Cache-Control", "no-cache")
	if r.URL.Query().Get("v") == current {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if s.Served.Site.Visibility != site.VisibilityPublic {
		header.Set("X-Robots-Tag", "noindex")
	}
	made.Serve(w, r)
	return nil
}

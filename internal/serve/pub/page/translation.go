package page

import (
	"context"
	"log/slog"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// translationView is the note on a page whose translation is not up to date.
type translationView struct {
	// Text says what is wrong, Link what leads to the original; in the language of the page. URL is empty where the
	// original is not on the site.
	Text, Link, URL string
	// SourceLanguage is that of the original.
	SourceLanguage string
}

// translation reports whether a page is a translation, and sets its note unless it is up to date.
func (p *Pages) translation(ctx context.Context, s *scope.Scope, node *store.TreeNode,
	v *View) (translated bool, err error) {
	if s.Space.Language == "" || s.Preview != nil {
		return false, nil
	}
	found, translated, err := p.deps.Translations.Serve(ctx, s.Space.Space, node.Entry.ID)
	if err != nil || !translated || found.Stale+found.Missing == 0 {
		return translated, err
	}
	said := s.Services.Themes.Words.TranslationNote(s.Space.Language)
	note := &translationView{Text: said.Stale, Link: said.Original}
	if found.Translated+found.Stale == 0 {
		note.Text = said.Missing
	}
	note.URL, note.SourceLanguage = p.original(ctx, s, found.Source, node.Entry.ID)
	v.Translation = note
	return true, nil
}

// original returns the address of a page in the space that it is translated from, if that is on the site: beside the
// translation, or else anywhere.
func (p *Pages) original(ctx context.Context, s *scope.Scope, spaceID id.Space,
	pageID string) (address, language string) {
	var source *site.ServedSpace
	for i, space := range s.Served.Spaces {
		if space.Space == spaceID && (source == nil || space.Section == s.Space.Section) {
			source = &s.Served.Spaces[i]
		}
	}
	if source == nil {
		return "", ""
	}
	other, err := s.In(ctx, *source)
	if err != nil {
		p.deps.Log.WarnContext(ctx, "find the original of a translation", slog.String("space", string(spaceID)),
			slog.Any("error", err))
	}
	if other == nil || err != nil {
		return "", ""
	}
	node := other.Edition.Tree.ByID[pageID]
	if !other.Edition.Exists(node) {
		return "", ""
	}
	return other.PageURL(node), source.Language
}

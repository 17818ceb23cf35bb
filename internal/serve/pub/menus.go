package pub

import (
	"context"
	"html/template"
	"strings"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
)

// structureView is what a page shows of its site's structure: sections as tabs, groups of them as menus, and the
// variants of the page's section as a switch.
type structureView struct {
	Items       []sectionView
	Section     string // title of the page's own
	SectionIcon template.HTML
	// Variants are those of the page's section, none when there is nothing to choose.
	Variants []variantView
	Variant  string // title of the page's own
	// The labels say what is chosen in each menu.
	SectionsLabel, SectionLabel, VariantsLabel string
}

// sectionView is a section, or a group with what is in it.
type sectionView struct {
	Title, Description, URL string
	Icon                    template.HTML
	Current                 bool
	Items                   []sectionView
}

type variantView struct {
	Title, URL, Language string
	Icon                 template.HTML
	Current              bool
}

// alternateView is the page in another language.
type alternateView struct{ Language, URL string }

// maxTwins is up to how many variants a page looks for itself in; with more, the switch leads to the beginning of each.
const maxTwins = 20

// structure returns the menus around a page of the scope, which may be nil; nil for a site of one space.
func (s *scope) structure(ctx context.Context, page *store.TreeNode) *structureView {
	words := s.theme().Words
	v := &structureView{SectionsLabel: words.Sections, SectionLabel: words.Section, VariantsLabel: words.Version}
	if len(s.site.Sections) > 1 {
		v.Items = s.sectionItems("")
		if current, ok := s.site.Section(s.space.Section); ok {
			v.Section, v.SectionIcon = current.Title, s.namedIcon(current.Icon)
		}
	}
	variants := s.site.Variants(s.space.Section)
	if len(variants) > 1 {
		if inLanguages(variants) {
			v.VariantsLabel = words.LanguageSwitch
		}
		v.Variant = s.space.Title
		for _, variant := range variants {
			v.Variants = append(v.Variants, variantView{
				Title: variant.Title, URL: s.twin(ctx, variant, page, len(variants)), Language: language(variant),
				Current: variant.ID == s.space.ID,
				Icon:    emojiIcon(variant.Emoji),
			})
		}
	}
	if v.Items == nil && v.Variants == nil {
		return nil
	}
	return v
}

// sectionItems are the sections and groups in a group, or at the top for "".
func (s *scope) sectionItems(group string) []sectionView {
	var items []sectionView
	last := ""
	for _, section := range s.site.Sections {
		// The sections of a group stand together, so the group stands where the first of them does.
		switch child := s.childOf(group, section); {
		case child == section.ID:
			items = append(items, sectionView{
				Title: section.Title, Description: section.Description, URL: s.sectionHome(section),
				Icon:    s.namedIcon(section.Icon),
				Current: section.ID == s.space.Section,
			})
		case child != "" && child != last:
			found, _ := s.site.Group(child)
			item := sectionView{Title: found.Title, Icon: s.namedIcon(found.Icon), Items: s.sectionItems(child)}
			for _, inner := range item.Items {
				item.Current = item.Current || inner.Current
			}
			items = append(items, item)
			last = child
		}
	}
	return items
}

// childOf is what of a group a section is in: the section itself, a group in the group, or "" when it is not below it.
func (s *scope) childOf(group string, section site.ServedSection) string {
	child, parent := section.ID, section.Group
	for parent != group {
		above, ok := s.site.Group(parent)
		if !ok {
			return ""
		}
		child, parent = above.ID, above.Parent
	}
	return child
}

// sectionHome is the path of a section's first visible variant.
func (s *scope) sectionHome(section site.ServedSection) string {
	variants := s.site.Variants(section.ID)
	for _, variant := range variants {
		if variant.Default {
			return s.root + variant.Address
		}
	}
	return s.root + variants[0].Address
}

// namedIcon is an icon of the set, "" for none.
func (s *scope) namedIcon(name string) template.HTML {
	if svg := s.server.themes.Icons.SVG(name); name != "" && svg != "" {
		return template.HTML(`<span class="icon" aria-hidden="true">` + svg + `</span>`)
	}
	return ""
}

func emojiIcon(code string) template.HTML {
	if text := edition.EmojiText(code); text != "" {
		return template.HTML(`<span class="emoji" aria-hidden="true">` + template.HTMLEscapeString(text) + `</span>`)
	}
	return ""
}

// twin is where the switch leads for a variant: to the page with the same path there, or to the variant's beginning.
func (s *scope) twin(ctx context.Context, variant site.ServedSpace, page *store.TreeNode, variants int) string {
	home := s.root + variant.Address
	if page == nil || variants > maxTwins {
		return home
	}
	if to, node := s.twinPage(ctx, variant, page); node != nil {
		return to.pageURL(node)
	}
	return home
}

// twinPage finds a page in another variant: it has one id in all languages, whatever its path is there, and elsewhere
// it is the page with the same path.
func (s *scope) twinPage(ctx context.Context, variant site.ServedSpace,
	page *store.TreeNode) (*scope, *store.TreeNode) {
	if variant.ID == s.space.ID {
		return s, page
	}
	to, err := s.in(ctx, variant)
	if to == nil || err != nil {
		return nil, nil
	}
	if node := to.edition.Tree.ByID[page.Entry.ID]; to.edition.Exists(node) {
		return to, node
	}
	if page == s.edition.Landing {
		return to, to.edition.Landing
	}
	return to, to.find(page.Path)
}

// inLanguages reports whether variants differ by language: each has one, and no two the same.
func inLanguages(variants []site.ServedSpace) bool {
	seen := map[string]bool{}
	for _, variant := range variants {
		tag := strings.ToLower(language(variant))
		if tag == "" || seen[tag] {
			return false
		}
		seen[tag] = true
	}
	return len(variants) > 1
}

// language is the language of a space as a tag, "" when it has none.
func language(space site.ServedSpace) string {
	if languageTag(space.Language) {
		return space.Language
	}
	return ""
}

// alternates are the page in the languages of its section, when variants differ by language: itself, the others, and
// what readers of any other language get.
func (s *scope) alternates(ctx context.Context, page *store.TreeNode) []alternateView {
	variants := s.site.Variants(s.space.Section)
	if s.preview != nil || len(variants) > maxTwins || !inLanguages(variants) {
		return nil
	}
	var found []alternateView
	standard := ""
	for _, variant := range variants {
		to, node := s.twinPage(ctx, variant, page)
		if node == nil {
			continue
		}
		address := to.pageAddress(node)
		found = append(found, alternateView{language(variant), address})
		if variant.Default {
			standard = address
		}
	}
	if len(found) < 2 {
		return nil
	}
	if standard != "" {
		found = append(found, alternateView{"x-default", standard})
	}
	return found
}

// partCrumbs are the section of the page above its own breadcrumbs, where there are several.
func (s *scope) partCrumbs() []linkView {
	section, ok := s.site.Section(s.space.Section)
	if !ok || len(s.site.Sections) < 2 {
		return nil
	}
	return []linkView{{Title: section.Title, URL: s.sectionHome(section)}}
}

// partTitle names the part of a site that the scope's space is: its section, and its variant unless that is the default
// one; "" on a site of one space.
func (s *scope) partTitle() string {
	var titles []string
	if section, ok := s.site.Section(s.space.Section); ok && len(s.site.Sections) > 1 {
		titles = append(titles, section.Title)
	}
	if len(s.site.Variants(s.space.Section)) > 1 && (!s.space.Default || len(titles) == 0) {
		titles = append(titles, s.space.Title)
	}
	return strings.Join(titles, " › ")
}

// parts are the scopes that lists for machines are made of: of the site's root all of its spaces, the root's own first,
// and otherwise the one space.
func (s *scope) parts(ctx context.Context) ([]*scope, error) {
	parts := []*scope{s}
	if !s.atRoot() {
		return parts, nil
	}
	for _, space := range s.site.Spaces {
		if space.ID == s.space.ID {
			continue
		}
		part, err := s.in(ctx, space)
		if err != nil {
			return nil, err
		}
		if part != nil {
			parts = append(parts, part)
		}
	}
	return parts, nil
}

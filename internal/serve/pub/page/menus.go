package page

import (
	"context"
	"html/template"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
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

// maxCounterparts is up to how many variants a page looks for itself in; with more, the switch leads to the beginning
// of each.
const maxCounterparts = 20

// structure returns the menus around a page of the scope, which may be nil; nil for a site of one space.
func structure(ctx context.Context, s *scope.Scope, page *store.TreeNode) *structureView {
	words := s.Theme().Words
	v := &structureView{SectionsLabel: words.Sections, SectionLabel: words.Section, VariantsLabel: words.Version}
	if len(s.Served.Sections) > 1 {
		v.Items = sectionItems(s, "")
		if current, ok := s.Served.Section(s.Space.Section); ok {
			v.Section, v.SectionIcon = current.Title, namedIcon(s, current.Icon)
		}
	}
	variants := s.Served.Variants(s.Space.Section)
	if len(variants) > 1 {
		if inLanguages(variants) {
			v.VariantsLabel = words.LanguageSwitch
		}
		v.Variant = s.Space.Title
		for _, variant := range variants {
			v.Variants = append(v.Variants, variantView{
				Title: variant.Title, URL: counterpart(ctx, s, variant, page, len(variants)),
				Language: language(variant),
				Current:  variant.ID == s.Space.ID,
				Icon:     emojiIcon(variant.Emoji),
			})
		}
	}
	if v.Items == nil && v.Variants == nil {
		return nil
	}
	return v
}

// sectionItems are the sections and groups in a group, or at the top for "".
func sectionItems(s *scope.Scope, group id.SectionGroup) []sectionView {
	var items []sectionView
	last := ""
	for _, section := range s.Served.Sections {
		// The sections of a group stand together, so the group stands where the first of them does.
		switch child := childOf(s, group, section); {
		case child == string(section.ID):
			items = append(items, sectionView{
				Title: section.Title, Description: section.Description, URL: sectionHome(s, section),
				Icon:    namedIcon(s, section.Icon),
				Current: section.ID == s.Space.Section,
			})
		case child != "" && child != last:
			found, _ := s.Served.Group(id.SectionGroup(child))
			item := sectionView{Title: found.Title, Icon: namedIcon(s, found.Icon),
				Items: sectionItems(s, id.SectionGroup(child))}
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
func childOf(s *scope.Scope, group id.SectionGroup, section site.ServedSection) string {
	child, parent := string(section.ID), section.Group
	for parent != group {
		above, ok := s.Served.Group(parent)
		if !ok {
			return ""
		}
		child, parent = string(above.ID), above.Parent
	}
	return child
}

// sectionHome is the path of a section's first visible variant.
func sectionHome(s *scope.Scope, section site.ServedSection) string {
	variants := s.Served.Variants(section.ID)
	for _, variant := range variants {
		if variant.Default {
			return s.Root + variant.Address
		}
	}
	return s.Root + variants[0].Address
}

// namedIcon is an icon of the set, "" for none.
func namedIcon(s *scope.Scope, name string) template.HTML {
	if svg := s.Services.Themes.Icons.SVG(name); name != "" && svg != "" {
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

// counterpart is where the switch leads for a variant: to the page with the same path there, or to the variant's
// beginning.
func counterpart(ctx context.Context, s *scope.Scope, variant site.ServedSpace, page *store.TreeNode,
	variants int) string {
	home := s.Root + variant.Address
	if page == nil || variants > maxCounterparts {
		return home
	}
	if to, node := counterpartPage(ctx, s, variant, page); node != nil {
		return to.PageURL(node)
	}
	return home
}

// counterpartPage finds a page in another variant: it has one id in all languages, whatever its path is there, and
// elsewhere it is the page with the same path.
func counterpartPage(ctx context.Context, s *scope.Scope, variant site.ServedSpace,
	page *store.TreeNode) (*scope.Scope, *store.TreeNode) {
	if variant.ID == s.Space.ID {
		return s, page
	}
	to, err := s.In(ctx, variant)
	if to == nil || err != nil {
		return nil, nil
	}
	if node := to.Edition.Tree.ByID[page.Entry.ID]; to.Edition.Exists(node) {
		return to, node
	}
	if page == s.Edition.Landing {
		return to, to.Edition.Landing
	}
	return to, to.Find(page.Path)
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
	if scope.LanguageTag(space.Language) {
		return space.Language
	}
	return ""
}

// alternates are the page in the languages of its section, when variants differ by language: itself, the others, and
// what readers of any other language get.
func alternates(ctx context.Context, s *scope.Scope, page *store.TreeNode) []alternateView {
	variants := s.Served.Variants(s.Space.Section)
	if s.Preview != nil || len(variants) > maxCounterparts || !inLanguages(variants) {
		return nil
	}
	var found []alternateView
	standard := ""
	for _, variant := range variants {
		to, node := counterpartPage(ctx, s, variant, page)
		if node == nil {
			continue
		}
		address := to.PageAddress(node)
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
func partCrumbs(s *scope.Scope) []linkView {
	section, ok := s.Served.Section(s.Space.Section)
	if !ok || len(s.Served.Sections) < 2 {
		return nil
	}
	return []linkView{{Title: section.Title, URL: sectionHome(s, section)}}
}

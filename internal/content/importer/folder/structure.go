package folder

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/filetree"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// readFolders makes the tree of pages from the folders.
func (r *reader) readFolders(ctx context.Context, name string) error {
	root := &branch{}
	for _, file := range r.files.Files() {
		if r.isFolderPage(file.Path) {
			root.add(strings.Split(file.Path, "/"), file)
		}
	}
	pages, err := r.branchPages(ctx, root, "")
	if err != nil {
		return err
	}
	if len(pages) == 1 && len(pages[0].Children) == 0 && pages[0].Entry.Slug == "readme" && name != "" {
		// A single page has no folder that its name could come from.
		pages[0].Entry.Slug = ""
	}
	r.tree.Pages = pages
	return nil
}

// isFolderPage reports whether a file becomes a page when folders make the tree.
func (r *reader) isFolderPage(file string) bool {
	if strings.HasPrefix(file, ".gitbook/") || path.Base(file) == "SUMMARY.md" {
		return false
	}
	if r.isPartial(file) {
		return false
	}
	if IsPage(file, ".md") || isOther(file) {
		return true
	}
	// The HTML version of a Markdown page is not another page.
	return IsPage(file, ".html") && !r.files.Has(stem(file)+".md")
}

// branch is a folder with the pages in it.
type branch struct {
	name     string
	files    []filetree.File
	branches map[string]*branch
}

func (b *branch) add(segments []string, file filetree.File) {
	if len(segments) == 1 {
		b.files = append(b.files, file)
		return
	}
	if b.branches == nil {
		b.branches = map[string]*branch{}
	}
	below := b.branches[segments[0]]
	if below == nil {
		below = &branch{name: segments[0]}
		b.branches[segments[0]] = below
	}
	below.add(segments[1:], file)
}

// sibling is a page or folder among others, with what orders it.
type sibling struct {
	name   string
	weight float64
	page   *source.Page
}

// noWeight puts what says nothing about its place behind what does.
const noWeight = 1e18

// branchPages returns the pages of a folder in order: its own page first, which is nil here when it stands for the
// folder one level up.
func (r *reader) branchPages(ctx context.Context, b *branch, dir string) ([]*source.Page, error) {
	var siblings []sibling
	var first []*source.Page
	numbers := b.numbers()
	index := r.indexOf(b)
	byStem := map[string]*source.Page{}
	for _, file := range b.files {
		if file.Path == index && dir != "" {
			continue // read by the folder around
		}
		if r.pages[file.Path] != nil {
			continue // the navigation has it
		}
		page, err := r.readPage(ctx, file.Path, "")
		if err != nil {
			return nil, err
		}
		if page == nil {
			continue
		}
		base := path.Base(file.Path)
		if file.Path == index {
			setSlug(page, "readme")
			first = append(first, page)
			continue
		}
		setSlug(page, r.withoutNumber(stem(base), numbers))
		byStem[stem(base)] = page
		siblings = append(siblings, sibling{stem(base), weightOf(&page.Entry), page})
	}
	for name, below := range b.branches {
		made, err := r.folderPage(ctx, below, path.Join(dir, name), byStem[name], numbers, dir == "")
		if err != nil {
			return nil, err
		}
		if made != nil {
			siblings = append(siblings, *made)
		}
	}
	siblings = r.arrange(dir, siblings, first)
	slices.SortFunc(siblings, func(x, y sibling) int {
		return cmp.Or(cmp.Compare(x.weight, y.weight), compareNames(x.name, y.name))
	})
	for _, each := range siblings {
		first = append(first, each.page)
	}
	return first, nil
}

// setSlug gives a page the slug of its file's name, unless its front matter has one.
func setSlug(page *source.Page, slug string) {
	if page.Entry.Slug == "" {
		page.Entry.Slug = slug
	}
}

// folderPage returns the page that stands for a folder with what is in it, nil when that page is beside the folder
// already.
func (r *reader) folderPage(ctx context.Context, b *branch, dir string, beside *source.Page, numbers int,
	top bool) (*sibling, error) {
	page := beside
	index := r.indexOf(b)
	if index != "" && r.pages[index] == nil {
		read, err := r.readPage(ctx, index, "")
		if err != nil {
			return nil, err
		}
		if read == nil {
			index = ""
		}
		if read != nil && beside != nil {
			// "guide.md" and "guide/README.md": the second is a page below the first.
			read.Entry.Slug = "readme-1"
			beside.Children = append(beside.Children, read)
		} else if read != nil {
			page = read
		}
	}
	children, err := r.branchPages(ctx, b, dir)
	if err != nil {
		return nil, err
	}
	settings := r.category(dir)
	if page == nil {
		if len(children) == 0 {
			return nil, nil
		}
		page = &source.Page{Place: r.place(dir), Base: dir + "/README.md",
			Entry: entity.Entry{Type: entity.PageDocument, Title: humanize(withoutNumber(b.name, 2))}}
		if top {
			page.Entry.Type = entity.PageGroup
		}
		r.groups[dir] = page
	}
	if settings.Label != "" && beside == nil {
		if index == "" {
			page.Entry.Title = settings.Label
		} else if page.Entry.LinkTitle == "" && page.Entry.Title != settings.Label {
			page.Entry.LinkTitle = settings.Label
		}
	}
	page.Children = append(page.Children, children...)
	if beside != nil {
		return nil, nil
	}
	setSlug(page, r.withoutNumber(b.name, numbers))
	weight := weightOf(&page.Entry)
	if settings.Position != nil {
		weight = *settings.Position
	}
	return &sibling{b.name, weight, page}, nil
}

// numbers counts the files and folders whose names start with a number for their order.
func (b *branch) numbers() int {
	count := 0
	for _, file := range b.files {
		if numbered.MatchString(stem(path.Base(file.Path))) {
			count++
		}
	}
	for name := range b.branches {
		if numbered.MatchString(name) {
			count++
		}
	}
	return count
}

// indexOf returns the path of a folder's own page, "" when it has none.
func (r *reader) indexOf(b *branch) string {
	best := ""
	for _, file := range b.files {
		if !r.isIndex(path.Base(file.Path)) {
			continue
		}
		// README.md, then Markdown, then HTML.
		switch {
		case path.Base(file.Path) == "README.md":
			return file.Path
		case best == "" || IsPage(file.Path, ".md") && !IsPage(best, ".md"):
			best = file.Path
		}
	}
	return best
}

// weightOf returns the place that a page's front matter asks for, by the names that tools have for it.
func weightOf(e *entity.Entry) float64 {
	for _, name := range []string{"sidebar_position", "nav_order", "weight", "order"} {
		switch value := e.Extra[name].(type) {
		case int:
			return float64(value)
		case float64:
			return value
		}
	}
	return noWeight
}

// category is what _category_.json says of a folder.
type category struct {
	Label    string   `json:"label"`
	Position *float64 `json:"position"`
}

func (r *reader) category(dir string) category {
	var found category
	if data, err := r.files.Read(path.Join(dir, "_category_.json"), maxConfig); err == nil && json.Unmarshal(data,
		&found) != nil {
		r.tree.Report.NotUnderstood.Addf(r.place(path.Join(dir, "_category_.json")), "it is not valid JSON")
	}
	return found
}

// readSummary makes the tree of pages from the table of contents.
func (r *reader) readSummary(ctx context.Context) error {
	text, err := r.summaryText()
	if err != nil {
		return err
	}
	var items []*item
	if r.dialect {
		items, err = parseSummary(text)
	} else {
		items, err = parseBookSummary(text)
	}
	if err != nil {
		return err
	}
	for _, file := range r.files.Files() {
		if IsPage(file.Path, ".md") && file.Path != r.layout.summary && !strings.HasPrefix(file.Path, ".gitbook/") &&
			r.inContent(file.Path) {
			r.unlisted[file.Path] = true
		}
	}
	r.markListed(items)
	if r.unlisted[r.layout.readme] {
		// The first page needs no entry.
		delete(r.unlisted, r.layout.readme)
		items = append([]*item{{target: "/" + r.layout.readme}}, items...)
	}
	r.tree.Pages, err = r.summaryPages(ctx, items, 0)
	return err
}

func (r *reader) summaryText() (string, error) {
	if size, _ := r.files.Size(r.layout.summary); size > maxSummary {
		return "", errs.New(errs.TooLarge, "%s has %d bytes; at most %d are read", r.place(r.layout.summary), size,
			maxSummary)
	}
	return r.text(r.layout.summary)
}

// target returns the path of the file that an entry of the table of contents names, and whether there is an anchor
// behind it, be it empty: such an entry is a link to the page, not the page.
func (r *reader) target(it *item) (file string, anchored, ok bool) {
	if it.target == "" || withScheme.MatchString(it.target) || isStable(it.target) {
		return "", false, false
	}
	written, _, anchored := strings.Cut(it.target, "#")
	if file, found := r.ids[strings.TrimPrefix(written, "/")]; found && it.byID {
		return file, anchored, true
	}
	for _, spelling := range spellingsOf(written) {
		joined, inside := r.join(r.layout.summary, spelling)
		if !inside {
			continue
		}
		for _, candidate := range r.candidates(joined) {
			if r.files.Has(candidate) {
				return candidate, anchored, true
			}
		}
	}
	return "", anchored, false
}

// markListed takes the files that the table of contents names off the list of those that it does not.
func (r *reader) markListed(items []*item) {
	for _, it := range items {
		if file, _, ok := r.target(it); ok {
			delete(r.unlisted, file)
		}
		r.markListed(it.children)
	}
}

func (r *reader) summaryPages(ctx context.Context, items []*item, depth int) ([]*source.Page, error) {
	var pages []*source.Page
	for _, it := range items {
		if it.folder {
			below, err := r.pagesOfFolder(ctx, it.target)
			if err != nil {
				return nil, err
			}
			pages = append(pages, below...)
			continue
		}
		page, err := r.summaryPage(ctx, it)
		if err != nil {
			return nil, err
		}
		children, err := r.summaryPages(ctx, it.children, depth+1)
		if err != nil {
			return nil, err
		}
		switch {
		case page == nil:
			// What is below an entry that leads nowhere moves up to its place.
			pages = append(pages, children...)
			continue
		case page.Entry.Type == entity.PageLink || page.Entry.Type == entity.PageComputed:
			pages = append(pages, page)
			pages = append(pages, children...)
			continue
		}
		page.Children = append(page.Children, children...)
		if it.group {
			r.registerGroup(page)
		}
		pages = append(pages, page)
	}
	return pages, nil
}

// pagesOfFolder returns the pages of a folder in the order of their names, without those that stand elsewhere already.
func (r *reader) pagesOfFolder(ctx context.Context, dir string) ([]*source.Page, error) {
	root := &branch{}
	prefix := ""
	if dir != "" {
		prefix = dir + "/"
	}
	for _, file := range r.files.Files() {
		if rest, ok := strings.CutPrefix(file.Path,
			prefix); ok && r.isFolderPage(file.Path) && r.pages[file.Path] == nil {
			root.add(strings.Split(rest, "/"), file)
		}
	}
	pages, err := r.branchPages(ctx, root, dir)
	if err != nil {
		return nil, err
	}
	index := r.indexOf(root)
	if dir == "" || index == "" || r.pages[index] != nil {
		return pages, nil
	}
	page, err := r.readPage(ctx, index, "")
	if err != nil || page == nil {
		return pages, err
	}
	setSlug(page, r.nameOf(index))
	return append([]*source.Page{page}, pages...), nil
}

// registerGroup lets links name a group by the folder of its pages.
func (r *reader) registerGroup(group *source.Page) {
	slug := group.Entry.Slug
	if slug == "" {
		slug = entity.Slugify(group.Entry.Title)
	}
	if _, taken := r.groups[slug]; !taken {
		r.groups[slug] = group
	}
}

// summaryPage returns the page of one entry, nil when it leads nowhere.
func (r *reader) summaryPage(ctx context.Context, it *item) (*source.Page, error) {
	place := placeAt(r.place(r.layout.summary), it.line)
	if r.layout.nav != nil {
		place = placeAt(r.layout.navPlace, it.line)
	}
	page := &source.Page{Place: place, Base: r.layout.summary}
	page.Entry.Title, page.Entry.LinkTitle = it.title, it.linkTitle
	switch {
	case it.group:
		page.Entry.Type, page.Entry.Slug = entity.PageGroup, it.slug
		return page, nil
	case it.computed != nil:
		page.Entry.Type = entity.PageComputed
		page.Entry.Computed = &entity.Computed{Type: it.computed.kind, Props: it.computed.props,
			Dependencies: it.computed.dependencies}
		return page, nil
	case it.section, it.body != "":
		page.Entry.Type = entity.PageDocument
		if it.body != "" {
			page.Body = r.tree.Texts.Keep([]byte(it.body))
		}
		return page, nil
	case it.draft:
		page.Entry.Type = entity.PageDocument
		r.tree.Report.NotUnderstood.Addf(place, "%q is a draft without a file; it becomes an empty page", it.title)
		return page, nil
	}
	file, anchored, ok := r.target(it)
	switch {
	case ok && !anchored && r.pages[file] == nil && r.isListable(file):
		return r.listedPage(ctx, file, it)
	case !ok && !withScheme.MatchString(it.target) && !namesFolder(it.target):
		r.tree.Report.Broken.Add(source.Note{Place: place, Target: it.target, Message: "there is no such file"})
		if len(it.children) == 0 {
			return nil, nil
		}
		page.Entry.Type = entity.PageDocument
		return page, nil
	}
	page.Entry.Type, page.Target = entity.PageLink, it.target
	return page, nil
}

// isListable reports whether an entry of the table of contents for a file is a page; for other files it is a link.
func (r *reader) isListable(file string) bool {
	return (IsPage(file, ".md") || IsPage(file, ".html") || isOther(file)) && !strings.HasPrefix(file, ".gitbook/")
}

// namesFolder reports whether a destination is that of a folder, or written from the root: what it leads to is not
// known before all pages are.
func namesFolder(destination string) bool {
	written, _, _ := strings.Cut(destination, "#")
	return strings.HasPrefix(written, "/") || strings.HasSuffix(written, "/") || written == ""
}

// listedPage reads the page of an entry.
func (r *reader) listedPage(ctx context.Context, file string, it *item) (*source.Page, error) {
	page, err := r.readPage(ctx, file, it.title)
	if err != nil || page == nil {
		return nil, err
	}
	if page.Entry.Slug == "" {
		page.Entry.Slug = r.layout.rules.WithoutNumbers(r.nameOf(file))
	}
	if it.linkTitle != "" {
		page.Entry.LinkTitle = it.linkTitle
	}
	return page, nil
}

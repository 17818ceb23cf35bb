package folder

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/pagefile/links"
)

var withScheme = regexp.MustCompile(`^(?:[a-zA-Z][a-zA-Z0-9+.-]*:|//)`)

// resolve says where a destination leads that is written in the file base.
func (r *reader) resolve(base, destination string) source.Resolution {
	if withScheme.MatchString(destination) || isStable(destination) {
		return source.Resolution{Kind: source.External}
	}
	written, anchor, _ := strings.Cut(destination, "#")
	written, _, _ = strings.Cut(written, "?")
	if decoded, err := url.PathUnescape(anchor); err == nil {
		anchor = decoded
	}
	if written == "" {
		if page := r.pages[base]; page != nil {
			return source.Resolution{Kind: source.ToPage, Page: page, Anchor: anchor}
		}
		return source.Resolution{Kind: source.External}
	}
	spellings := spellingsOf(written)
	outside := true
	for _, spelling := range spellings {
		target, ok := r.join(base, spelling)
		if !ok {
			continue
		}
		outside = false
		if found, ok := r.lookup(target); ok {
			found.Anchor = anchor
			return found
		}
	}
	for _, spelling := range spellings {
		if file := r.around(base, spelling); file != nil {
			return source.Resolution{Kind: source.ToFile, File: file, Anchor: anchor}
		}
	}
	for _, spelling := range spellings {
		if page := r.atAddress(base, spelling); page != nil {
			return source.Resolution{Kind: source.ToPage, Page: page, Anchor: anchor}
		}
	}
	if outside {
		return source.Resolution{Kind: source.Broken, Reason: "it leads out of the content"}
	}
	if strings.HasPrefix(written, "/") && !r.dialect && r.layout.summary == "" {
		for _, spelling := range spellings {
			if found, ok := r.lookupAddress(spelling); ok {
				found.Anchor = anchor
				return found
			}
		}
	}
	for _, spelling := range spellings {
		if target, ok := r.join(base, spelling); ok && slices.ContainsFunc(r.candidates(target), func(c string) bool {
			return r.unlisted[c]
		}) {
			return source.Resolution{Kind: source.Broken, Reason: "the table of contents does not name that page"}
		}
	}
	return source.Resolution{Kind: source.Broken, Reason: "there is no such page or file"}
}

// around takes a file along that lies outside the content root: in a folder whose files the site has at its root, or
// where a relative path leads to. It returns nil when there is none, and for pages.
func (r *reader) around(base, written string) *source.File {
	outer, inner := r.layout.outer, r.layout.inner
	if outer == nil {
		outer, inner = r.whole, strings.TrimSuffix(r.layout.prefix, "/")
	}
	var candidates []string
	if rest, rooted := strings.CutPrefix(written, "/"); rooted {
		for _, public := range r.layout.publics {
			candidates = append(candidates, path.Join(public, rest))
			if base := r.layout.rules.Base; base != "" {
				candidates = append(candidates, path.Join(public, strings.TrimPrefix(rest, base+"/")))
			}
		}
	} else {
		if rest, aliased := strings.CutPrefix(written, "@site/"); aliased {
			candidates = append(candidates, path.Join(path.Dir(inner), rest))
		}
		candidates = append(candidates, path.Join(inner, path.Dir(base), written))
		for _, public := range r.layout.publics {
			candidates = append(candidates, path.Join(public, written))
		}
	}
	for _, candidate := range candidates {
		if !outer.Has(candidate) || IsPage(candidate, ".md") || isOther(candidate) {
			continue
		}
		return r.addFrom(outer, candidate)
	}
	return nil
}

// isStable reports whether a destination is a reference by id already.
func isStable(destination string) bool {
	ref := doc.ParseDestination(destination)
	switch ref.Kind {
	case doc.RefPage:
		return id.Valid("page", ref.Page)
	case doc.RefAnchor:
		return ref.Page != "" && id.Valid("page", ref.Page)
	case doc.RefFile:
		return id.Valid("file", ref.File)
	case doc.RefReusableContent:
		return id.Valid("content", ref.ReusableContent)
	case doc.RefURL:
		return false
	}
	return true
}

// join returns the path that a destination in a file names, with a final slash when it can only be a folder, and
// whether it stays within the content.
func (r *reader) join(base, written string) (string, bool) {
	folder := path.Dir(base)
	if strings.HasPrefix(written, "/") {
		folder = "."
		if r.layout.book {
			folder = path.Dir(r.layout.summary)
		}
	}
	target := path.Join(folder, written)
	inside := target != ".." && !strings.HasPrefix(target, "../")
	if last := path.Base(written); strings.HasSuffix(written, "/") || last == "." || last == ".." {
		target += "/" // it names a folder
	}
	return target, inside
}

// lookup finds what is at a path, also under the other names that links use for a page.
func (r *reader) lookup(target string) (source.Resolution, bool) {
	for _, candidate := range r.candidates(target) {
		if page := r.pages[candidate]; page != nil {
			return source.Resolution{Kind: source.ToPage, Page: page}, true
		}
		if reusable := r.reusables[candidate]; reusable != nil {
			return source.Resolution{Kind: source.ToReusable, Reusable: reusable}, true
		}
	}
	if group := r.groups[strings.TrimSuffix(target, "/")]; group != nil {
		return source.Resolution{Kind: source.ToPage, Page: group}, true
	}
	if r.files.Has(target) && (!IsPage(target, ".md") || strings.HasPrefix(target, ".gitbook/")) {
		if file := r.addAsset(target); file != nil {
			return source.Resolution{Kind: source.ToFile, File: file}, true
		}
	}
	return source.Resolution{}, false
}

// maxMounts is how many folders a site puts before the addresses of a tree's pages at most.
const maxMounts = 3

// lookupAddress finds what is at an address of the site that a tree was made into: a tool may put its pages in a folder
// of the site, or leave folders of the tree out. An address of one segment says too little for the latter.
func (r *reader) lookupAddress(address string) (source.Resolution, bool) {
	trimmed := strings.TrimPrefix(path.Clean(address), "/")
	rest := trimmed
	for range maxMounts {
		_, below, found := strings.Cut(rest, "/")
		if !found || below == "" {
			break
		}
		rest = below
		if found, ok := r.lookup(rest); ok {
			return found, true
		}
	}
	if !strings.Contains(trimmed, "/") {
		return source.Resolution{}, false
	}
	if r.endings == nil {
		r.endings = map[string]*source.Page{}
		for file, page := range r.pages {
			if !IsPage(file, ".md") {
				continue // the version in HTML that a tool has written beside
			}
			name := stem(file)
			if r.isIndex(path.Base(file)) {
				name = path.Dir(file)
			}
			for range maxMounts {
				_, below, found := strings.Cut(name, "/")
				if !found {
					break
				}
				name = below
				if known, taken := r.endings[name]; taken && known != page {
					r.endings[name] = nil // several pages have it
					continue
				}
				r.endings[name] = page
			}
		}
	}
	if extension := path.Ext(trimmed); IsPage(trimmed, ".md") || IsPage(trimmed, ".html") {
		trimmed = strings.TrimSuffix(trimmed, extension)
	}
	if page := r.endings[trimmed]; page != nil {
		return source.Resolution{Kind: source.ToPage, Page: page}, true
	}
	return source.Resolution{}, false
}

// candidates returns the paths of the files that a path can mean, the most likely first.
func (r *reader) candidates(target string) []string {
	if folder, ok := strings.CutSuffix(target, "/"); ok {
		return []string{path.Join(folder, "README.md"), path.Join(folder, "index.rst"), path.Join(folder,
			"index.md"), path.Join(folder, "index.html"),
			folder + ".md", folder + ".mdx", path.Join(folder, "index.mdx"), path.Join(folder, "_index.md"), folder}
	}
	candidates := []string{target}
	switch extension := path.Ext(target); strings.ToLower(extension) {
	case ".md":
	case ".html", ".htm":
		plain := strings.TrimSuffix(target, extension)
		candidates = append(candidates, plain+".md")
		if path.Base(plain) == "index" {
			candidates = append(candidates, path.Join(path.Dir(target), "README.md"))
		}
	default:
		candidates = append(candidates, target+".rst", target+".adoc", target+".md", path.Join(target,
			"README.md"), path.Join(target, "index.md"),
			target+".html", path.Join(target, "index.html"),
			target+".mdx", path.Join(target, "index.mdx"), path.Join(target, "_index.md"))
	}
	return candidates
}

// walkLinks resolves every link once, so that the files that pages name are taken along.
func (r *reader) walkLinks() error {
	var failure error
	r.tree.Walk(func(page, _ *source.Page) {
		if failure == nil {
			failure = r.resolveAll(page.Base, page.Body)
		}
		for _, destination := range []string{page.Cover, page.CoverDark, page.Target} {
			if destination != "" {
				r.resolve(page.Base, destination)
			}
		}
	})
	for _, reusable := range r.tree.Reusables {
		if failure == nil {
			failure = r.resolveAll(reusable.Base, reusable.Body)
		}
	}
	return failure
}

// resolveAll resolves the links of a body.
func (r *reader) resolveAll(base string, body source.Text) error {
	text, err := body.Bytes()
	if err != nil {
		return err
	}
	for _, use := range links.All(text) {
		r.resolve(base, use.Destination)
	}
	return nil
}

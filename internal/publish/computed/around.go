package computed

import (
	"fmt"
	"net/url"

	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// maxFiles is how many files an answer may name.
const maxFiles = 1000

// givenAround is what a script says of a page beside its text. A value that a page cannot have is left out.
type givenAround struct {
	LinkTitle string         `json:"linkTitle"`
	Emoji     string         `json:"emoji"`
	Layout    *entity.Layout `json:"layout"`
	Cover     *entity.Cover  `json:"cover"`
	entity.Flags
}

// around sets what a page has beside its text. Its cover waits until all files are known.
func (g *givenPage) around(page *keptPage) {
	page.Flags, page.LinkTitle = g.Flags, plainText(g.LinkTitle, entity.MaxLinkTitleLength)
	if g.Emoji != "" {
		if characters, err := space.ParseEmoji("emoji", g.Emoji); err == nil {
			page.Emoji = doc.EmojiCode(characters)
		}
	}
	if page.Type == entity.PageDocument && g.Layout.Check() == nil {
		page.Layout = g.Layout
	}
}

// givenFile is a file that an answer names, so that its documents can.
type givenFile struct {
	ID          string `json:"id"`
	DownloadURL string `json:"downloadURL"`
}

// take notes the files of an answer.
func (r *reading) take(files []givenFile) error {
	for _, file := range files {
		if file.ID == "" || len(file.ID) > maxSeed {
			return fmt.Errorf("a file has no id of 1 to %d bytes", maxSeed)
		}
		if !isAddress(file.DownloadURL) {
			return fmt.Errorf("the file %.100q is at %.100q; it takes addresses with http or https", file.ID,
				file.DownloadURL)
		}
		r.files[file.ID] = file.DownloadURL
	}
	if len(r.files) > maxFiles {
		return fmt.Errorf("there are more than %d files", maxFiles)
	}
	return nil
}

// isAddress reports whether a text is an address of the web.
func isAddress(text string) bool {
	parsed, err := url.Parse(text)
	return err == nil && len(text) <= 2000 && parsed.Host != "" && (parsed.Scheme == "https" || parsed.Scheme == "http")
}

// ref returns a reference of a document with the address of the file that it means, or with the page of the result.
// Others stay as they are.
func (r *reading) ref(ref doc.Ref, part string) doc.Ref {
	if ref.Space != "" {
		return ref
	}
	switch ref.Kind {
	case doc.RefFile:
		if address, ok := r.files[ref.File]; ok {
			return doc.URL(address)
		}
	case doc.RefPage, doc.RefAnchor:
		for _, in := range []string{part, ""} {
			if seed, ok := r.named[name{in, ref.Page}]; ok && ref.Page != "" {
				return spec.MadeRef(seed, ref.Anchor)
			}
		}
	}
	return ref
}

// settle finds out what needs all pages and files of the result: where links lead, what covers show, and the bodies
// that came with their pages.
func (r *reading) settle() error {
	for _, of := range r.links {
		target := doc.URL(of.given.Href)
		if given := of.given.Target; given != nil {
			target = r.ref(*given, of.part)
			if given.Kind == "" {
				target = doc.URL(given.URL)
			}
		}
		if !spec.IsMadeRef(target) && (target.Kind != doc.RefURL || !isAddress(target.URL)) {
			return fmt.Errorf("the link %.100q leads to %.100q; it takes addresses with http or https, and pages that "+
				"are given with it", of.page.Title, target.Destination())
		}
		of.page.Target = &target
	}
	for _, of := range r.bodies {
		var err error
		if of.page.Body, err = r.body(of.given.Document, of.part); err != nil {
			return fmt.Errorf("the page %.100q: %w", of.page.Title, err)
		}
		r.cover(of)
	}
	for _, of := range r.documents {
		r.cover(of)
	}
	return nil
}

// cover sets the cover of a page, unless its picture is at no address.
func (r *reading) cover(of *asked) {
	given := of.given.Cover
	if given == nil || given.Ref == nil {
		return
	}
	made := *given
	picture := func(given *doc.Ref) *doc.Ref {
		if given == nil {
			return nil
		}
		if ref := r.ref(*given, of.part); ref.Kind == doc.RefURL && isAddress(ref.URL) {
			return &ref
		}
		return nil
	}
	made.Ref, made.RefDark = picture(given.Ref), picture(given.RefDark)
	if made.Ref != nil {
		of.page.Cover = &made
	}
}

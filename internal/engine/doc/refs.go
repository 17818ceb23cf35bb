package doc

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

// MapRefs replaces every reference of the document, wherever one can stand: links, mentions, buttons, images and
// their dark variants, files, drawings, content references, reusable contents, API blocks, update tags and table
// values. The document is changed in place.
func (d *Document) MapRefs(replace func(Ref) Ref) {
	d.Walk(func(n *Node) bool {
		n.MapOwnRefs(replace)
		return true
	})
}

// ReadDestinations turns URL references in the stable form ("/pages/ID") into references of their kinds, as the
// document JSON has them. Package markdown writes both alike. The document is changed in place.
func (d *Document) ReadDestinations() { d.MapRefs(stableForm) }

func stableForm(ref Ref) Ref {
	if ref.Kind != RefURL {
		return ref
	}
	return ParseDestination(ref.URL)
}

// MapOwnRefs is MapRefs for the attributes of one node, without what is below it.
func (n *Node) MapOwnRefs(replace func(Ref) Ref) {
	optional := func(ref *Ref) {
		if ref != nil {
			*ref = replace(*ref)
		}
	}
	switch data := n.Data.(type) {
	case *ContentRefData:
		data.Ref = replace(data.Ref)
	case *ReusableContentData:
		data.Ref = replace(data.Ref)
	case *ImageData:
		data.Ref = replace(data.Ref)
		optional(data.RefDark)
	case *InlineImageData:
		data.Ref = replace(data.Ref)
		optional(data.RefDark)
	case *FileData:
		data.Ref = replace(data.Ref)
	case *OpenAPIData:
		if !data.IsInline() {
			data.Ref = replace(data.Ref)
		}
	case *ButtonData:
		optional(data.Ref)
	case *UpdateData:
		for i, tag := range data.Tags {
			data.Tags[i] = replace(tag)
		}
	case *TableData:
		mapTableRefs(data, replace)
	}
}

func mapTableRefs(data *TableData, replace func(Ref) Ref) {
	// In a fixed order, so that a replacement that numbers what it sees is repeatable.
	for _, recordID := range slices.Sorted(maps.Keys(data.Records)) {
		values := data.Records[recordID].Values
		for _, column := range slices.Sorted(maps.Keys(values)) {
			switch value := values[column].(type) {
			case Ref:
				values[column] = replace(value)
			case ImageRecord:
				value.Ref = replace(value.Ref)
				values[column] = value
			}
		}
	}
}

// Destination returns the stable string form of a reference: "/pages/ID", "/spaces/S/pages/ID#anchor", "/files/ID",
// "/openapi/SLUG" …, and a URL as it is. ParseDestination reads it back.
func (r Ref) Destination() string {
	space := ""
	if r.Space != "" {
		space = "/spaces/" + r.Space
	}
	switch r.Kind {
	case RefFile:
		return space + "/files/" + r.File
	case RefPage:
		return space + "/pages/" + r.Page
	case RefAnchor:
		if r.Page == "" {
			return space + "#" + r.Anchor
		}
		return space + "/pages/" + r.Page + "#" + r.Anchor
	case RefUser:
		return "/users/" + r.User
	case RefCollection:
		return "/collections/" + r.Collection
	case RefSpace:
		return space
	case RefReusableContent:
		return space + "/reusable-content/" + r.ReusableContent
	case RefTag:
		return space + "/tags/" + r.Tag
	case RefOpenAPI:
		return "/openapi/" + r.Spec
	}
	return r.URL
}

// ParseDestination reads the stable string form of a reference; what has another form is a URL reference.
func ParseDestination(destination string) Ref {
	path, anchor, hasAnchor := strings.Cut(destination, "#")
	if hasAnchor && anchor == "" {
		return URL(destination) // an anchor has a name
	}
	if path == "" && hasAnchor {
		return Ref{Kind: RefAnchor, Anchor: anchor}
	}
	parts := strings.Split(path, "/")
	if len(parts) < 3 || parts[0] != "" || slices.Contains(parts[1:], "") {
		return URL(destination)
	}
	space := ""
	if parts[1] == "spaces" {
		space = parts[2]
		parts = parts[2:]
		if len(parts) == 1 {
			if hasAnchor {
				return Ref{Kind: RefAnchor, Space: space, Anchor: anchor}
			}
			return Ref{Kind: RefSpace, Space: space}
		}
	}
	if len(parts) != 3 {
		return URL(destination)
	}
	kind, id := parts[1], parts[2]
	switch {
	case kind == "pages" && hasAnchor:
		return Ref{Kind: RefAnchor, Space: space, Page: id, Anchor: anchor}
	case kind == "pages":
		return Ref{Kind: RefPage, Space: space, Page: id}
	case hasAnchor:
	case kind == "files":
		return Ref{Kind: RefFile, Space: space, File: id}
	case kind == "reusable-content":
		return Ref{Kind: RefReusableContent, Space: space, ReusableContent: id}
	case kind == "tags":
		return Ref{Kind: RefTag, Space: space, Tag: id}
	case space != "":
	case kind == "users":
		return Ref{Kind: RefUser, User: id}
	case kind == "collections":
		return Ref{Kind: RefCollection, Collection: id}
	case kind == "openapi":
		return Ref{Kind: RefOpenAPI, Spec: id}
	}
	return URL(destination)
}

// IsExternal reports whether a reference leaves the space by an absolute URL ("https:", "mailto:", "//host").
func (r Ref) IsExternal() bool {
	if r.Kind != RefURL {
		return false
	}
	if strings.HasPrefix(r.URL, "//") {
		return true
	}
	scheme, _, found := strings.Cut(r.URL, ":")
	if !found || strings.ContainsAny(scheme, "/?#. ") {
		return false
	}
	parsed, err := url.Parse(scheme + ":")
	return err == nil && parsed.Scheme != ""
}

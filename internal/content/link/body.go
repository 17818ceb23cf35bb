package link

import (
	"context"
	"fmt"
	"regexp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/render"
)

// reading is what a body says about links.
type reading struct {
	references []reference // in reading order, each destination once
	// includes are the places in references of what is included: anchors are looked for there alone, and a body may
	// have thousands of links.
	includes []int
	anchors  map[string]struct{}
}

func (r *reading) size() uint32 {
	size := 200
	for _, each := range r.references {
		size += 200 + len(each.written) + 20*len(each.keys)
	}
	for anchor := range r.anchors {
		size += 50 + len(anchor)
	}
	return uint32(size)
}

// reference is one destination of a source, with all its places.
type reference struct {
	role     Role
	relation render.Relation
	// include says that the destination is a reusable content to show.
	include bool
	ref     doc.Ref
	written string
	keys    []string
	places  int
	order   int
}

// maxKeys is how many places of one link are kept.
const maxKeys = 100

var noReading = &reading{}

// read parses the body of an entry. What has no body, or one that the dialect refuses, says nothing.
func (s *Service) read(ctx context.Context, view *store.View, e *entity.Entry) (*reading, error) {
	if e == nil || e.Body == "" {
		return noReading, nil
	}
	if kept, ok := s.bodies.Get(e.Body); ok {
		return kept, nil
	}
	body, err := view.Body(ctx, e)
	if err != nil {
		return nil, fmt.Errorf("read the body of %s: %w", e.ID, err)
	}
	s.reads.bodies.Add(1)
	made := noReading
	parsed, err := markdown.Parse(body)
	switch {
	case errs.Is(err, errs.Invalid) || errs.Is(err, errs.TooLarge):
	case err != nil:
		return nil, fmt.Errorf("parse the body of %s: %w", e.ID, err)
	default:
		made = readDocument(parsed)
	}
	s.bodies.Set(e.Body, made)
	return made, nil
}

// htmlAnchor finds the names that raw HTML can be linked to by.
var htmlAnchor = regexp.MustCompile(`(?i)\b(?:id|name)\s*=\s*["']([^"'\s]+)["']`)

func readDocument(d *doc.Document) *reading {
	r := &reading{anchors: map[string]struct{}{}}
	for _, section := range render.Sections(d) {
		r.addAnchor(section.ID)
	}
	d.Walk(func(n *doc.Node) bool {
		r.addAnchor(n.ID)
		switch data := n.Data.(type) {
		case *doc.RawData:
			if data.Syntax == "html" {
				for _, found := range htmlAnchor.FindAllStringSubmatch(data.Source, -1) {
					r.addAnchor(found[1])
				}
			}
		case *doc.TabsItemData:
			r.addAnchor(render.SelectSlug(data.Title))
		}
		return true
	})
	at := map[string]int{}
	for _, use := range render.Links(d) {
		if use.Ref.Kind == doc.RefTag {
			continue
		}
		made := newReference(RoleBody, use.Ref)
		made.relation = use.Relation
		made.include = use.Place == doc.ReusableContent
		name := made.name()
		i, known := at[name]
		if !known {
			i = len(r.references)
			at[name] = i
			made.order = i
			r.references = append(r.references, made)
			if made.include {
				r.includes = append(r.includes, i)
			}
		}
		each := &r.references[i]
		each.places++
		if use.Key != "" && len(each.keys) < maxKeys {
			each.keys = append(each.keys, use.Key)
		}
	}
	return r
}

func (r *reading) addAnchor(anchor string) {
	if anchor != "" && len(anchor) <= maxAnchor {
		r.anchors[anchor] = struct{}{}
	}
}

// maxAnchor is longer than any anchor, in bytes.
const maxAnchor = 400

// newReference makes a reference with the stable form of what is written.
func newReference(role Role, ref doc.Ref) reference {
	if ref.Kind == doc.RefURL || ref.Kind == "" {
		ref = doc.ParseDestination(ref.URL)
	}
	return reference{role: role, relation: render.Reference, ref: ref, written: ref.Destination()}
}

// referencesOf lists what an entry refers to: its body and its fields.
func (s *Service) referencesOf(ctx context.Context, view *store.View, e *entity.Entry) ([]reference, error) {
	if e == nil || (e.Kind != entity.KindPage && e.Kind != entity.KindReusable) {
		return nil, nil
	}
	var found []reference
	field := func(role Role, target *doc.Ref) {
		if target == nil || target.Kind == doc.RefTag {
			return
		}
		made := newReference(role, *target)
		made.order, made.places = len(found), 1
		found = append(found, made)
	}
	if e.Cover != nil {
		field(RoleCover, e.Cover.Ref)
		field(RoleCoverDark, e.Cover.RefDark)
	}
	if e.Type == entity.PageLink {
		field(RoleTarget, e.Target)
	}
	if spec := e.Computed.Spec(); spec != "" {
		made := newReference(RoleComputed, doc.Ref{Kind: doc.RefOpenAPI, Spec: spec})
		made.relation, made.order, made.places = render.DependsOn, len(found), 1
		found = append(found, made)
	}
	read, err := s.read(ctx, view, e)
	if err != nil {
		return nil, err
	}
	ahead := len(found)
	for _, each := range read.references {
		each.order += ahead
		found = append(found, each)
	}
	return found, nil
}

package entity_test

import (
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/git"
)

func page(change func(*entity.Entry)) *entity.Entry {
	e := &entity.Entry{ID: "page_1", Kind: entity.KindPage, Type: entity.PageDocument, Position: "a0", Title: "T",
		Slug: "t"}
	change(e)
	return e
}

func TestValidate(t *testing.T) {
	hash := strings.Repeat("0", 64)
	link := &doc.Ref{Kind: "url", URL: "https://example.org"}
	for name, e := range map[string]*entity.Entry{
		"page":  page(func(*entity.Entry) {}),
		"group": page(func(e *entity.Entry) { e.Type = entity.PageGroup }),
		"link":  page(func(e *entity.Entry) { e.Type, e.Target = entity.PageLink, link }),
		"computed": page(func(e *entity.Entry) {
			e.Type, e.Computed = entity.PageComputed, &entity.Computed{Type: "x"}
		}),
		"limits": page(func(e *entity.Entry) {
			e.Title, e.Description = strings.Repeat("é", 250), strings.Repeat("é", 299)+"\n"
			e.Condition, e.Variables = strings.Repeat("c", 1024), map[string]any{"a_1": strings.Repeat("é", 256),
				"b": 1, "c": false}
		}),
		"file":      {ID: "file_1", Kind: entity.KindFile, Name: "a (1).png", Blob: hash, Size: 1},
		"reusable":  {ID: "content_1", Kind: entity.KindReusable, Title: "T", Body: hash},
		"variables": {ID: "variables", Kind: entity.KindVariables, Variables: map[string]any{"a": "b"}},
		"redirect":  {ID: entity.RedirectID("", "a/b"), Kind: entity.KindRedirect, Path: "a/b", Target: link},
		"automatic": {ID: entity.RedirectID("page_1", "a"), Kind: entity.KindRedirect, Parent: "page_1", Path: "a",
			Target: &doc.Ref{Kind: "page", Page: "page_2"}},
	} {
		if err := e.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, test := range map[string]struct {
		entry *entity.Entry
		path  string
	}{
		"kind":          {&entity.Entry{ID: "page_1", Kind: "thing"}, "kind"},
		"id":            {page(func(e *entity.Entry) { e.ID = "file_1" }), "id"},
		"id characters": {page(func(e *entity.Entry) { e.ID = "page_A/b" }), "id"},
		"type":          {page(func(e *entity.Entry) { e.Type = "" }), "type"},
		"foreign field": {page(func(e *entity.Entry) { e.Blob = hash }), "blob"},
		"body of group": {page(func(e *entity.Entry) { e.Type, e.Body = entity.PageGroup, hash }), "body"},
		"title":         {page(func(e *entity.Entry) { e.Title = strings.Repeat("x", 251) }), "title"},
		"git": {page(func(e *entity.Entry) {
			e.Git = &git.File{Repository: "javascript:alert(1)", Path: "a.md", OID: hash[:40]}
		}), "git.repository"},
		"git of redirect": {&entity.Entry{ID: entity.RedirectID("", "a"), Kind: entity.KindRedirect, Path: "a",
			Target: link, Git: &git.File{Repository: "https://github.com/a/b", Path: "a.md", OID: hash[:40]}}, "git"},
		"control":     {page(func(e *entity.Entry) { e.Title = "a\nb" }), "title"},
		"UTF-8":       {page(func(e *entity.Entry) { e.Title = "\xff" }), "title"},
		"description": {page(func(e *entity.Entry) { e.Description = strings.Repeat("x", 301) }), "description"},
		"link title":  {page(func(e *entity.Entry) { e.LinkTitle = strings.Repeat("x", 101) }), "linkTitle"},
		"condition":   {page(func(e *entity.Entry) { e.Condition = strings.Repeat("x", 1025) }), "condition"},
		"slug":        {page(func(e *entity.Entry) { e.Slug = "a/b" }), "slug"},
		"position":    {page(func(e *entity.Entry) { e.Position = "" }), "position"},
		"parent":      {page(func(e *entity.Entry) { e.Parent = "x" }), "parent"},
		"own parent":  {page(func(e *entity.Entry) { e.Parent = e.ID }), "parent"},
		"body":        {page(func(e *entity.Entry) { e.Body = "abc" }), "body"},
		"link target": {page(func(e *entity.Entry) { e.Type = entity.PageLink }), "target"},
		"target kind": {page(func(e *entity.Entry) {
			e.Type, e.Target = entity.PageLink, &doc.Ref{Kind: "x"}
		}), "target.kind"},
		"target field": {page(func(e *entity.Entry) {
			e.Type, e.Target = entity.PageLink, &doc.Ref{Kind: "page"}
		}), "target.page"},
		"target surplus": {page(func(e *entity.Entry) {
			e.Type, e.Target = entity.PageLink, &doc.Ref{Kind: "url", URL: "x", Page: "p"}
		}), "target.page"},
		"script": {page(func(e *entity.Entry) {
			e.Type, e.Target = entity.PageLink, &doc.Ref{Kind: "url", URL: "JavaScript:x"}
		}), "target.url"},
		"spaced script": {page(func(e *entity.Entry) {
			e.Type, e.Target = entity.PageLink, &doc.Ref{Kind: "url", URL: " javascript:x"}
		}), "target.url"},
		"layout":         {page(func(e *entity.Entry) { e.Layout = &entity.Layout{Width: "huge"} }), "layout.width"},
		"cover":          {page(func(e *entity.Entry) { e.Cover = &entity.Cover{YPos: 1} }), "cover.ref"},
		"tags":           {page(func(e *entity.Entry) { e.Tags = []entity.Tag{{Tag: "x"}, {Tag: "x"}} }), "tags"},
		"variable name":  {page(func(e *entity.Entry) { e.Variables = map[string]any{"1a": "x"} }), "variables"},
		"variable value": {page(func(e *entity.Entry) { e.Variables = map[string]any{"a": []any{}} }), "variables.a"},
		"variable length": {page(func(e *entity.Entry) { e.Variables = map[string]any{"a": strings.Repeat("x", 257)} }),
			"variables.a"},
		"file name":    {&entity.Entry{ID: "file_1", Kind: entity.KindFile, Name: "../x", Blob: hash}, "name"},
		"file bytes":   {&entity.Entry{ID: "file_1", Kind: entity.KindFile, Name: "x"}, "blob"},
		"variables id": {&entity.Entry{ID: "variable", Kind: entity.KindVariables}, "id"},
		"redirect id":  {&entity.Entry{ID: "redirect:00", Kind: entity.KindRedirect, Path: "a", Target: link}, "id"},
		"redirect path": {&entity.Entry{ID: entity.RedirectID("", "/a"), Kind: entity.KindRedirect, Path: "/a",
			Target: link}, "path"},
		"redirect depth": {&entity.Entry{ID: entity.RedirectID("page_1", "a/b"), Kind: entity.KindRedirect,
			Parent: "page_1", Path: "a/b", Target: link}, "path"},
		"redirect target": {&entity.Entry{ID: entity.RedirectID("", "a"), Kind: entity.KindRedirect, Path: "a"},
			"target"},
		"size": {page(func(e *entity.Entry) {
			e.Extra = map[string]any{"x": strings.Repeat("x", entity.MaxSize)}
		}), ""},
	} {
		err := test.entry.Validate()
		if !errs.Is(err, errs.Invalid) {
			t.Errorf("%s: got %v, want an invalid entry", name, err)
			continue
		}
		if !strings.HasPrefix(err.Error(), test.path) {
			t.Errorf("%s: the error is about %q, want %q", name, err, test.path)
		}
	}
}

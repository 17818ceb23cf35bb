// Package frontmatter owns the way between the front matter of a file and the fields of an entry.
//
// Read leaves a value out that an entry cannot have, and says so. A condition is not left out, since what it hides
// would show: what is wrong with it is an error. Write gives what Read reads back to the same fields, except references
// to files and pages, which the caller puts in the form that it needs.
package frontmatter

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/expr"
	"github.com/rectodocs/recto/internal/engine/treefile"
)

// Fields is what front matter says that an entry has in another form.
type Fields struct {
	// Title is the key "title", which pages have only in the files of other tools.
	Title string
	// Cover and CoverDark are destinations as written.
	Cover, CoverDark string
	// Problems says what was left out and why.
	Problems []string
	// Refused is what is wrong with a condition, an errs.Invalid; nil for one that can be read, and for none.
	Refused error
}

// Read sets the fields of a page or reusable content.
func Read(f treefile.FrontMatter, e *entity.Entry) Fields {
	fields := Fields{Title: f.Title}
	e.LinkTitle, e.Emoji, e.Icon, e.Description, e.Condition = f.LinkTitle, f.Emoji, f.Icon, f.Description, f.Condition
	e.Flags, e.Tags, e.Layout = f.Flags, slices.Clone(f.Tags), layout(f.Layout)
	e.Variables, e.Extra = maps.Clone(f.Variables), maps.Clone(f.Extra)
	if c := f.Cover; c != nil && c.Ref != "" {
		fields.Cover, fields.CoverDark = c.Ref, c.RefDark
		e.Cover = &entity.Cover{YPos: c.YPos, Height: c.Height}
	}
	if n := utf8.RuneCountInString(e.Description); n > entity.MaxDescriptionLength {
		fields.Problems = append(fields.Problems, fmt.Sprintf("the description has %d characters and was cut to %d", n,
			entity.MaxDescriptionLength))
		e.Description = string([]rune(e.Description)[:entity.MaxDescriptionLength-1]) + "…"
	}
	if e.Kind == entity.KindReusable {
		fields.Problems = append(fields.Problems, leaveOutForPages(e)...)
		fields.Cover, fields.CoverDark = "", ""
	}
	fields.Refused = checkCondition(e.Condition)
	fields.Problems = append(fields.Problems, leaveOutInvalid(e)...)
	return fields
}

// leaveOutForPages empties the fields that pages have and reusable contents have not.
func leaveOutForPages(e *entity.Entry) []string {
	var problems []string
	for _, field := range entity.Fields() {
		if !entity.Has(entity.KindPage, entity.PageDocument, field.Name) || entity.Has(e.Kind, "", field.Name) {
			continue
		}
		if field.Get(e) != nil || field.Name == "cover" && e.Cover != nil {
			problems = append(problems, "left out: a reusable content has no "+field.Name)
		}
		_ = field.Set(e, nil) // a field can always be emptied
	}
	return problems
}

func checkCondition(condition string) error {
	if condition == "" {
		return nil
	}
	_, err := expr.ParseCondition(condition)
	if refusal, ok := errors.AsType[*errs.Error](err); ok {
		return errs.New(errs.Invalid, "the condition %.80q in its front matter cannot be read: %s", condition,
			refusal.Message)
	}
	return err
}

// leaveOutInvalid empties fields that an entry cannot have as they are.
func leaveOutInvalid(e *entity.Entry) []string {
	var problems []string
	for range 20 {
		probe := *e
		probe.Cover = nil // its image is not known yet
		if probe.Kind == "" {
			probe.Kind, probe.Type = entity.KindPage, entity.PageDocument
		}
		probe.ID, probe.Position = "page_0", entity.Positions(1)[0]
		if probe.Kind == entity.KindReusable {
			probe.ID, probe.Position = "content_0", ""
		}
		refusal, ok := errors.AsType[*errs.Error](probe.Validate())
		if !ok {
			break
		}
		path := "extra"
		if len(refusal.Details) > 0 {
			path = refusal.Details[0].Path
		}
		problems = append(problems, "left out: "+refusal.Message)
		if !leaveOut(e, path) {
			break
		}
	}
	return problems
}

// leaveOut empties the field at a path of a refusal.
func leaveOut(e *entity.Entry, path string) bool {
	name, rest, _ := strings.Cut(path, ".")
	switch name {
	case "linkTitle":
		e.LinkTitle = ""
	case "emoji":
		e.Emoji = ""
	case "icon":
		e.Icon = ""
	case "description":
		e.Description = ""
	case "condition":
		e.Condition = ""
	case "layout":
		e.Layout = nil
	case "tags":
		e.Tags = nil
	case "variables":
		if _, there := e.Variables[rest]; there {
			delete(e.Variables, rest)
		} else {
			e.Variables = nil
		}
	case "extra":
		e.Extra = nil
	default:
		return false
	}
	return true
}

// layout returns a copy of a layout, nil for none.
func layout(l *entity.Layout) *entity.Layout {
	if l == nil {
		return nil
	}
	return new(*l)
}

// Write returns the front matter of a page or reusable content. Covers are in the stable form of references
// ("/files/ID"). The title is that of a reusable content only: a page's is its first heading.
func Write(e *entity.Entry) treefile.FrontMatter {
	f := treefile.FrontMatter{
		LinkTitle: e.LinkTitle, Emoji: e.Emoji, Icon: e.Icon, Description: e.Description, Condition: e.Condition,
		Flags: e.Flags, Tags: slices.Clone(e.Tags), Layout: layout(e.Layout), Variables: maps.Clone(e.Variables),
		Extra: maps.Clone(e.Extra),
	}
	if e.Kind == entity.KindReusable {
		f.Title = e.Title
	}
	if c := e.Cover; c != nil && c.Ref != nil {
		f.Cover = &treefile.PageCover{Ref: c.Ref.Destination(), YPos: c.YPos, Height: c.Height}
		if c.RefDark != nil {
			f.Cover.RefDark = c.RefDark.Destination()
		}
	}
	return f
}

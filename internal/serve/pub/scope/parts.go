package scope

import (
	"context"
	"strings"
)

// PartTitle names the part of a site that the scope's space is: its section, and its variant unless that is the default
// one; "" on a site of one space.
func (s *Scope) PartTitle() string {
	var titles []string
	if section, ok := s.Served.Section(s.Space.Section); ok && len(s.Served.Sections) > 1 {
		titles = append(titles, section.Title)
	}
	if len(s.Served.Variants(s.Space.Section)) > 1 && (!s.Space.Default || len(titles) == 0) {
		titles = append(titles, s.Space.Title)
	}
	return strings.Join(titles, " › ")
}

// Parts are the scopes that lists for machines are made of: of the site's root all of its spaces, the root's own first,
// and otherwise the one space.
func (s *Scope) Parts(ctx context.Context) ([]*Scope, error) {
	parts := []*Scope{s}
	if !s.atRoot() {
		return parts, nil
	}
	for _, space := range s.Served.Spaces {
		if space.ID == s.Space.ID {
			continue
		}
		part, err := s.In(ctx, space)
		if err != nil {
			return nil, err
		}
		if part != nil {
			parts = append(parts, part)
		}
	}
	return parts, nil
}

// OtherSpaces are the addresses of the site's other spaces, for lists at the site's root.
func (s *Scope) OtherSpaces() []string {
	if !s.atRoot() {
		return nil
	}
	var others []string
	for _, space := range s.Served.Spaces {
		if space.ID != s.Space.ID && space.Head != "" {
			others = append(others, space.URL)
		}
	}
	return others
}

package org

import (
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/account"
)

// maxSearch is the greatest length of a text that lists are searched for.
const maxSearch = 256

// Person is a member with who they are.
type Person struct {
	Member
	Account account.User
	// Teams is how many teams of the organization they are in.
	Teams int
}

// MemberSort is what a list of members is sorted by.
type MemberSort string

// Sorts.
const (
	// SortJoined is by when they became members.
	SortJoined MemberSort = "joinedAt"
	// SortSeen is by when they were last there; who never was is not in the list.
	SortSeen MemberSort = "lastSeenAt"
)

// MemberFilter narrows and sorts a list of members.
type MemberFilter struct {
	// Role limits it to members with exactly that role; RoleGuest to guests.
	Role optional.Value[Role]
	// Search limits it to those whose name or address has the text, in any letter case.
	Search string
	// Sort is SortJoined when empty.
	Sort MemberSort
	// Ascending is the earliest first; otherwise it is the latest.
	Ascending bool
}

func (f MemberFilter) check() (MemberFilter, error) {
	if f.Sort == "" {
		f.Sort = SortJoined
	}
	if err := field.OneOf("query.sort", f.Sort, SortJoined, SortSeen); err != nil {
		return f, err
	}
	if role, ok := f.Role.Get(); ok && role.Rank() < 0 {
		_, err := ParseRole("query.role", string(role))
		return f, err
	}
	var err error
	f.Search, err = checkSearch("query.search", f.Search)
	return f, err
}

// checkSearch folds a text that a list is searched for.
func checkSearch(path, text string) (string, error) {
	text, err := field.Text(path, text, 0, maxSearch)
	return account.FoldSearch(text), err
}

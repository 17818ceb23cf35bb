package wire

import (
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/space"
)

// Collection is a group of spaces and collections.
type Collection struct {
	Object       string          `json:"object" enum:"collection"`
	ID           id.Collection   `json:"id"`
	Title        string          `json:"title"`
	Description  string          `json:"description,omitempty"`
	Organization id.Organization `json:"organization"`
	// Parent is the id of the collection that this one is in.
	Parent id.Collection `json:"parent,omitempty"`
	// DefaultLevel is what members may do with the content who have no grant; null means no access.
	DefaultLevel LevelOrNull           `json:"defaultLevel"`
	URLs         CollectionURLs        `json:"urls"`
	Permissions  CollectionPermissions `json:"permissions"`
	// Affected is in the answer to a change of the default level that takes rights from members.
	Affected *Affected `json:"affected,omitempty"`
}

// CollectionURLs are a collection's addresses.
type CollectionURLs struct {
	Location string `json:"location" format:"uri"`
	App      string `json:"app" format:"uri"`
}

// CollectionPermissions say what the caller may do with a collection.
type CollectionPermissions struct {
	View            bool `json:"view" doc:"Read it, and list what of its content the caller may read."`
	Admin           bool `json:"admin" doc:"Delete it, say what members may do in it, and take it to another organization; also for who made it and has the role create there."`
	Manage          bool `json:"manage" doc:"Rename and move it."`
	ListPeople      bool `json:"listPeople" doc:"See who has access, and why."`
	ViewInviteLinks bool `json:"viewInviteLinks" doc:"Share it: give people and teams a role, up to the caller's own, and make links."`
	Create          bool `json:"create" doc:"Make and put spaces and collections in it."`
}

// Collection turns a collection into its wire form.
func (w Writer) Collection(c space.Collection) Collection {
	return Collection{
		Object: "collection", ID: c.ID, Title: c.Title, Description: c.Description, Organization: c.Organization,
		Parent:       c.Parent,
		DefaultLevel: LevelOrNull(c.DefaultLevel),
		URLs: CollectionURLs{Location: w.BaseURL + "/v1/collections/" + string(c.ID),
			App: w.BaseURL + "/app/collections/" + string(c.ID)},
		Permissions: CollectionPermissions(c.Permissions),
	}
}

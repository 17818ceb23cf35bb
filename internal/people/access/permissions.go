package access

import "github.com/rectodocs/recto/internal/people/org"

// SpacePermissions say what a caller may do with a space. Deeds tells what each stands for.
type SpacePermissions struct {
	View               bool
	Access             bool
	Admin              bool
	Manage             bool
	ListPeople         bool
	ViewInviteLinks    bool
	Edit               bool
	TriggerGitSync     bool
	Comment            bool
	Merge              bool
	Review             bool
	InstallIntegration bool
}

// CollectionPermissions say what a caller may do with a collection.
type CollectionPermissions struct {
	View            bool
	Admin           bool
	Manage          bool
	ListPeople      bool
	ViewInviteLinks bool
	Create          bool
}

// OrganizationPermissions say what a caller may do with an organization.
type OrganizationPermissions struct {
	View                bool
	Access              bool
	Admin               bool
	OwnTeam             bool
	CreateContent       bool
	CreateOpenAPISpec   bool
	IngestConversations bool
	ViewBilling         bool
	ListMembers         bool
	ListTeams           bool
	ListIntegrations    bool
	ListInstallations   bool
	InstallIntegration  bool
}

// SpaceAction is something that can be done with a space.
type SpaceAction int

// Actions on spaces.
const (
	// ViewSpace reads the space and its content.
	ViewSpace SpaceAction = iota
	// CommentOnSpace takes part in discussions.
	CommentOnSpace
	// EditSpace writes in change requests, and in the main content while the space is not locked.
	EditSpace
	// ReviewSpace reviews change requests.
	ReviewSpace
	// MergeSpace merges change requests.
	MergeSpace
	// ManageSpace renames, configures, moves and copies the space, and makes it readable for others on a site.
	ManageSpace
	// ListPeopleInSpace sees who else may do what in the space.
	ListPeopleInSpace
	// InviteToSpace grants access to the space, and sees and makes invite links.
	InviteToSpace
	// SyncSpace starts a synchronisation with Git.
	SyncSpace
	// AdministerSpace deletes and restores the space, takes it to another organization, and says what members may do in
	// it.
	AdministerSpace
	// IntegrateSpace puts integrations that the organization has installed on the space.
	IntegrateSpace
)

// role returns the lowest role that may do the action. The zero value of a new action would be a guest's, so each is
// named here and anything else is an admin's.
func (a SpaceAction) role() Role {
	switch a {
	case ViewSpace:
		return org.RoleRead
	case CommentOnSpace:
		return org.RoleComment
	case EditSpace, ListPeopleInSpace:
		return org.RoleEdit
	case ReviewSpace, MergeSpace:
		return org.RoleReview
	case ManageSpace, InviteToSpace, SyncSpace, IntegrateSpace:
		return org.RoleCreate
	case AdministerSpace:
		return org.RoleAdmin
	default:
		return org.RoleAdmin
	}
}

// permitted reports whether permissions hold the one that stands for the action: what a response says and what a guard
// lets through are one thing.
func (a SpaceAction) permitted(p SpacePermissions) bool {
	switch a {
	case ViewSpace:
		return p.View
	case CommentOnSpace:
		return p.Comment
	case EditSpace:
		return p.Edit
	case ReviewSpace:
		return p.Review
	case MergeSpace:
		return p.Merge
	case ManageSpace:
		return p.Manage
	case ListPeopleInSpace:
		return p.ListPeople
	case InviteToSpace:
		return p.ViewInviteLinks
	case SyncSpace:
		return p.TriggerGitSync
	case IntegrateSpace:
		return p.InstallIntegration
	default:
		return p.Admin
	}
}

// PermissionsInSpace returns what a role in a space permits. own says that the caller made the space: who has the role
// create there has then all that there is.
func PermissionsInSpace(role Role, own bool) SpacePermissions {
	may := func(action SpaceAction) bool { return role.AtLeast(action.role()) }
	return SpacePermissions{
		View:               may(ViewSpace),
		Access:             may(ViewSpace),
		Admin:              may(AdministerSpace) || own && role.AtLeast(org.RoleCreate),
		Manage:             may(ManageSpace),
		ListPeople:         may(ListPeopleInSpace),
		ViewInviteLinks:    may(InviteToSpace),
		Edit:               may(EditSpace),
		TriggerGitSync:     may(SyncSpace),
		Comment:            may(CommentOnSpace),
		Merge:              may(MergeSpace),
		Review:             may(ReviewSpace),
		InstallIntegration: may(IntegrateSpace),
	}
}

// CollectionAction is something that can be done with a collection.
type CollectionAction int

// Actions on collections.
const (
	// ViewCollection reads the collection and lists what of its content the caller may read.
	ViewCollection CollectionAction = iota
	// ListPeopleInCollection sees who else may do what in the collection.
	ListPeopleInCollection
	// CreateInCollection makes spaces and collections in the collection and moves them there.
	CreateInCollection
	// ManageCollection renames and moves the collection.
	ManageCollection
	// InviteToCollection grants access to the collection, and sees and makes invite links.
	InviteToCollection
	// AdministerCollection deletes the collection, takes it to another organization, and says what members may do in
	// it.
	AdministerCollection
)

// role returns the lowest role that may do the action; anything that is not named is an admin's.
func (a CollectionAction) role() Role {
	switch a {
	case ViewCollection:
		return org.RoleRead
	case ListPeopleInCollection:
		return org.RoleEdit
	case CreateInCollection, ManageCollection, InviteToCollection:
		return org.RoleCreate
	case AdministerCollection:
		return org.RoleAdmin
	default:
		return org.RoleAdmin
	}
}

// permitted is SpaceAction.permitted for a collection.
func (a CollectionAction) permitted(p CollectionPermissions) bool {
	switch a {
	case ViewCollection:
		return p.View
	case ListPeopleInCollection:
		return p.ListPeople
	case CreateInCollection:
		return p.Create
	case ManageCollection:
		return p.Manage
	case InviteToCollection:
		return p.ViewInviteLinks
	default:
		return p.Admin
	}
}

// PermissionsInCollection is PermissionsInSpace for a collection.
func PermissionsInCollection(role Role, own bool) CollectionPermissions {
	may := func(action CollectionAction) bool { return role.AtLeast(action.role()) }
	return CollectionPermissions{
		View:            may(ViewCollection),
		Admin:           may(AdministerCollection) || own && role.AtLeast(org.RoleCreate),
		Manage:          may(ManageCollection),
		ListPeople:      may(ListPeopleInCollection),
		ViewInviteLinks: may(InviteToCollection),
		Create:          may(CreateInCollection),
	}
}

// OrganizationAction is something that can be done with an organization or with what belongs to it as a whole.
type OrganizationAction int

// Actions on organizations.
const (
	// ViewOrganization reads the organization; guests may.
	ViewOrganization OrganizationAction = iota
	// ListPeople lists members and teams.
	ListPeople
	// ListIntegrations lists integrations that can be installed.
	ListIntegrations
	// ViewSites reads the organization's sites.
	ViewSites
	// ViewSpecs reads the organization's API specifications.
	ViewSpecs
	// CreateContent makes spaces, collections, sites and translations.
	CreateContent
	// CreateSpecs makes, changes and deletes API specifications.
	CreateSpecs
	// ListInstallations lists installed integrations.
	ListInstallations
	// AdministerOrganization changes the organization, its people and teams, and does all that is left to admins.
	AdministerOrganization
)

func (a OrganizationAction) role() Role {
	switch a {
	case ViewOrganization:
		return org.RoleGuest
	case ListPeople, ListIntegrations, ViewSites, ViewSpecs:
		return org.RoleRead
	case CreateContent, CreateSpecs, ListInstallations:
		return org.RoleCreate
	case AdministerOrganization:
		return org.RoleAdmin
	default:
		return org.RoleAdmin
	}
}

// permitted is SpaceAction.permitted for an organization.
func (a OrganizationAction) permitted(p OrganizationPermissions) bool {
	switch a {
	case ViewOrganization:
		return p.View
	case ViewSites, ViewSpecs:
		return p.Access
	case ListPeople:
		return p.ListMembers && p.ListTeams
	case ListIntegrations:
		return p.ListIntegrations
	case CreateContent:
		return p.CreateContent
	case CreateSpecs:
		return p.CreateOpenAPISpec
	case ListInstallations:
		return p.ListInstallations
	default:
		return p.Admin
	}
}

// PermissionsInOrganization returns what a member's role permits. It is for members: people who are none do not get
// this far. Who owns a team has OwnTeam as well.
func PermissionsInOrganization(role Role) OrganizationPermissions {
	may := func(action OrganizationAction) bool { return role.AtLeast(action.role()) }
	return OrganizationPermissions{
		View:                may(ViewOrganization),
		Access:              may(ViewSites),
		Admin:               may(AdministerOrganization),
		OwnTeam:             may(AdministerOrganization),
		CreateContent:       may(CreateContent),
		CreateOpenAPISpec:   may(CreateSpecs),
		IngestConversations: may(AdministerOrganization),
		ViewBilling:         may(AdministerOrganization),
		ListMembers:         may(ListPeople),
		ListTeams:           may(ListPeople),
		ListIntegrations:    may(ListIntegrations),
		ListInstallations:   may(ListInstallations),
		InstallIntegration:  may(AdministerOrganization),
	}
}

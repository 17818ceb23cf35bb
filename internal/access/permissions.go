package access

import "github.com/rectodocs/recto/internal/org"

// SpacePermissions say what a caller may do with a space.
type SpacePermissions struct {
	View               bool
	Access             bool
	Admin              bool
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
	ViewInviteLinks bool
	Create          bool
}

// OrganizationPermissions say what a caller may do with an organization.
type OrganizationPermissions struct {
	View                bool
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

// SitePermissions say what a caller may do with a site.
type SitePermissions struct {
	View               bool
	Access             bool
	Edit               bool
	Create             bool
	Admin              bool
	InstallIntegration bool
	ViewAdaptiveSchema bool
	EditAdaptiveSchema bool
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
	// ManageSpace renames, configures, shares, publishes, deletes and restores the space.
	ManageSpace
	// ListPeopleInSpace sees who else may do what in the space.
	ListPeopleInSpace
	// InviteToSpace grants access to the space, and sees and makes invite links.
	InviteToSpace
	// SyncSpace starts a synchronisation with Git.
	SyncSpace
	// AdministerSpace does what is left to admins.
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

// PermissionsInSpace returns what a role in a space permits.
func PermissionsInSpace(role Role) SpacePermissions {
	may := func(action SpaceAction) bool { return role.AtLeast(action.role()) }
	return SpacePermissions{
		View:               may(ViewSpace),
		Access:             may(ViewSpace),
		Admin:              may(AdministerSpace),
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
	// ManageCollection renames, moves, shares and deletes the collection.
	ManageCollection
	// InviteToCollection grants access to the collection, and sees and makes invite links.
	InviteToCollection
	// AdministerCollection does what is left to admins.
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

// PermissionsInCollection returns what a role in a collection permits.
func PermissionsInCollection(role Role) CollectionPermissions {
	may := func(action CollectionAction) bool { return role.AtLeast(action.role()) }
	return CollectionPermissions{
		View:            may(ViewCollection),
		Admin:           may(AdministerCollection),
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
	// CreateContent makes spaces, collections and API specifications.
	CreateContent
	// ManageSites makes, changes, publishes and deletes sites.
	ManageSites
	// IntegrateSites puts integrations that the organization has installed on its sites.
	IntegrateSites
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
	case CreateContent, ManageSites, IntegrateSites, ListInstallations:
		return org.RoleCreate
	case AdministerOrganization:
		return org.RoleAdmin
	default:
		return org.RoleAdmin
	}
}

// PermissionsInOrganization returns what a member's role permits. It is for members: people who are none do not get
// this far.
func PermissionsInOrganization(role Role) OrganizationPermissions {
	may := func(action OrganizationAction) bool { return role.AtLeast(action.role()) }
	return OrganizationPermissions{
		View:                may(ViewOrganization),
		Admin:               may(AdministerOrganization),
		OwnTeam:             may(AdministerOrganization),
		CreateContent:       may(CreateContent),
		CreateOpenAPISpec:   may(CreateContent),
		IngestConversations: may(AdministerOrganization),
		ViewBilling:         may(AdministerOrganization),
		ListMembers:         may(ListPeople),
		ListTeams:           may(ListPeople),
		ListIntegrations:    may(ListIntegrations),
		ListInstallations:   may(ListInstallations),
		InstallIntegration:  may(AdministerOrganization),
	}
}

// PermissionsInSites returns what a member's role permits with the organization's sites.
func PermissionsInSites(role Role) SitePermissions {
	may := func(action OrganizationAction) bool { return role.AtLeast(action.role()) }
	return SitePermissions{
		View:               may(ViewSites),
		Access:             may(ViewSites),
		Edit:               may(ManageSites),
		Create:             may(ManageSites),
		Admin:              may(AdministerOrganization),
		InstallIntegration: may(IntegrateSites),
		ViewAdaptiveSchema: may(ViewSites),
		EditAdaptiveSchema: may(ManageSites),
	}
}

// Package org owns organizations, who belongs to them, and their teams: the tables organization,
// organization_former_hostname, organization_member, installation, org_email_domain, org_removed_member, org_team and
// org_team_member. Invites, which members make for others, are those of package invite.
//
// It promises that a hostname belongs to one organization, that an organization has an admin from its first moment on
// and for ever, that an organization is not there for people who are not its members, that people come in by Join
// alone, that an e-mail domain was proven before it lets anybody in, and that a database is set up once. What a role
// may do in spaces and collections is decided by package access.
package org

import (
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
)

// Type is the kind of an organization.
type Type string

// Types of organizations.
const (
	TypeBusiness  Type = "business"
	TypeCommunity Type = "community"
)

// plan is the product name that every organization of a self-hosted server has: nothing is held back.
const plan = "enterprise_2024"

// Organization is a group of people with their spaces and sites.
type Organization struct {
	// ID is "org_…".
	ID id.Organization
	// Title has 2 to 255 characters.
	Title string
	// Hostname is the label under which the organization's sites are published: 3 to 32 characters of a-z, 0-9 and
	// hyphen, unique among all organizations.
	Hostname string
	Type     Type
	// Plan is the name of the product.
	Plan string
	// EmailDomains are host names in lower case, sorted.
	EmailDomains []string
	// DefaultRole is what people get who come in by themselves; RoleGuest is null on the wire.
	DefaultRole Role
	// InviteLinks says whether people may come in by links.
	InviteLinks bool
	// SSO says whether single sign-on is enforced: people come in through the identity provider or an admin's invite.
	SSO bool
	// AI says whether features with language models are on.
	AI bool
	// UseCase is what the organization is for; "" when nobody said.
	UseCase UseCase
	// DefaultSite is the id of the site that members see first; "" for none.
	DefaultSite id.Site
	Logo        Logo
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Logo is an organization's picture; the zero Logo is none.
type Logo struct {
	// Blob is the hash of its bytes.
	Blob string
	// Name is a file name, whose ending says what kind of picture it is.
	Name string
}

// UseCase is what an organization is for.
type UseCase string

// Use cases.
const (
	UseInternalDocs       UseCase = "internalDocs"
	UseDocsSite           UseCase = "docsSite"
	UseAudienceControlled UseCase = "audienceControlledSite"
	UseProductDocs        UseCase = "productDocs"
	UseTeamKnowledgeBase  UseCase = "teamKnowledgeBase"
	UseDesignSystem       UseCase = "designSystem"
	UseOpenSourceDocs     UseCase = "openSourceDocs"
	UseNotes              UseCase = "notes"
	UseOther              UseCase = "other"
)

// UseCases are all of them, in the order of the documentation.
var UseCases = []UseCase{
	UseInternalDocs, UseDocsSite, UseAudienceControlled, UseProductDocs, UseTeamKnowledgeBase, UseDesignSystem,
	UseOpenSourceDocs, UseNotes, UseOther,
}

// Member is a user's place in an organization.
type Member struct {
	Organization id.Organization
	User         id.User
	Role         Role
	JoinedAt     time.Time
	// LastSeenAt is when they were last there; zero for never.
	LastSeenAt time.Time
	// SSO says whether they sign in through the organization's identity provider.
	SSO bool
	// SSOAcceptedAt is when they accepted that the organization opens through its single sign-on alone, in case it
	// does; zero for never.
	SSOAcceptedAt time.Time
}

// Membership is an organization together with the place that the asking user has in it.
type Membership struct {
	Organization Organization
	Role         Role
	JoinedAt     time.Time
	// OwnsTeam says whether they are the owner of a team.
	OwnsTeam bool
}

// NewOrganization is the input of Create.
type NewOrganization struct {
	// Title has 2 to 255 characters.
	Title string
	// Hostname may be empty: then it is made from the title.
	Hostname string
	// EmailDomains are host names; up to 50. Of a new organization they can be proven by the admin's own address alone.
	EmailDomains []string
	// Type is TypeBusiness when empty.
	Type Type
	// UseCase may be empty.
	UseCase UseCase
	// WithSite makes a first site with a space, which members see first.
	WithSite bool
}

// NewMember is the input of AddUser.
type NewMember struct {
	Email string
	// Name is the display name when the user has to be made; "" takes the part of the address before the @.
	Name string
	// Organization is an organization's id or hostname.
	Organization id.Organization
	Role         Role
}

// Setup is the input of Init.
type Setup struct {
	// Title is that of the organization.
	Title string
	// Email and Name are those of its first admin.
	Email string
	Name  string
}

// Access is what Init and AddUser made: who may call now, and with which secret.
type Access struct {
	Organization Organization
	User         account.User
	Role         Role
	Token        account.Token
	// Secret is the token itself; it is not kept and cannot be shown again.
	Secret string
}

func noOrganization() error {
	return errs.NotFoundf("There is no such organization, or you are not a member of it.")
}

func noMember() error {
	return errs.NotFoundf("The organization has no such member.")
}

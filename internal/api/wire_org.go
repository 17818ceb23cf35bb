package api

import (
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/access"
	"github.com/rectodocs/recto/internal/org"
)

// Organization is a group of people with their spaces and sites.
type Organization struct {
	Object       string   `json:"object" enum:"organization"`
	ID           string   `json:"id"`
	Title        string   `json:"title"`
	CreatedAt    string   `json:"createdAt" format:"date-time"`
	EmailDomains []string `json:"emailDomains"`
	Hostname     string   `json:"hostname,omitempty"`
	Type         string   `json:"type" enum:"business,community"`
	// DefaultRole is null for guests.
	DefaultRole RoleOrNull              `json:"defaultRole"`
	SSO         bool                    `json:"sso"`
	AI          bool                    `json:"ai"`
	InviteLinks bool                    `json:"inviteLinks"`
	Plan        string                  `json:"plan"`
	MergeRules  MergeRules              `json:"mergeRules"`
	URLs        OrganizationURLs        `json:"urls"`
	Trial       Trial                   `json:"trial"`
	OnNewTrial  bool                    `json:"internal_isOnNewTrial"`
	Permissions OrganizationPermissions `json:"permissions"`
}

// OrganizationURLs are an organization's addresses.
type OrganizationURLs struct {
	Location string `json:"location" format:"uri"`
	App      string `json:"app" format:"uri"`
}

// Trial is there for clients that ask; nothing is tried and nothing ends.
type Trial struct {
	Status string `json:"status" enum:"notapplicable"`
}

// OrganizationPermissions say what the caller may do with an organization.
type OrganizationPermissions struct {
	View                bool `json:"view"`
	Admin               bool `json:"admin"`
	OwnTeam             bool `json:"ownTeam"`
	CreateContent       bool `json:"createContent"`
	CreateOpenAPISpec   bool `json:"createOpenAPISpec"`
	IngestConversations bool `json:"ingestConversations"`
	ViewBilling         bool `json:"viewBilling"`
	ListMembers         bool `json:"listMembers"`
	ListTeams           bool `json:"listTeams"`
	ListIntegrations    bool `json:"listIntegrations"`
	ListInstallations   bool `json:"listInstallations"`
	InstallIntegration  bool `json:"installIntegration"`
}

func (a *API) wireOrganization(membership org.Membership) Organization {
	o := membership.Organization
	domains := o.EmailDomains
	if domains == nil {
		domains = []string{}
	}
	return Organization{
		Object: "organization", ID: o.ID, Title: o.Title, CreatedAt: timestamp(o.CreatedAt), EmailDomains: domains,
		Hostname: o.Hostname, Type: string(o.Type), DefaultRole: RoleOrNull(o.DefaultRole),
		InviteLinks: o.InviteLinks, Plan: o.Plan, MergeRules: MergeRules{Type: "none"},
		URLs:  OrganizationURLs{Location: a.BaseURL + "/v1/orgs/" + o.ID, App: a.BaseURL + "/app/orgs/" + o.ID},
		Trial: Trial{Status: "notapplicable"}, OnNewTrial: true,
		Permissions: OrganizationPermissions(access.PermissionsInOrganization(membership.Role)),
	}
}

// RoleOrNull is a role, or null for a guest.
type RoleOrNull string

// MarshalJSON writes null for the empty role.
func (r RoleOrNull) MarshalJSON() ([]byte, error) { return wordOrNull(string(r)) }

// Schema lists the roles and null.
func (RoleOrNull) Schema(huma.Registry) *huma.Schema { return wordOrNullSchema(roles...) }

// roles are the words for roles on the wire, from the highest.
var roles = []any{"admin", "create", "review", "edit", "comment", "read"}

func wordOrNull(word string) ([]byte, error) {
	if word == "" {
		return []byte("null"), nil
	}
	return json.Marshal(word)
}

// wordOrNullSchema is the schema of one of some words, or null.
func wordOrNullSchema(words ...any) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{{Type: "string", Enum: words}, {Type: "null"}}}
}

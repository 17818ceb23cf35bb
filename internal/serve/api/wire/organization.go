package wire

import (
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/org"
)

// Organization is a group of people with their spaces and sites.
type Organization struct {
	Object       string          `json:"object" enum:"organization"`
	ID           id.Organization `json:"id"`
	Title        string          `json:"title"`
	CreatedAt    string          `json:"createdAt" format:"date-time"`
	EmailDomains []string        `json:"emailDomains"`
	Hostname     string          `json:"hostname,omitempty"`
	Type         string          `json:"type" enum:"business,community"`
	UseCase      string          `json:"useCase,omitempty" enum:"internalDocs,docsSite,audienceControlledSite,productDocs,teamKnowledgeBase,designSystem,openSourceDocs,notes,other"`
	// DefaultRole is null for guests.
	DefaultRole RoleOrNull `json:"defaultRole"`
	// DefaultContent is what members see first.
	DefaultContent *DefaultContent `json:"defaultContent,omitempty"`
	SSO            bool            `json:"sso"`
	AI             bool            `json:"ai"`
	InviteLinks    bool            `json:"inviteLinks"`
	Plan           string          `json:"plan"`
	// Billing is there for those who may see it; nothing costs anything.
	Billing     *Billing                `json:"billing,omitempty"`
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
	// Logo is absent when there is none.
	Logo string `json:"logo,omitempty" format:"uri"`
}

// DefaultContent names a site.
type DefaultContent struct {
	Type string  `json:"type" enum:"site"`
	Site id.Site `json:"site" doc:"Id of a site of the organization."`
}

// Billing is there for clients that ask: a server that people run themselves bills nobody.
type Billing struct {
	Interval            string            `json:"interval" enum:"monthly"`
	EndDate             *string           `json:"endDate"`
	HasPaymentFailed    bool              `json:"hasPaymentFailed"`
	IsScheduledToCancel bool              `json:"isScheduledToCancel"`
	CanCheckout         bool              `json:"canCheckout"`
	CanChangeInterval   bool              `json:"canChangeInterval"`
	CanUseSAML          bool              `json:"canUseSAML"`
	Pricing             Pricing           `json:"pricing"`
	UsageAddons         map[string]string `json:"usageAddons"`
	CreditsBundle       string            `json:"creditsBundle" enum:"none"`
	CreditAlert         *float64          `json:"aiCreditAlertThreshold"`
}

// Pricing is what members and sites cost.
type Pricing struct {
	Members MemberPrices `json:"members"`
	Sites   SitePrices   `json:"sites"`
}

// MemberPrices are the prices of a member, by plan.
type MemberPrices struct {
	Plus PricePair `json:"plus_2024"`
	Pro  PricePair `json:"pro_2024"`
}

// SitePrices are the prices of a site, by plan.
type SitePrices struct {
	Premium  PricePair `json:"premium"`
	Ultimate PricePair `json:"ultimate"`
}

// PricePair is what something costs a month.
type PricePair struct {
	Monthly int `json:"monthly"`
	Yearly  int `json:"yearly"`
}

// Trial is there for clients that ask; nothing is tried and nothing ends.
type Trial struct {
	Status string `json:"status" enum:"notapplicable"`
	Count  int    `json:"count" doc:"Always 0."`
}

// OrganizationPermissions say what the caller may do with an organization.
type OrganizationPermissions struct {
	View                bool `json:"view" doc:"See it, and list what of it was shared with the caller."`
	Access              bool `json:"access" doc:"Read its sites, specifications and translations."`
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

// Organization turns an organization into its wire form for somebody; a membership of nobody permits nothing. Its merge
// rules are added by RuleReader.AddTo.
func (w Writer) Organization(membership org.Membership) Organization {
	o := membership.Organization
	domains := o.EmailDomains
	if domains == nil {
		domains = []string{}
	}
	wire := Organization{
		Object: "organization", ID: o.ID, Title: o.Title, CreatedAt: Timestamp(o.CreatedAt), EmailDomains: domains,
		Hostname: o.Hostname, Type: string(o.Type), UseCase: string(o.UseCase), DefaultRole: RoleOrNull(o.DefaultRole),
		SSO: o.SSO, AI: o.AI,
		InviteLinks: o.InviteLinks, Plan: o.Plan, MergeRules: MergeRules{Type: "none"},
		URLs: OrganizationURLs{Location: w.BaseURL + "/v1/orgs/" + string(o.ID),
			App: w.BaseURL + "/app/orgs/" + string(o.ID)},
		Trial: Trial{Status: "notapplicable"}, OnNewTrial: true,
	}
	if o.Logo.Blob != "" {
		wire.URLs.Logo = w.BaseURL + "/v1/orgs/" + string(o.ID) + "/logo/" + o.Logo.Blob
	}
	if membership.JoinedAt.IsZero() {
		return wire // not a member: nothing is permitted
	}
	wire.Permissions = OrganizationPermissions(access.PermissionsInOrganization(membership.Role))
	wire.Permissions.OwnTeam = wire.Permissions.OwnTeam || membership.OwnsTeam
	if o.DefaultSite != "" {
		wire.DefaultContent = &DefaultContent{Type: "site", Site: o.DefaultSite}
	}
	if wire.Permissions.ViewBilling {
		wire.Billing = &Billing{Interval: "monthly", CanUseSAML: true, UsageAddons: map[string]string{},
			CreditsBundle: "none"}
	}
	return wire
}

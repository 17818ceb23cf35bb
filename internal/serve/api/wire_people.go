package api

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/people/org"
)

// OrganizationPath is the path of an operation on an organization.
type OrganizationPath struct {
	Organization string `path:"organizationId"`
}

// TeamMemberRole is what somebody is in a team.
type TeamMemberRole struct {
	Role string `json:"role" enum:"owner,member"`
}

// TeamMemberItem is a member of a team.
type TeamMemberItem struct {
	Organization OrganizationMember    `json:"organization"`
	Team         TeamMemberRole        `json:"team"`
	Permissions  TeamMemberPermissions `json:"permissions"`
}

// TeamMemberPermissions say what the caller may do with a member of a team.
type TeamMemberPermissions struct {
	View bool `json:"view"`
}

// MemberTeam is a team that a member is in.
type MemberTeam struct {
	Team   Team           `json:"team"`
	Member TeamMemberRole `json:"member"`
}

// MemberSpace is a space that a member may read.
type MemberSpace struct {
	Permission string `json:"permission" enum:"admin,create,review,edit,comment,read"`
	Space      Space  `json:"space"`
}

// InviteLink lets in whoever has its id. One to a space or collection lets people in as guests and gives them a level
// there.
type InviteLink struct {
	Object string `json:"object" enum:"invite"`
	// ID is a secret.
	ID string `json:"id"`
	// Role is what it gives in the organization; null is a guest's place.
	Role       RoleOrNull  `json:"role"`
	Level      *RoleOrNull `json:"level,omitempty"`
	Redundant  bool        `json:"redundant"`
	Space      *Space      `json:"space,omitempty"`
	Collection *Collection `json:"collection,omitempty"`
}

// InvitedEmail is an address to invite, alone or with a role.
type InvitedEmail struct {
	Email string
	Role  optional.Value[string]
}

// UnmarshalJSON reads a text or an object.
func (e *InvitedEmail) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &e.Email) == nil {
		return nil
	}
	var object struct {
		Email string                 `json:"email"`
		Role  optional.Value[string] `json:"role,omitzero"`
	}
	err := json.Unmarshal(data, &object)
	e.Email, e.Role = object.Email, object.Role
	return err
}

// Schema describes both forms.
func (InvitedEmail) Schema(huma.Registry) *huma.Schema {
	address := &huma.Schema{Type: "string", Description: "E-mail address."}
	role := &huma.Schema{Type: "string", Nullable: true,
		Description: "admin, create, review, edit, comment or read; null for guests."}
	object := &huma.Schema{
		Type: "object", Required: []string{"email"},
		Properties: map[string]*huma.Schema{"email": address, "role": role},
	}
	address.PrecomputeMessages()
	role.PrecomputeMessages()
	object.PrecomputeMessages()
	return &huma.Schema{OneOf: []*huma.Schema{address, object}}
}

// Subdomain is a label under which an organization's sites are published.
type Subdomain struct {
	Object    string          `json:"object" enum:"subdomain"`
	Subdomain string          `json:"subdomain"`
	Target    SubdomainTarget `json:"target"`
	IsActive  bool            `json:"isActive"`
}

// SubdomainTarget names an organization.
type SubdomainTarget struct {
	Type         string `json:"type" enum:"organization"`
	Organization string `json:"organization"`
}

// AuditEntry is a change to people, access, sites or tokens.
type AuditEntry struct {
	Object    string `json:"object" enum:"audit-entry"`
	ID        string `json:"id"`
	CreatedAt string `json:"createdAt" format:"date-time"`
	Action    string `json:"action" doc:"What was done, such as member.remove."`
	// Actor is who did it; absent for the server itself.
	Actor   *AuditActor    `json:"actor,omitempty"`
	Target  AuditTarget    `json:"target"`
	Details map[string]any `json:"details"`
	// Address is where the request came from; absent when there was none.
	Address string `json:"address,omitempty"`
}

// AuditActor is who did something, and with which token or in which session.
type AuditActor struct {
	ID string `json:"id" doc:"Id of a user."`
	// User is absent when the account is gone.
	User  *User  `json:"user,omitempty"`
	Token string `json:"token,omitempty" doc:"Id of the token or session that was used."`
}

// AuditTarget is what something was done to, as it was called then.
type AuditTarget struct {
	Kind  string `json:"kind"`
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
}

// roleOf reads a role of an input that may be absent or null.
func roleOf(role optional.Value[string], path string) (optional.Value[org.Role], error) {
	if !role.IsSet() {
		return optional.Value[org.Role]{}, nil
	}
	name, ok := role.Get()
	if !ok {
		return optional.Null[org.Role](), nil
	}
	parsed, err := org.ParseRole(path, name)
	return optional.Of(parsed), err
}

// wirePeople turns members into their wire form, with how many spaces each may read.
func (a *API) wirePeople(ctx context.Context, organizationID string,
	people []org.Person) ([]OrganizationMember, error) {
	members := make([]org.Member, len(people))
	for i, person := range people {
		members[i] = person.Member
	}
	spaces, err := a.Access.SpaceCounts(ctx, organizationID, members)
	if err != nil {
		return nil, err
	}
	wire := make([]OrganizationMember, len(people))
	for i, person := range people {
		wire[i] = OrganizationMember{
			Object: "member", ID: person.User, Role: RoleOrNull(person.Role), User: a.wireUser(person.Account),
			JoinedAt:   timestamp(person.JoinedAt),
			LastSeenAt: optionalTime(person.LastSeenAt), SSO: person.SSO, Spaces: spaces[person.User],
			Teams: person.Teams,
		}
	}
	return wire, nil
}

func (a *API) wirePerson(ctx context.Context, person org.Person) (*body[OrganizationMember], error) {
	wire, err := a.wirePeople(ctx, person.Organization, []org.Person{person})
	if err != nil {
		return nil, err
	}
	return &body[OrganizationMember]{Body: wire[0]}, nil
}

// placeInTeams returns the caller's role in an organization, and which of its teams they own.
func (a *API) placeInTeams(ctx context.Context, organizationID string) (org.Role, map[string]bool, error) {
	caller := callerOf(ctx)
	role, err := a.Organizations.Role(ctx, caller, organizationID)
	if err != nil {
		return org.RoleGuest, nil, err
	}
	owned, err := a.Organizations.OwnedTeams(ctx, caller, organizationID)
	return role, owned, err
}

// wireTeams turns teams of an organization into their wire form.
func (a *API) wireTeams(ctx context.Context, organizationID string, teams []org.Team) ([]Team, error) {
	role, owned, err := a.placeInTeams(ctx, organizationID)
	if err != nil {
		return nil, err
	}
	granted, err := a.Access.GrantedTeams(ctx, organizationID, teams)
	if err != nil {
		return nil, err
	}
	wire := make([]Team, len(granted))
	for i, team := range granted {
		wire[i] = a.wireTeam(team, role, owned[team.ID])
	}
	return wire, nil
}

func (a *API) oneTeam(ctx context.Context, team org.Team) (Team, error) {
	wire, err := a.wireTeams(ctx, team.Organization, []org.Team{team})
	if err != nil {
		return Team{}, err
	}
	return wire[0], nil
}

// wireLinks turns invite links into their wire form.
func (a *API) wireLinks(ctx context.Context, links []org.Link) ([]InviteLink, error) {
	wire := make([]InviteLink, 0, len(links))
	for _, link := range links {
		one := InviteLink{Object: "invite", ID: link.Secret, Role: RoleOrNull(link.Role), Redundant: link.Redundant}
		if !link.Target.IsZero() {
			one.Role, one.Level = "", new(RoleOrNull(link.Role))
			err := a.addTarget(ctx, &one, link.Target)
			if errs.Is(err, errs.NotFound) {
				continue // it went away just now
			}
			if err != nil {
				return nil, err
			}
		}
		wire = append(wire, one)
	}
	return wire, nil
}

// addTarget adds the space or collection that a link is to, as the caller sees it.
func (a *API) addTarget(ctx context.Context, link *InviteLink, target org.Target) error {
	if target.Collection != "" {
		found, err := a.Spaces.Collection(ctx, callerOf(ctx), target.Collection)
		if err == nil {
			link.Collection = new(a.wireCollection(found))
		}
		return err
	}
	found, err := a.Spaces.Get(ctx, callerOf(ctx), target.Space)
	if err != nil {
		return err
	}
	wire, err := a.oneSpace(ctx, found)
	link.Space = &wire
	return err
}

// oneLink answers an operation on one link.
func (a *API) oneLink(ctx context.Context, link org.Link) (InviteLink, error) {
	wire, err := a.wireLinks(ctx, []org.Link{link})
	if err != nil {
		return InviteLink{}, err
	}
	if len(wire) == 0 {
		return InviteLink{}, errs.NotFoundf("What the link is to is gone.")
	}
	return wire[0], nil
}

// wireAudit turns entries into their wire form, with who did it.
func (a *API) wireAudit(ctx context.Context, entries []audit.Entry) ([]AuditEntry, error) {
	actors := map[string]bool{}
	for _, entry := range entries {
		if entry.Actor != "" {
			actors[entry.Actor] = true
		}
	}
	users, err := a.Accounts.UsersByIDs(ctx, slices.Sorted(maps.Keys(actors)))
	if err != nil {
		return nil, err
	}
	wire := make([]AuditEntry, len(entries))
	for i, entry := range entries {
		wire[i] = AuditEntry{
			Object: "audit-entry", ID: entry.ID, CreatedAt: timestamp(entry.CreatedAt), Action: entry.Action,
			Target: AuditTarget(entry.Target), Details: entry.Details, Address: entry.Address,
		}
		if entry.Actor != "" {
			wire[i].Actor = &AuditActor{ID: entry.Actor, Token: entry.Token}
			if user, ok := users[entry.Actor]; ok {
				wire[i].Actor.User = new(a.wireUser(user))
			}
		}
	}
	return wire, nil
}

// requireAdmin refuses everybody but admins of the organization.
func (a *API) requireAdmin(ctx context.Context, organizationID string) error {
	_, err := a.Access.RequireOrganization(ctx, callerOf(ctx), organizationID, access.AdministerOrganization)
	return err
}

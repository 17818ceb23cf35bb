package orgs

import (
	"context"
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// TeamMemberRole is what somebody is in a team.
type TeamMemberRole struct {
	Role string `json:"role" enum:"owner,member"`
}

// TeamMemberItem is a member of a team.
type TeamMemberItem struct {
	Organization wire.OrganizationMember `json:"organization"`
	Team         TeamMemberRole          `json:"team"`
	Permissions  TeamMemberPermissions   `json:"permissions"`
}

// TeamMemberPermissions say what the caller may do with a member of a team.
type TeamMemberPermissions struct {
	View bool `json:"view"`
}

// MemberTeam is a team that a member is in.
type MemberTeam struct {
	Team   wire.Team      `json:"team"`
	Member TeamMemberRole `json:"member"`
}

// MemberSpace is a space that a member may read.
type MemberSpace struct {
	Permission string `json:"permission" enum:"admin,create,review,edit,comment,read"`
	// Reason is why the member has that role.
	Reason *wire.AccessReason `json:"reason"`
	Space  wire.Space         `json:"space"`
}

// InviteLink lets in whoever has its id. One to a space or collection lets people in as guests and gives them a level
// there.
type InviteLink struct {
	Object string `json:"object" enum:"invite"`
	// ID is a secret.
	ID string `json:"id"`
	// Role is what it gives in the organization; null is a guest's place.
	Role       wire.RoleOrNull  `json:"role"`
	Level      *wire.RoleOrNull `json:"level,omitempty"`
	Redundant  bool             `json:"redundant"`
	Space      *wire.Space      `json:"space,omitempty"`
	Collection *wire.Collection `json:"collection,omitempty"`
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
	Type         string          `json:"type" enum:"organization"`
	Organization id.Organization `json:"organization"`
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

// wirePeople turns members into their wire form, with how many spaces and sites each may read.
func (h *Handlers) wirePeople(ctx context.Context, organizationID id.Organization,
	people []org.Person) ([]wire.OrganizationMember, error) {
	members := make([]org.Member, len(people))
	for i, person := range people {
		members[i] = person.Member
	}
	spaces, err := h.Access.SpaceCounts(ctx, organizationID, members)
	if err != nil {
		return nil, err
	}
	sites, err := h.Access.SiteCounts(ctx, organizationID, members)
	if err != nil {
		return nil, err
	}
	answer := make([]wire.OrganizationMember, len(people))
	for i, person := range people {
		answer[i] = wire.OrganizationMember{
			Object: "member", ID: person.User, Role: wire.RoleOrNull(person.Role), User: h.Wire.User(person.Account),
			JoinedAt:   wire.Timestamp(person.JoinedAt),
			LastSeenAt: wire.OptionalTimestamp(person.LastSeenAt), SSO: person.SSO, Spaces: spaces[person.User],
			Teams: person.Teams, Sites: sites[person.User],
		}
	}
	return answer, nil
}

func (h *Handlers) wirePerson(ctx context.Context,
	person org.Person) (*operation.Body[wire.OrganizationMember], error) {
	answer, err := h.wirePeople(ctx, person.Organization, []org.Person{person})
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.OrganizationMember]{Body: answer[0]}, nil
}

// wireLinks turns invite links into their wire form.
func (h *Handlers) wireLinks(ctx context.Context, links []invite.Link) ([]InviteLink, error) {
	answer := make([]InviteLink, 0, len(links))
	for _, link := range links {
		one := InviteLink{Object: "invite", ID: link.Secret, Role: wire.RoleOrNull(link.Role),
			Redundant: link.Redundant}
		if !link.Target.IsZero() {
			one.Role, one.Level = "", new(wire.RoleOrNull(link.Role))
			err := h.addTarget(ctx, &one, link.Target)
			if errs.Is(err, errs.NotFound) {
				continue // it went away just now
			}
			if err != nil {
				return nil, err
			}
		}
		answer = append(answer, one)
	}
	return answer, nil
}

// addTarget adds the space or collection that a link is to, as the caller sees it.
func (h *Handlers) addTarget(ctx context.Context, link *InviteLink, target invite.Target) error {
	if target.Collection != "" {
		found, err := h.Spaces.Collection(ctx, operation.Caller(ctx), target.Collection)
		if err == nil {
			link.Collection = new(h.Wire.Collection(found))
		}
		return err
	}
	found, err := h.Spaces.Get(ctx, operation.Caller(ctx), target.Space)
	if err != nil {
		return err
	}
	wire, err := h.SpaceWriter.WriteOne(ctx, found)
	link.Space = &wire
	return err
}

// oneLink answers an operation on one link.
func (h *Handlers) oneLink(ctx context.Context, link invite.Link) (InviteLink, error) {
	wire, err := h.wireLinks(ctx, []invite.Link{link})
	if err != nil {
		return InviteLink{}, err
	}
	if len(wire) == 0 {
		return InviteLink{}, errs.NotFoundf("What the link is to is gone.")
	}
	return wire[0], nil
}

func (h *Handlers) oneTeam(ctx context.Context, team org.Team) (wire.Team, error) {
	answer, err := h.TeamWriter.Write(ctx, team.Organization, []org.Team{team})
	if err != nil {
		return wire.Team{}, err
	}
	return answer[0], nil
}

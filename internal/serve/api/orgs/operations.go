package orgs

import (
	"net/http"

	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Operations are those on organizations, who belongs to them, their teams, and how people come in.
func (h *Handlers) Operations() []operation.Operation {
	const (
		organization = "/v1/orgs/{organizationId}"
		members      = organization + "/members"
		member       = members + "/{userId}"
		teams        = organization + "/teams"
		team         = teams + "/{teamId}"
		links        = organization + "/link-invites"
		link         = links + "/{inviteId}"
		invites      = organization + "/invites"
		invite       = invites + "/{inviteId}"
		lastAdmin    = "The last admin of an organization stays one."
		anybodys     = "Admins and owners of the team say who is in it."
	)
	empty := operation.Status(http.StatusNoContent)
	reset := operation.Status(http.StatusResetContent)
	return append(h.askOperations(), []operation.Operation{
		operation.New("listOrganizationsForAuthenticatedUser", http.MethodGet, "/v1/orgs", "Organizations",
			"List your organizations",
			h.listOrganizations),
		operation.New("createOrganization", http.MethodPost, "/v1/orgs", "Organizations", "Create an organization",
			h.createOrganization,
			operation.Status(http.StatusCreated),
			operation.Describe("You become its admin. Who may is the operator's to say "+
				"(--create-organizations): by default the administrators whom they chose.")),
		operation.New("getOrganizationById", http.MethodGet, "/v1/orgs/{organizationId}", "Organizations",
			"Get an organization",
			h.getOrganization),

		operation.New("updateOrganizationById", http.MethodPatch, organization, "Organizations",
			"Change an organization",
			h.updateOrganization, operation.May(http.StatusConflict),
			operation.Describe(
				"Fields that the body leaves out stay as they are. E-mail domains have to be proven: by your "+
					"own verified address, or by a TXT record that the refusal and the domain's own operation name.")),
		operation.New("getEmailDomainOfOrganization", http.MethodGet, organization+"/email-domains/{emailDomain}",
			"Organizations",
			"Get the proof of an e-mail domain", h.getEmailDomain,
			operation.Describe(
				"The TXT record that proves that the domain is yours, and whether it stands. For admins.")),
		operation.New("getOrganizationsForEmailDomain", http.MethodGet, "/v1/email-domains/{emailDomain}/orgs",
			"Organizations",
			"List the organizations of an e-mail domain", h.listByEmailDomain,
			operation.Describe(
				"Those that you may join because your own verified address is on the domain. If it is not, "+
					"those with the domain whose admin you are.")),
		operation.New("getOrganizationLogo", http.MethodGet, organization+"/logo/{blob}", "Organizations", "Get a logo",
			h.getLogo, operation.Anyone(),
			operation.May(http.StatusNotFound, http.StatusTooManyRequests),
			operation.Describe("The address comes from urls.logo.")),
		operation.New("joinOrganization", http.MethodPost, organization+"/join", "Organizations",
			"Join by e-mail domain", h.joinByDomain,
			empty,
			operation.Describe("For people whose own verified address is on an e-mail domain of the organization.")),
		operation.New("getSubdomain", http.MethodGet, "/v1/subdomains/{subdomain}", "Organizations", "Get a subdomain",
			h.getSubdomain,
			operation.Describe("Which organization of yours publishes its sites under a label.")),
		operation.New("updateOrganizationMemberLastSeenAt", http.MethodPost, organization+"/ping", "Organizations",
			"Say that you are there",
			h.ping,
			operation.Describe(
				"Moves your lastSeenAt. Where a site asks for it, the answer has a signed token with your claims.")),

		operation.New("listMembersInOrganizationById", http.MethodGet, members, "Organizations", "List members",
			h.listMembers,
			operation.Describe("Sorted by lastSeenAt, only those are listed who were ever there.")),
		operation.New("getMemberInOrganizationById", http.MethodGet, member, "Organizations", "Get a member",
			h.getMember),
		operation.New("updateMemberInOrganizationById", http.MethodPatch, member, "Organizations",
			"Change a member's role", h.updateMember,
			operation.May(http.StatusConflict), operation.Describe(lastAdmin)),
		operation.New("removeMemberFromOrganizationById", http.MethodDelete, member, "Organizations", "Remove a member",
			h.removeMember,
			reset, operation.May(http.StatusConflict),
			operation.Describe(
				"Takes their places in teams, what they were given in spaces and collections, and the invite "+
					"links that they made. You may remove yourself. "+lastAdmin)),
		operation.New("setUserAsSSOMemberForOrganization", http.MethodPost, member+"/sso", "Organizations",
			"Let a member sign in by single sign-on", h.setSSO, operation.May(http.StatusConflict)),
		operation.New("listSpacesForOrganizationMember", http.MethodGet, member+"/spaces", "Organizations",
			"List a member's spaces",
			h.listSpacesOfMember,
			operation.Describe(
				"Those that the member may read, with the role that they have there. For admins, and for yourself.")),
		operation.New("listTeamsForOrganizationMember", http.MethodGet, member+"/teams", "Organizations",
			"List a member's teams",
			h.listTeamsOfMember),

		operation.New("listTeamsInOrganizationById", http.MethodGet, teams, "Organizations", "List teams",
			h.listTeamsInOrganization),
		operation.New("createOrganizationTeam", http.MethodPut, teams, "Organizations", "Create a team", h.createTeam,
			operation.Status(http.StatusCreated), operation.May(http.StatusConflict)),
		operation.New("getTeamInOrganizationById", http.MethodGet, team, "Organizations", "Get a team", h.getTeam),
		operation.New("updateTeamInOrganizationById", http.MethodPatch, team, "Organizations", "Change a team",
			h.updateTeam),
		operation.New("removeTeamFromOrganizationById", http.MethodDelete, team, "Organizations", "Delete a team",
			h.deleteTeam, reset),
		operation.New("listTeamMembersInOrganizationById", http.MethodGet, team+"/members", "Organizations",
			"List a team's members",
			h.listTeamMembers),
		operation.New("updateMembersInOrganizationTeam", http.MethodPut, team+"/members", "Organizations",
			"Change a team's members",
			h.changeTeamMembers, empty, operation.May(http.StatusConflict),
			operation.Describe(
				"All of it or nothing. Who is in add and remove is removed. Ids of people who have left the "+
					"organization are passed over. Addresses that no member has are invited to the organization "+
					"and the "+
					"team. "+anybodys)),
		operation.New("addMemberToOrganizationTeamById", http.MethodPut, team+"/members/{userId}", "Organizations",
			"Put a member into a team", h.putTeamMember, empty, operation.May(http.StatusConflict),
			operation.Describe("Or change their role in it. "+anybodys)),
		operation.New("deleteMemberFromOrganizationTeamById", http.MethodDelete, team+"/members/{userId}",
			"Organizations",
			"Take a member out of a team", h.removeTeamMember, reset,
			operation.Describe("You may leave a team. "+anybodys)),

		operation.New("inviteUsersToOrganization", http.MethodPost, invites, "Organizations", "Invite people",
			h.inviteUsers,
			operation.Describe(
				"Nobody becomes a member by that: each address is sent an invite, which works for 14 days, and "+
					"its person accepts or declines. Without a mail server the answer has the links, to hand over. An "+
					"address that has an invite gets another one in its place.")),
		operation.New("listInvitesInOrganization", http.MethodGet, invites, "Organizations", "List invites",
			h.listInvites,
			operation.Describe(
				"Those by e-mail that nobody has accepted, the oldest first. Declined and expired ones stay in "+
					"the list until 30 days after their end. For admins.")),
		operation.New("getInviteInOrganization", http.MethodGet, invite, "Organizations", "Get an invite", h.getInvite,
			operation.Describe("By its id. For admins.")),
		operation.New("withdrawInviteFromOrganization", http.MethodDelete, invite, "Organizations",
			"Withdraw an invite", h.withdrawInvite,
			empty, operation.Describe("Its link works no more. For admins.")),
		operation.New("resendInviteToOrganization", http.MethodPost, invite+"/resend", "Organizations",
			"Send an invite again",
			h.resendInvite, operation.May(http.StatusConflict),
			operation.Describe(
				"With another link, which works for 14 days; the one before ends. Without a mail server the "+
					"answer has the link, to hand over. For admins.")),
		operation.New("joinOrganizationWithInvite", http.MethodPost, invite, "Organizations", "Accept an invite",
			h.acceptInvite,
			operation.Describe(
				"By the secret in the message, which is for its address alone, by that of an invite link, or by "+
					"the id of an invite that waits for your verified address.")),
		operation.New("declineOrganizationInvite", http.MethodPost, invite+"/decline", "Organizations",
			"Decline an invite", h.declineInvite,
			empty,
			operation.Describe(
				"Of your own: by the secret in the message, or by the id of an invite that waits for your "+
					"verified address. Admins of the organization see that it was declined.")),
		operation.New("listInvitesForAuthenticatedUser", http.MethodGet, "/v1/user/invites", "Users",
			"List your invites", h.listOwnInvites,
			operation.Describe("Those that wait for your verified address.")),
		operation.New("listOrganizationInviteLinks", http.MethodGet, links, "Organizations", "List invite links",
			h.listLinks),
		operation.New("createOrganizationInvite", http.MethodPost, links, "Organizations", "Create an invite link",
			h.createLink,
			operation.Status(http.StatusCreated), operation.May(http.StatusConflict),
			operation.Describe(
				"To the organization with a role, or to a space or collection with a level, which lets people "+
					"in as guests.")),
		operation.New("getOrganizationInviteLink", http.MethodGet, link, "Organizations", "Get an invite link",
			h.getLink),
		operation.New("updateOrganizationInviteById", http.MethodPatch, link, "Organizations", "Change an invite link",
			h.updateLink),
		operation.New("deleteOrganizationInviteById", http.MethodDelete, link, "Organizations", "Revoke an invite link",
			h.deleteLink,
			reset),
	}...)
}

// askOperations are questions about an organization's content.
func (h *Handlers) askOperations() []operation.Operation {
	const ask = "/v1/orgs/{organizationId}/ask"
	said := operation.Describe("Nobody has connected a model to this server: the answer says so.")
	return []operation.Operation{
		operation.New("askInOrganization", http.MethodPost, ask, "Organizations", "Ask an organization's content",
			h.ask, operation.Reads(), said, operation.Agents("space:content:read")),
		operation.New("streamAskInOrganization", http.MethodGet, ask+"/stream", "Organizations",
			"Ask an organization's content and get a stream", h.streamAsk,
			operation.AnswersStream[wire.AskStream](), said, operation.Agents("space:content:read")),
		operation.New("getRecommendedQuestionsInOrganization", http.MethodGet, ask+"/questions", "Organizations",
			"List questions to ask an organization's content", h.askQuestions),
		operation.New("streamRecommendedQuestionsInOrganization", http.MethodGet, ask+"/questions/stream",
			"Organizations", "Get a stream of questions to ask an organization's content", h.streamAskQuestions,
			operation.AnswersStream[wire.AskQuestion]()),
	}
}

package api

import "net/http"

// peopleOperations are those on organizations, who belongs to them, their teams, how people come in, and the audit log.
func (a *API) peopleOperations() []operation {
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
	empty := status(http.StatusNoContent)
	reset := status(http.StatusResetContent)
	return []operation{
		row("getUserById", get, "/v1/users/{userId}", "Users", "Get a user", a.getUserByID,
			describe("You, or somebody who belongs to an organization of yours.")),
		row("updateUserById", patch, "/v1/users/{userId}", "Users", "Change your account", a.updateUser,
			describe("Only your own.")),

		row("updateOrganizationById", patch, organization, "Organizations", "Change an organization",
			a.updateOrganization, may(http.StatusConflict),
			describe("Fields that the body leaves out stay as they are. E-mail domains have to be proven: by your "+
				"own verified address, or by a TXT record that the refusal and the domain's own operation name.")),
		row("getEmailDomainOfOrganization", get, organization+"/email-domains/{emailDomain}", "Organizations",
			"Get the proof of an e-mail domain", a.getEmailDomain,
			describe("The TXT record that proves that the domain is yours, and whether it stands. For admins.")),
		row("getOrganizationsForEmailDomain", get, "/v1/email-domains/{emailDomain}/orgs", "Organizations",
			"List the organizations of an e-mail domain", a.listByEmailDomain,
			describe("Those that you may join because your own verified address is on the domain. If it is not, "+
				"those with the domain whose admin you are.")),
		row("getOrganizationLogo", get, organization+"/logo/{blob}", "Organizations", "Get a logo", a.getLogo, anyone(),
			may(http.StatusNotFound, http.StatusTooManyRequests),
			describe("The address comes from urls.logo.")),
		row("joinOrganization", post, organization+"/join", "Organizations", "Join by e-mail domain", a.joinByDomain,
			empty,
			describe("For people whose own verified address is on an e-mail domain of the organization.")),
		row("getSubdomain", get, "/v1/subdomains/{subdomain}", "Organizations", "Get a subdomain", a.getSubdomain,
			describe("Which organization of yours publishes its sites under a label.")),
		row("updateOrganizationMemberLastSeenAt", post, organization+"/ping", "Organizations", "Say that you are there",
			a.ping,
			describe(
				"Moves your lastSeenAt. Where a site asks for it, the answer has a signed token with your claims.")),

		row("listMembersInOrganizationById", get, members, "Organizations", "List members", a.listMembers,
			describe("Sorted by lastSeenAt, only those are listed who were ever there.")),
		row("getMemberInOrganizationById", get, member, "Organizations", "Get a member", a.getMember),
		row("updateMemberInOrganizationById", patch, member, "Organizations", "Change a member's role", a.updateMember,
			may(http.StatusConflict), describe(lastAdmin)),
		row("removeMemberFromOrganizationById", remove, member, "Organizations", "Remove a member", a.removeMember,
			reset, may(http.StatusConflict),
			describe("Takes their places in teams, what they were given in spaces and collections, and the invite "+
				"links that they made. You may remove yourself. "+lastAdmin)),
		row("setUserAsSSOMemberForOrganization", post, member+"/sso", "Organizations",
			"Let a member sign in by single sign-on", a.setSSO, may(http.StatusConflict)),
		row("listSpacesForOrganizationMember", get, member+"/spaces", "Organizations", "List a member's spaces",
			a.listSpacesOfMember,
			describe(
				"Those that the member may read, with the role that they have there. For admins, and for yourself.")),
		row("listTeamsForOrganizationMember", get, member+"/teams", "Organizations", "List a member's teams",
			a.listTeamsOfMember),

		row("listTeamsInOrganizationById", get, teams, "Organizations", "List teams", a.listTeamsInOrganization),
		row("createOrganizationTeam", put, teams, "Organizations", "Create a team", a.createTeam,
			status(http.StatusCreated), may(http.StatusConflict)),
		row("getTeamInOrganizationById", get, team, "Organizations", "Get a team", a.getTeam),
		row("updateTeamInOrganizationById", patch, team, "Organizations", "Change a team", a.updateTeam),
		row("removeTeamFromOrganizationById", remove, team, "Organizations", "Delete a team", a.deleteTeam, reset),
		row("listTeamMembersInOrganizationById", get, team+"/members", "Organizations", "List a team's members",
			a.listTeamMembers),
		row("updateMembersInOrganizationTeam", put, team+"/members", "Organizations", "Change a team's members",
			a.changeTeamMembers, empty, may(http.StatusConflict),
			describe("All of it or nothing. Who is in add and remove is removed. Ids of people who have left the "+
				"organization are passed over. Addresses that no member has are invited to the organization and the "+
				"team. "+anybodys)),
		row("addMemberToOrganizationTeamById", put, team+"/members/{userId}", "Organizations",
			"Put a member into a team", a.putTeamMember, empty, may(http.StatusConflict),
			describe("Or change their role in it. "+anybodys)),
		row("deleteMemberFromOrganizationTeamById", remove, team+"/members/{userId}", "Organizations",
			"Take a member out of a team", a.removeTeamMember, reset,
			describe("You may leave a team. "+anybodys)),

		row("inviteUsersToOrganization", post, invites, "Organizations", "Invite people", a.inviteUsers,
			describe("Nobody becomes a member by that: each address is sent an invite, which works for 14 days, and "+
				"its person accepts or declines. Without a mail server the answer has the links, to hand over. An "+
				"address that has an invite gets another one in its place.")),
		row("listInvitesInOrganization", get, invites, "Organizations", "List invites", a.listInvites,
			describe("Those by e-mail that nobody has accepted, the oldest first. Declined and expired ones stay in "+
				"the list until 30 days after their end. For admins.")),
		row("getInviteInOrganization", get, invite, "Organizations", "Get an invite", a.getInvite,
			describe("By its id. For admins.")),
		row("withdrawInviteFromOrganization", remove, invite, "Organizations", "Withdraw an invite", a.withdrawInvite,
			empty, describe("Its link works no more. For admins.")),
		row("resendInviteToOrganization", post, invite+"/resend", "Organizations", "Send an invite again",
			a.resendInvite, may(http.StatusConflict),
			describe("With another link, which works for 14 days; the one before ends. Without a mail server the "+
				"answer has the link, to hand over. For admins.")),
		row("joinOrganizationWithInvite", post, invite, "Organizations", "Accept an invite", a.acceptInvite,
			describe("By the secret in the message, which is for its address alone, by that of an invite link, or by "+
				"the id of an invite that waits for your verified address.")),
		row("declineOrganizationInvite", post, invite+"/decline", "Organizations", "Decline an invite", a.declineInvite,
			empty,
			describe("Of your own: by the secret in the message, or by the id of an invite that waits for your "+
				"verified address. Admins of the organization see that it was declined.")),
		row("listInvitesForAuthenticatedUser", get, "/v1/user/invites", "Users", "List your invites", a.listOwnInvites,
			describe("Those that wait for your verified address.")),
		row("listOrganizationInviteLinks", get, links, "Organizations", "List invite links", a.listLinks),
		row("createOrganizationInvite", post, links, "Organizations", "Create an invite link", a.createLink,
			status(http.StatusCreated), may(http.StatusConflict),
			describe("To the organization with a role, or to a space or collection with a level, which lets people "+
				"in as guests.")),
		row("getOrganizationInviteLink", get, link, "Organizations", "Get an invite link", a.getLink),
		row("updateOrganizationInviteById", patch, link, "Organizations", "Change an invite link", a.updateLink),
		row("deleteOrganizationInviteById", remove, link, "Organizations", "Revoke an invite link", a.deleteLink,
			reset),

		row("listAuditEntries", get, organization+"/audit", "Organizations", "List the audit log", a.listAudit,
			describe("Every change to people, access, sites and tokens, the latest first. For admins.")),
		row("exportAuditEntries", get, organization+"/audit/export", "Organizations", "Export the audit log",
			a.exportAudit,
			describe("All entries under the filter as lines of JSON or as CSV, the latest first. For admins.")),
	}
}

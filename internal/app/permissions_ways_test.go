package app_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// deedWay says how a deed is done, where the trial of its operation does not.
type deedWay struct {
	body string
	// instead puts samples in the place of others.
	instead map[string]string
	// before and after bring the samples into the state that this deed, and those behind it, need. after runs when it
	// went; with always, in any case.
	before, after func(d *deedTrial, samples map[string]string)
	always        bool
	// check reads off an answer whether it went.
	check func(got apptest.Answer) bool
	// elsewhere is the test that does it.
	elsewhere string
}

func (w deedWay) at(samples map[string]string) map[string]string {
	at := map[string]string{}
	for name, sample := range w.instead {
		at[name] = samples[sample]
	}
	return at
}

var (
	ofRequest = map[string]string{"commentId": "requestComment", "commentReplyId": "requestReply"}
	again     = func(*deedTrial, map[string]string) {} // puts the standing right again
)

// deedWays are by operation and, behind a space, what of it.
var deedWays = map[string]deedWay{
	"getOrganizationById billing": {check: func(got apptest.Answer) bool {
		return bytes.Contains(got.Body, []byte(`"billing":{`))
	}},
	"movePagesToSpace": {before: func(d *deedTrial, samples map[string]string) {
		movable(d.Server, samples)
	}},
	"updateMembersInOrganizationTeam": {body: `{"add":["{userId}"]}`},
	"getOrganizationEmergencyCode":    {before: emergency},
	"deleteOrganizationEmergencyCode": {before: emergency},
	"getPublishedContentSite": {before: func(d *deedTrial, samples map[string]string) {
		withPublishedSite(d.Server, samples)
	}},
	"deleteOrganizationSAMLProvider": {after: func(d *deedTrial, samples map[string]string) {
		withSAMLProvider(d.Server, samples)
		d.saml = samples["samlProviderId"]
	}},
	"deleteOrganizationOIDCProvider": {after: func(d *deedTrial, samples map[string]string) {
		withOIDCProvider(d.Server, samples)
		d.oidc = samples["oidcProviderId"]
	}},
	"getInviteInOrganization":          ofEmail,
	"resendInviteToOrganization":       ofEmail,
	"withdrawInviteFromOrganization":   ofEmail,
	"removeMemberFromOrganizationById": {after: newcomer},
	"uninstallIntegration": {after: func(d *deedTrial, samples map[string]string) {
		withIntegration(d.Server, samples)
	}},
	"unpublishIntegration": {after: func(d *deedTrial, samples map[string]string) {
		withIntegration(d.Server, samples)
	}},
	"publishIntegration a version":            {body: partB["publishIntegration"].body},
	"installIntegration where they are admin": {body: partB["installIntegration"].body},
	"deleteTranslation":                       {after: retranslated},

	"updateCommentInSpace body":                        {body: `{"body":{"markdown":"Ha."}}`},
	"updateCommentInSpace addedReactions":              {body: `{"addedReactions":["👍"]}`},
	"updateCommentInSpace resolved":                    {body: `{"resolved":true}`},
	"updateCommentInChangeRequest body":                {body: `{"body":{"markdown":"Ha."}}`, instead: ofRequest},
	"updateCommentInChangeRequest addedReactions":      {body: `{"addedReactions":["👍"]}`, instead: ofRequest},
	"updateCommentInChangeRequest resolved":            {body: `{"resolved":true}`, instead: ofRequest},
	"updateCommentReplyInSpace body":                   {body: `{"body":{"markdown":"Ha."}}`},
	"updateCommentReplyInSpace addedReactions":         {body: `{"addedReactions":["👍"]}`},
	"updateCommentReplyInChangeRequest body":           {body: `{"body":{"markdown":"Ha."}}`, instead: ofRequest},
	"updateCommentReplyInChangeRequest addedReactions": {body: `{"addedReactions":["👍"]}`, instead: ofRequest},
	"getCommentInChangeRequest":                        {instead: ofRequest},
	"listCommentRepliesInChangeRequest":                {instead: ofRequest},
	"postCommentReplyInChangeRequest":                  {instead: ofRequest},
	"deleteCommentInChangeRequest":                     {instead: ofRequest},
	"getCommentReplyInChangeRequest":                   {instead: ofRequest},
	"deleteCommentReplyInChangeRequest":                {instead: ofRequest},

	"updateSiteById title":            {body: `{"title":"Other"}`},
	"updateSiteById visibility":       {body: `{"visibility":"unlisted"}`},
	"updateSiteById hostname":         {body: `{"hostname":"docs.example.com"}`},
	"updateSiteById proxy":            {body: `{"proxy":"example.com/docs"}`},
	"updateSiteById agentsContext":    {body: `{"agentsContext":"excluded"}`},
	"updateSiteById adaptiveContent":  {body: `{"adaptiveContent":{"enabled":true}}`},
	"updateSiteSpaceById condition":   {body: `{"condition":"visitor.claims.a === 1"}`},
	"updateSiteSectionById condition": {body: `{"condition":"visitor.claims.a === 1"}`},
	"deleteSiteSectionGroupById": {after: func(d *deedTrial, samples map[string]string) {
		withGroupedSection(d.Server, samples)
	}},
	"deleteSiteSectionById": {after: func(d *deedTrial, samples map[string]string) {
		withGroupedSection(d.Server, samples)
	}},
	"deleteSiteSpaceById": {after: func(d *deedTrial, samples map[string]string) {
		var made apptest.Identified
		d.Call(http.MethodPost, "/v1/orgs/"+d.Organization+"/sites/"+samples["siteId"]+"/site-spaces",
			`{"spaceId":"`+samples["spaceId"]+`"}`, http.StatusCreated, &made)
		samples["siteSpaceId"] = made.ID
	}},
	"deleteSiteById": {after: func(d *deedTrial, samples map[string]string) {
		var made apptest.Identified
		d.Call(http.MethodPost, "/v1/orgs/"+d.Organization+"/sites", `{"title":"Again"}`, http.StatusCreated, &made)
		samples["siteId"] = made.ID
	}},
	"installIntegrationOnSite":  {body: `{"siteId":"{siteId}"}`},
	"installIntegrationOnSpace": {body: `{"space":"{spaceId}"}`},

	"getReusableContentById":                      {elsewhere: "TestOperationsForRoles"},
	"getReusableContentInRevisionById":            {elsewhere: "TestOperationsForRoles"},
	"getReusableContentDocumentInRevisionById":    {elsewhere: "TestOperationsForRoles"},
	"getReusableContentInChangeRequestById":       {elsewhere: "TestOperationsForRoles"},
	"compareReusableContent":                      {elsewhere: "TestOperationsForRoles"},
	"getChangeRequestReusableContentChanges":      {elsewhere: "TestOperationsForRoles"},
	"listReusableContentBacklinks":                {elsewhere: "TestOperationsForRoles"},
	"listReusableContentBacklinksInChangeRequest": {elsewhere: "TestOperationsForRoles"},
	"transferSpace":                               {elsewhere: "TestTransfersBetweenOrganizations"},
	"transferCollection":                          {elsewhere: "TestTransfersBetweenOrganizations"},

	"createOrganizationInvite space":          {body: `{"level":"read","space":"{spaceId}"}`},
	"getOrganizationInviteLink space":         ofLink("space", ""),
	"updateOrganizationInviteById space":      ofLink("space", `{"level":"comment"}`),
	"deleteOrganizationInviteById space":      ofLink("space", ""),
	"createOrganizationInvite collection":     {body: `{"level":"read","collection":"{collectionId}"}`},
	"getOrganizationInviteLink collection":    ofLink("collection", ""),
	"updateOrganizationInviteById collection": ofLink("collection", `{"level":"comment"}`),
	"deleteOrganizationInviteById collection": ofLink("collection", ""),
	"getChangeRequestConflict":                {instead: map[string]string{"changeRequestId": "conflicting"}},
	"settleChangeRequestConflict":             {instead: map[string]string{"changeRequestId": "conflicting"}},
	"applyCommentInChangeRequest": {instead: map[string]string{"commentId": "suggesting"},
		before: func(d *deedTrial, samples map[string]string) {
			made := maps.Clone(samples)
			withSuggestion(d.Server, made)
			samples["suggesting"] = made["commentId"]
		}},
	"undoChangeRequest":            {instead: map[string]string{"changeRequestId": "merged"}},
	"updateSpaceById title":        {body: `{"title":"Other"}`},
	"updateSpaceById editMode":     {body: `{"editMode":"locked"}`},
	"updateSpaceById defaultLevel": {body: `{"defaultLevel":"comment"}`, after: again},
	"moveSpace":                    {body: `{"parent":"{collectionId}"}`},
	"createSite spaces":            {body: `{"title":"Showing","spaces":["{spaceId}"]}`},
	"addSpaceToSite this space":    {body: `{"spaceId":"{spaceId}"}`},
	"createTranslation source": {
		body: `{"source":{"space":"{spaceId}","language":"en"},"languages":["fr"]}`},
	"updateCollectionById title":        {body: `{"title":"Other"}`},
	"updateCollectionById defaultLevel": {body: `{"defaultLevel":"comment"}`, after: again},
	"createSpace parent":                {body: `{"title":"New","parent":"{collectionId}"}`},
	"createCollection parent":           {body: `{"title":"New","parent":"{collectionId}"}`},
	"deleteSpaceById":                   {after: restored},
	"purgeSpace":                        {elsewhere: "TestDeletedForGood"},
	"restoreSpace": {
		before: func(d *deedTrial, samples map[string]string) {
			d.Call(http.MethodDelete, "/v1/spaces/"+samples["spaceId"], nil, http.StatusNoContent, nil)
		},
		after: restored, always: true,
	},
}

// ofLink is about an invite link to a kind of object, made for it.
func ofLink(kind, body string) deedWay {
	return deedWay{
		body: body, instead: map[string]string{"inviteId": "link"},
		before: func(d *deedTrial, samples map[string]string) {
			var made apptest.Identified
			d.Call(http.MethodPost, "/v1/orgs/"+d.Organization+"/link-invites", `{"level":"read","`+kind+`":"`+
				samples[kind+"Id"]+`"}`, http.StatusCreated, &made)
			samples["link"] = made.ID
		},
	}
}

// ofEmail is about an invite by e-mail, made for it.
var ofEmail = deedWay{
	instead: map[string]string{"inviteId": "emailInvite"},
	before: func(d *deedTrial, samples map[string]string) {
		made := maps.Clone(samples)
		withEmailInvite(d.Server, made)
		samples["emailInvite"] = made["inviteId"]
	},
}

func emergency(d *deedTrial, samples map[string]string) { withEmergencyCode(d.Server, samples) }

// retranslated makes the translation of the samples.
func retranslated(d *deedTrial, samples map[string]string) {
	d.T.Helper()
	withTranslation(d.Server, samples)
	var settings apptest.TranslationSettings
	at := "/v1/orgs/" + d.Organization + "/translations/" + samples["translationSettingsId"]
	d.Call(http.MethodGet, at, nil, http.StatusOK, &settings)
	samples["source"], samples["variant"] = settings.Source.Space, d.Followed(at+"/languages/de").Space
}

// restored takes the space out of the trash when it is there.
func restored(d *deedTrial, samples map[string]string) {
	d.Raw(http.MethodPost, "/v1/spaces/"+samples["spaceId"]+"/restore", d.Token, nil)
}

// invite gives somebody a role in the space and the collection.
func (d *deedTrial) invite(samples map[string]string, body string) {
	d.T.Helper()
	for _, at := range []string{"spaces/" + samples["spaceId"], "collections/" + samples["collectionId"]} {
		d.Call(http.MethodPost, "/v1/"+at+"/permissions", body, http.StatusNoContent, nil)
	}
}

// newcomer puts somebody else in the place of the person who was removed.
func newcomer(d *deedTrial, samples map[string]string) {
	d.made++
	_, samples["userId"] = d.Person(org.RoleRead, fmt.Sprintf("newcomer%d@example.org", d.made))
	d.invite(samples, `{"users":["`+samples["userId"]+`"],"role":"review"}`)
	d.Call(http.MethodPut, "/v1/orgs/"+d.Organization+"/teams/"+samples["teamId"]+"/members/"+samples["userId"],
		`{"role":"member"}`, http.StatusNoContent, nil)
	d.Call(http.MethodPost, "/v1/spaces/"+samples["spaceId"]+"/change-requests/"+samples["changeRequestId"]+
		"/requested-reviewers", `{"users":["`+samples["userId"]+`"]}`, http.StatusOK, nil)
}

// write lets somebody be the author of the comments, and takes back what they needed for it.
func (d *deedTrial) write(token, userID string, samples map[string]string) {
	d.T.Helper()
	at := "/v1/spaces/" + samples["spaceId"]
	d.Call(http.MethodPost, at+"/permissions", `{"users":["`+userID+`"],"role":"comment"}`, http.StatusNoContent, nil)
	for scope, names := range map[string][2]string{
		at: {"commentId", "commentReplyId"}, at + "/change-requests/" + samples["changeRequestId"]: {"requestComment",
			"requestReply"},
	} {
		var made apptest.Identified
		d.CallAs(token, http.MethodPost, scope+"/comments", `{"body":{"markdown":"Mine."}}`, http.StatusOK, &made)
		samples[names[0]] = made.ID
		d.CallAs(token, http.MethodPost, scope+"/comments/"+made.ID+"/replies", `{"body":{"markdown":"Mine."}}`,
			http.StatusOK, &made)
		samples[names[1]] = made.ID
	}
	d.Call(http.MethodDelete, at+"/permissions/users/"+userID, nil, http.StatusNoContent, nil)
}

// make lets somebody be who made the collection and the space. That they are it from making them is what
// TestCreatorsOwnWhatTheyMade holds.
func (d *deedTrial) make(userID string, samples map[string]string) {
	d.T.Helper()
	database, err := db.Open(d.T.Context(), db.Config{URL: d.Storage.Database()})
	if err != nil {
		d.T.Fatal(err)
	}
	defer database.Close()
	for table, id := range map[string]string{"space": samples["spaceId"], "collection": samples["collectionId"]} {
		if _, err := database.Write().ExecContext(d.T.Context(), `UPDATE `+table+` SET created_by = $2 WHERE id = $1`,
			id, userID); err != nil {
			d.T.Fatal(err)
		}
	}
}

// ofNoObject are operations about the caller themselves, look-ups, and what has no object with permissions yet.
var ofNoObject = []string{
	"getAuthenticatedUser", "updateUserById", "getUserById", "listTokens", "createToken", "getToken", "revokeToken",
	"listSessions", "endSession", "listPrograms", "endProgram",
	"endOtherSessions", "listOrganizationsForAuthenticatedUser", "createOrganization", "joinOrganization",
	"joinOrganizationWithInvite", "declineOrganizationInvite",
	"listInvitesForAuthenticatedUser",
	"updateOrganizationMemberLastSeenAt", "getOrganizationsForEmailDomain", "getSubdomain", "getContentByUrl",
	"listIntegrations", "createIntegrationInstallationToken", "listNotifications",
	"listIntegrationEvents", "getIntegrationEvent", "redeliverIntegrationEvent", "queueIntegrationTask",
	"renderIntegrationUIWithPost", "renderIntegrationUIWithGet", "getEmbedByUrl",
	"markNotifications",
	"getNotificationSettings", "updateNotificationSettings",
}

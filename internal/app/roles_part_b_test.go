package app_test

import (
	"crypto/rand"
	"net/http"
	"strings"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/org"
)

// partB are the trials of the operations for organizations, people and sites.
var partB = map[string]trial{
	// Organizations and people.
	"getAuthenticatedUser":                  {least: apptest.Guest},
	"listOrganizationsForAuthenticatedUser": {least: apptest.Guest},
	"createOrganization": {least: org.RoleAdmin, anyone: true, body: `{"title":"Mine"}`,
		status: http.StatusCreated},
	"getOrganizationById":            {least: apptest.Guest},
	"updateOrganizationById":         {least: org.RoleAdmin, body: `{"title":"Example"}`},
	"getOrganizationsForEmailDomain": {least: apptest.Guest, anyone: true},
	"getEmailDomainOfOrganization":   {least: org.RoleAdmin},
	"getSubdomain":                   {least: apptest.Guest, anyone: true},
	"listAuditEntries":               {least: org.RoleAdmin},
	"exportAuditEntries":             {least: org.RoleAdmin},
	"listNotifications":              {least: apptest.Guest},
	"markNotifications":              {least: apptest.Guest, body: `{}`, status: http.StatusNoContent},
	"getNotificationSettings":        {least: apptest.Guest},
	"updateNotificationSettings":     {least: apptest.Guest, body: `{"mail":"daily"}`},
	"inviteUsersToOrganization": {least: org.RoleAdmin, body: `{"emails":["new-{name}@example.net"]}`,
		prepare: nameForAddress},
	// one that is there raises who takes it
	"joinOrganizationWithInvite": {least: nobody, anyone: true, at: map[string]string{"inviteId": "none"}},
	"listInvitesInOrganization":  {least: org.RoleAdmin},
	"getInviteInOrganization":    {least: org.RoleAdmin, prepare: withEmailInvite},
	"resendInviteToOrganization": {least: org.RoleAdmin, prepare: withEmailInvite},
	"withdrawInviteFromOrganization": {least: org.RoleAdmin, status: http.StatusNoContent,
		prepare: withEmailInvite},
	// it is its person's alone
	"declineOrganizationInvite":       {least: nobody, anyone: true, at: map[string]string{"inviteId": "none"}},
	"listInvitesForAuthenticatedUser": {least: apptest.Guest},
	"joinOrganization":                {least: apptest.Guest, anyone: true, status: http.StatusNoContent},
	"listOrganizationInviteLinks":     {least: org.RoleAdmin},
	"createOrganizationInvite": {least: org.RoleAdmin, body: `{"role":"read"}`,
		status: http.StatusCreated},
	"getOrganizationInviteLink":          {least: org.RoleAdmin},
	"updateOrganizationInviteById":       {least: org.RoleAdmin, body: `{"role":"comment"}`},
	"deleteOrganizationInviteById":       {least: org.RoleAdmin, status: http.StatusResetContent},
	"listMembersInOrganizationById":      {least: org.RoleRead},
	"getMemberInOrganizationById":        {least: org.RoleRead},
	"updateMemberInOrganizationById":     {least: org.RoleAdmin, body: `{"role":"comment"}`},
	"removeMemberFromOrganizationById":   {least: org.RoleAdmin, status: http.StatusResetContent},
	"listSpacesForOrganizationMember":    {least: org.RoleAdmin},
	"listTeamsForOrganizationMember":     {least: org.RoleRead},
	"setUserAsSSOMemberForOrganization":  {least: org.RoleAdmin},
	"updateOrganizationMemberLastSeenAt": {least: apptest.Guest},
	"listTeamsInOrganizationById":        {least: org.RoleRead},
	"createOrganizationTeam": {least: org.RoleAdmin, body: `{"title":"New"}`,
		status: http.StatusCreated},
	"getTeamInOrganizationById":         {least: org.RoleRead},
	"updateTeamInOrganizationById":      {least: org.RoleAdmin, body: `{"title":"New"}`},
	"removeTeamFromOrganizationById":    {least: org.RoleAdmin, status: http.StatusResetContent},
	"listTeamMembersInOrganizationById": {least: org.RoleRead},
	"updateMembersInOrganizationTeam": {least: org.RoleAdmin, body: `{"remove":["{userId}"]}`,
		status: http.StatusNoContent},
	"addMemberToOrganizationTeamById": {least: org.RoleAdmin, body: `{"role":"owner"}`,
		status: http.StatusNoContent},
	"deleteMemberFromOrganizationTeamById": {least: org.RoleAdmin, status: http.StatusResetContent},
	"getUserById":                          {least: apptest.Guest},
	"updateUserById":                       {least: nobody, body: `{"displayName":"Other"}`},
	"listTokens":                           {least: apptest.Guest},
	"createToken":                          {least: apptest.Guest, body: `{"name":"New"}`, status: http.StatusCreated},
	"getToken":                             {least: org.RoleAdmin}, // it is the first admin's
	"revokeToken":                          {least: org.RoleAdmin, status: http.StatusNoContent},

	"listSessions":     {least: apptest.Guest},
	"endOtherSessions": {least: apptest.Guest, status: http.StatusNoContent},
	"endSession":       {least: nobody}, // tokens have no sessions; browsers' are tested with them
	"listPrograms":     {least: apptest.Guest},
	"endProgram":       {least: nobody}, // nobody of the table let one in; see package programs

	// Who may read a site, and how it looks.
	"getSiteAdaptiveSchema": {least: org.RoleRead, prepare: withSchema},
	"updateSiteAdaptiveSchema": {least: org.RoleCreate,
		body: `{"jsonSchema":{"type":"object","properties":{},"additionalProperties":false}}`},
	"listSiteAdaptiveTemplateConditions": {least: org.RoleRead},
	"getSitePublishingAuthById":          {least: org.RoleCreate},
	"updateSitePublishingAuthById": {least: org.RoleCreate,
		body: `{"backend":"custom","fallbackURL":"https://example.org/"}`},
	"regenerateSitePublishingAuthById": {least: org.RoleCreate},
	"listSiteShareLinks":               {least: org.RoleCreate},
	"createSiteShareLink":              {least: org.RoleCreate, body: `{"name":"New"}`, status: http.StatusCreated},
	"updateSiteShareLinkById":          {least: org.RoleCreate, body: `{"active":false}`, prepare: withShareLink},
	"deleteSiteShareLinkById": {least: org.RoleCreate, status: http.StatusResetContent,
		prepare: withShareLink},
	"getSiteCustomizationById":           {least: org.RoleRead},
	"updateSiteCustomizationById":        {least: org.RoleCreate, body: "{customization}", prepare: withCustomization},
	"getSiteSpaceCustomizationById":      {least: org.RoleRead},
	"overrideSiteSpaceCustomizationById": {least: org.RoleCreate, body: `{"title":"Other"}`},
	"deleteSiteSpaceCustomizationById":   {least: org.RoleCreate, status: http.StatusNoContent},
	"listSiteFeedback":                   {least: org.RoleRead},
	"listSitePageFeedback":               {least: org.RoleRead},
	"listSiteIntegrationScripts":         {least: org.RoleRead},

	// Translations.
	"listTranslations":         {least: org.RoleRead},
	"createTranslation":        {least: org.RoleCreate, body: `{"title":"New"}`, status: http.StatusCreated},
	"getTranslation":           {least: org.RoleRead, prepare: withTranslation},
	"updateTranslation":        {least: org.RoleCreate, body: `{"title":"Other"}`, prepare: withTranslation},
	"deleteTranslation":        {least: org.RoleCreate, status: http.StatusNoContent, prepare: withTranslation},
	"listTranslationLanguages": {least: org.RoleRead, prepare: withTranslation},
	"getTranslationLanguage":   {least: org.RoleRead, prepare: withTranslation},
	"exportTranslation":        {least: org.RoleRead, prepare: withTranslation},
	"followTranslationSource":  {least: org.RoleEdit, status: http.StatusAccepted, prepare: withTranslation},
	"importTranslation": {least: org.RoleEdit, body: "text", status: http.StatusBadRequest,
		prepare: withTranslation},
	"startMachineTranslation": {least: org.RoleEdit, body: `{}`, status: http.StatusPreconditionFailed,
		prepare: withTranslation},
	"cancelMachineTranslation": {least: org.RoleEdit, status: http.StatusConflict, prepare: withTranslation},
	"listTranslationPages":     {least: org.RoleRead, prepare: withTranslation},
	"listTranslationSegments":  {least: org.RoleRead, prepare: withTranslation},
	"translateSegment":         {least: org.RoleEdit, body: `{"target":"Text"}`, prepare: withTranslation},

	// Integrations.
	"listIntegrations": {least: apptest.Guest},
	"publishIntegration": {least: org.RoleAdmin,
		body:    `{"title":"New","description":"New.","script":"1","organization":"{organizationId}"}`,
		prepare: withIntegration},
	"getIntegrationByName": {least: org.RoleRead, prepare: withIntegration},
	"unpublishIntegration": {least: org.RoleAdmin, status: http.StatusNoContent,
		prepare: withIntegration},
	"listIntegrationInstallations": {least: org.RoleRead, prepare: withIntegration},
	"installIntegration": {least: org.RoleAdmin, body: `{"organization":"{organizationId}"}`,
		status: http.StatusCreated, prepare: withPublished},
	"getIntegrationInstallationById": {least: org.RoleCreate, prepare: withIntegration},
	"updateIntegrationInstallation": {least: org.RoleAdmin, body: `{"externalIds":["a"]}`,
		prepare: withIntegration},
	"uninstallIntegration": {least: org.RoleAdmin, status: http.StatusResetContent,
		prepare: withIntegration},
	"listIntegrationInstallationSpaces": {least: org.RoleCreate, prepare: withIntegration},
	"listIntegrationInstallationSites":  {least: org.RoleCreate, prepare: withIntegration},
	"installIntegrationOnSpace": {least: org.RoleCreate, body: `{"space":"{freeSpace}"}`,
		status: http.StatusCreated, prepare: withIntegration},
	"installIntegrationOnSite": {least: org.RoleCreate, body: `{"siteId":"{freeSite}"}`,
		status: http.StatusCreated, prepare: withIntegration},
	"getIntegrationSpaceInstallation": {least: org.RoleCreate, prepare: withIntegration},
	"getIntegrationSiteInstallation":  {least: org.RoleCreate, prepare: withIntegration},
	"updateIntegrationSpaceInstallation": {least: org.RoleCreate, body: `{"externalIds":["a"]}`,
		prepare: withIntegration},
	"listIntegrationEvents": {least: org.RoleRead, prepare: withEvent},
	"getIntegrationEvent":   {least: org.RoleAdmin, prepare: withEvent},
	"redeliverIntegrationEvent": {least: org.RoleAdmin, status: http.StatusNoContent,
		prepare: withEvent},
	"setIntegrationDevelopmentMode": {least: org.RoleAdmin, body: `{"tunnelUrl":"https://example.org/"}`,
		status: http.StatusNoContent, prepare: withIntegration},
	"disableIntegrationDevelopmentMode": {least: org.RoleAdmin, status: http.StatusResetContent,
		prepare: withIntegration},
	"queueIntegrationTask": {least: nobody, body: `{"task":{}}`, prepare: withIntegration},
	"renderIntegrationUIWithPost": {least: org.RoleRead, prepare: withEvent, body: `{"componentId":"block",
		"props":{},"context":{"type":"document","spaceId":"{spaceId}","editable":false,"theme":"light"}}`},
	"renderIntegrationUIWithGet":         {least: org.RoleRead, prepare: withRequest, query: "?request={compressed}"},
	"createIntegrationInstallationToken": {least: nobody, prepare: withIntegration},
	"updateIntegrationSiteInstallation": {least: org.RoleCreate, body: `{"externalIds":["a"]}`,
		prepare: withIntegration},
	"uninstallIntegrationFromSpace": {least: org.RoleCreate, status: http.StatusResetContent,
		prepare: withIntegration},
	"uninstallIntegrationFromSite": {least: org.RoleCreate, status: http.StatusResetContent,
		prepare: withIntegration},
	"listIntegrationSpaceInstallations":  {least: org.RoleRead, prepare: withIntegration},
	"listIntegrationSiteInstallations":   {least: org.RoleRead, prepare: withIntegration},
	"listOrganizationInstallations":      {least: org.RoleCreate},
	"listOrganizationIntegrations":       {least: org.RoleRead},
	"listOrganizationIntegrationsStatus": {least: org.RoleRead},
	"getOrganizationIntegrationStatus":   {least: org.RoleRead, prepare: withIntegration},
	"listSiteIntegrations":               {least: org.RoleRead},
	"listSpaceIntegrations":              {least: org.RoleRead},
	"listSpaceIntegrationsBlocks":        {least: org.RoleRead},
	"listSpaceContentSources":            {least: org.RoleRead},

	// Single sign-on.
	"listSSOProviderLoginsInOrganization": {least: apptest.Guest},
	"listSAMLProvidersInOrganizationById": {least: org.RoleAdmin},
	"createOrganizationSAMLProvider":      {least: org.RoleAdmin, body: `{"label":"New"}`, status: http.StatusCreated},
	"getOrganizationSAMLProviderById":     {least: org.RoleAdmin},
	"updateOrganizationSAMLProvider":      {least: org.RoleAdmin, body: `{"label":"Other"}`},
	"deleteOrganizationSAMLProvider": {least: org.RoleAdmin, prepare: withSAMLProvider,
		status: http.StatusNoContent},
	"listOIDCProvidersInOrganizationById": {least: org.RoleAdmin},
	"createOrganizationOIDCProvider":      {least: org.RoleAdmin, body: `{"label":"New"}`, status: http.StatusCreated},
	"getOrganizationOIDCProviderById":     {least: org.RoleAdmin},
	"updateOrganizationOIDCProvider":      {least: org.RoleAdmin, body: `{"label":"Other"}`},
	"deleteOrganizationOIDCProvider": {least: org.RoleAdmin, prepare: withOIDCProvider,
		status: http.StatusNoContent},
	"getOrganizationEmergencyCode":    {least: org.RoleAdmin, prepare: withEmergencyCode},
	"createOrganizationEmergencyCode": {least: org.RoleAdmin, status: http.StatusCreated},
	"deleteOrganizationEmergencyCode": {least: org.RoleAdmin, prepare: withEmergencyCode,
		status: http.StatusNoContent},

	// Sites.
	"listSites":      {least: apptest.Guest},
	"createSite":     {least: org.RoleCreate, body: `{"title":"New"}`, status: http.StatusCreated},
	"getSiteById":    {least: org.RoleRead},
	"updateSiteById": {least: org.RoleCreate, body: `{"title":"New"}`},
	"publishSite":    {least: org.RoleCreate},
	"trackEventsInSiteById": {least: org.RoleRead, body: `{"events":[{"type":"page_view","session":{},
		"location":{"url":"https://example.org/"},"more":1}]}`, status: http.StatusNoContent},
	"streamAskInSite":                          {least: org.RoleRead, body: `{"question":"How?","scope":{"mode":"all"}}`},
	"streamRecommendedQuestionsInSite":         {least: org.RoleRead},
	"askInOrganization":                        {least: apptest.Guest, body: `{"query":"How?"}`},
	"streamAskInOrganization":                  {least: apptest.Guest, query: "?query=How"},
	"getRecommendedQuestionsInOrganization":    {least: apptest.Guest},
	"streamRecommendedQuestionsInOrganization": {least: apptest.Guest},
	"getEmbedByUrlInSpace":                     {least: org.RoleRead, query: "?url=https://example.org/a"},
	"getEmbedByUrl": {least: apptest.Guest, anyone: true,
		query: "?url=https://example.org/a"},
	"getPublishedContentSite": {least: org.RoleRead, prepare: withPublishedSite},
	"listSiteSpaces":          {least: org.RoleRead},
	"deleteSiteById":          {least: org.RoleCreate, status: http.StatusNoContent},
	"unpublishSite":           {least: org.RoleCreate},
	"getSiteStructure":        {least: org.RoleRead},
	"sortSiteStructure": {least: org.RoleCreate,
		body: `{"item":{"type":"site-section","id":"{siteSectionId}"},"position":{}}`, prepare: withSections},
	"listSiteSections": {least: org.RoleRead},
	"addSectionToSite": {least: org.RoleCreate, body: `{"spaceId":"{freeSpace}","title":"New"}`,
		status: http.StatusCreated, prepare: withFreeSpace},
	"updateSiteSectionById":      {least: org.RoleCreate, body: `{"title":"New"}`, prepare: withSections},
	"moveSiteSection":            {least: org.RoleCreate, body: `{"position":{}}`, prepare: withSections},
	"deleteSiteSectionById":      {least: org.RoleCreate, status: http.StatusNoContent, prepare: withSections},
	"listSiteSectionGroups":      {least: org.RoleRead},
	"addSectionGroupToSite":      {least: org.RoleCreate, body: `{"title":"New"}`, status: http.StatusCreated},
	"updateSiteSectionGroupById": {least: org.RoleCreate, body: `{"title":"New"}`, prepare: withSections},
	"moveSiteSectionGroup":       {least: org.RoleCreate, body: `{"position":{}}`, prepare: withSections},
	"deleteSiteSectionGroupById": {least: org.RoleCreate, status: http.StatusResetContent, prepare: withSections},
	"addSectionToGroup": {least: org.RoleCreate, body: `{"sectionId":"{siteSectionId}"}`,
		status: http.StatusCreated, prepare: withSections},
	"removeSectionFromGroup": {least: org.RoleCreate, status: http.StatusResetContent,
		prepare: withGroupedSection},
	"updateSiteSpaceById": {least: org.RoleCreate, body: `{"path":"new"}`},
	"moveSiteSpace":       {least: org.RoleCreate, body: `{"position":{}}`},
	"deleteSiteSpaceById": {least: org.RoleCreate, status: http.StatusResetContent},
	"listSiteRedirects":   {least: org.RoleRead},
	"createSiteRedirect": {least: org.RoleCreate,
		body:   `{"source":"/new","destination":{"kind":"external","url":"https://example.org/"}}`,
		status: http.StatusCreated},
	"getSiteRedirectBySource": {least: org.RoleRead, query: "?source=/old"},
	"updateSiteRedirectById":  {least: org.RoleCreate, body: `{"draft":true}`},
	"deleteSiteRedirectById":  {least: org.RoleCreate, status: http.StatusNoContent},
	"searchSiteContent": {least: org.RoleRead,
		body: `{"query":"secret","mode":"current","siteSpaceId":"{siteSpaceId}"}`},
	"getContentByUrl": {least: apptest.Guest, query: "?url=http://192.0.2.1/none",
		status: http.StatusNotFound},
	"addSpaceToSite": {least: org.RoleCreate, body: `{"spaceId":"{freeSpace}"}`,
		status: http.StatusCreated, prepare: withFreeSpace},
}

// withFreeSpace makes a space that is on no site.
func withFreeSpace(s *apptest.Server, samples map[string]string) {
	samples["freeSpace"] = s.Space("Free")
}

// nameForAddress makes the name of the samples fit for an address.
func nameForAddress(_ *apptest.Server, samples map[string]string) {
	samples["name"] = strings.ReplaceAll(samples["name"], " ", "")
}

func withEmergencyCode(s *apptest.Server, _ map[string]string) {
	s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sso/emergency-code", nil, http.StatusCreated, nil)
}

// withSAMLProvider makes one to be deleted.
func withSAMLProvider(s *apptest.Server, samples map[string]string) {
	samples["samlProviderId"] = provider(s, "saml")
}

// withOIDCProvider makes one to be deleted.
func withOIDCProvider(s *apptest.Server, samples map[string]string) {
	samples["oidcProviderId"] = provider(s, "oidc")
}

func provider(s *apptest.Server, protocol string) string {
	s.T.Helper()
	var made apptest.Identified
	s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/"+protocol, `{"label":"Sample"}`, http.StatusCreated, &made)
	return made.ID
}

// withSections puts a section and a group on the site.
func withSections(s *apptest.Server, samples map[string]string) {
	at := "/v1/orgs/" + s.Organization + "/sites/" + samples["siteId"]
	var made apptest.Identified
	s.Call(http.MethodPost, at+"/sections", `{"spaceId":"`+s.Space("Section")+`","title":"Section"}`,
		http.StatusCreated, &made)
	samples["siteSectionId"] = made.ID
	s.Call(http.MethodPost, at+"/section-groups", `{"title":"Group"}`, http.StatusCreated, &made)
	samples["siteSectionGroupId"] = made.ID
}

// withGroupedSection puts the section in the group, too.
func withGroupedSection(s *apptest.Server, samples map[string]string) {
	withSections(s, samples)
	at := "/v1/orgs/" + s.Organization + "/sites/" + samples["siteId"]
	s.Call(http.MethodPost, at+"/section-groups/"+samples["siteSectionGroupId"]+"/sections",
		`{"sectionId":"`+samples["siteSectionId"]+`"}`, http.StatusCreated, nil)
}

// withShareLink makes a share link of the site.
func withShareLink(s *apptest.Server, samples map[string]string) {
	var made apptest.Identified
	s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites/"+samples["siteId"]+"/share-links", `{"name":"Sample"}`,
		http.StatusCreated, &made)
	samples["shareLinkId"] = made.ID
}

// withPublishedSite publishes the site.
func withPublishedSite(s *apptest.Server, samples map[string]string) {
	s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites/"+samples["siteId"]+"/publish", nil, http.StatusOK, nil)
}

// withCustomization reads how the site looks.
func withCustomization(s *apptest.Server, samples map[string]string) {
	got := s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/sites/"+samples["siteId"]+"/customization", nil,
		http.StatusOK, nil)
	samples["customization"] = string(got.Body)
}

// withTranslation makes a space with a translation into German.
func withTranslation(s *apptest.Server, samples map[string]string) {
	space, _ := s.Documented("Original", map[string]string{"Start": "Words.\n"})
	all := "/v1/orgs/" + s.Organization + "/translations"
	var made apptest.Identified
	s.Call(http.MethodPost, all, map[string]any{"source": map[string]any{"space": space, "language": "en"},
		"languages": []string{"de"}}, http.StatusCreated, &made)
	at := all + "/" + made.ID + "/languages/de"
	s.Followed(at)
	samples["translationSettingsId"], samples["language"], samples["segmentId"] = made.ID, "de",
		s.Segments(at, "")[0].ID
}

// withPublished publishes an integration.
func withPublished(s *apptest.Server, samples map[string]string) {
	samples["integrationName"] = "sample-" + strings.ToLower(rand.Text())
	s.Publish(samples["integrationName"], map[string]any{"visibility": "private"})
}

// withIntegration installs one, too, also on the space and the site, and makes another space and another site.
func withIntegration(s *apptest.Server, samples map[string]string) {
	withPublished(s, samples)
	samples["installationId"] = s.Install(samples["integrationName"]).ID
	at := "/v1/integrations/" + samples["integrationName"] + "/installations/" + samples["installationId"]
	s.Call(http.MethodPost, at+"/spaces", `{"space":"`+samples["spaceId"]+`"}`, http.StatusCreated, nil)
	s.Call(http.MethodPost, at+"/sites", `{"siteId":"`+samples["siteId"]+`"}`, http.StatusCreated, nil)
	withFreeSpace(s, samples)
	var site apptest.Identified
	s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites", `{"title":"Free"}`, http.StatusCreated, &site)
	samples["freeSite"] = site.ID
}

// withEvent lets the script of one answer, and notes a task that it has got.
func withEvent(s *apptest.Server, samples map[string]string) {
	withIntegration(s, samples)
	s.Publish(samples["integrationName"], map[string]any{"visibility": "private", "runtime": "v2",
		"script": `export default { fetch: () => Response.json({type: "complete"}) }`})
	samples["eventId"] = id.New("event")
	s.Exec(`INSERT INTO integration_event (id, integration_id, queue, organization_id, installation_id, space_id, site_id,
		kind, payload, status, attempts, logs, created_at, due_at)
		SELECT $1, id, '', organization_id, '', '', '', 'task', '{"type":"task"}', 'success', 1, '[]', 1, 1
		FROM integration WHERE name_key = $2`, samples["eventId"], samples["integrationName"])
}

// withRequest is withEvent with a request to draw a component in the space.
func withRequest(s *apptest.Server, samples map[string]string) {
	withEvent(s, samples)
	samples["compressed"] = compressedRequest(samples)
}

// compressedRequest is a request to draw a block on a page of the space.
func compressedRequest(samples map[string]string) string {
	return apptest.Compressed(`{"componentId":"block","props":{},"context":{"type":"document",` +
		`"spaceId":"` + samples["spaceId"] + `","editable":false,"theme":"light"}}`)
}

// withSchema gives the site a schema of claims.
func withSchema(s *apptest.Server, samples map[string]string) {
	s.Call(http.MethodPut, "/v1/orgs/"+s.Organization+"/sites/"+samples["siteId"]+"/adaptive-schema",
		`{"jsonSchema":{"type":"object","properties":{},"additionalProperties":false}}`, http.StatusOK, nil)
}

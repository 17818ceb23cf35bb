package access

// Deed is something that a permission stands for: an operation of the API.
type Deed struct {
	// Operation is the operation's id.
	Operation string
	// With says for which use of the operation it is, where another permission stands for its other uses.
	With string
	// Also are permissions of other objects that it needs besides, as "object.permission": who puts one thing into
	// another needs a right on both.
	Also []string
}

// Deeds are what each permission in answers stands for: kind of object, name of the permission in answers, deeds. An
// operation that is about one object goes if and only if the permission that it stands under is true, and those in
// Also. A test tries all of them for every role, grant and default level, on one's own and on others' objects.
// Permissions without deeds are for what there is no operation for. Change requests and content have the permissions of
// their space.
var Deeds = map[string]map[string][]Deed{
	"organization": {
		"view": deeds("getOrganizationById", "listSpacesInOrganizationById", "listCollectionsInOrganizationById",
			"listTrash", "listImports",
			"listChangeRequestsForOrganization", "searchOrganizationContent", "getMergeRulesOfOrganization",
			"listSites", "listSSOProviderLoginsInOrganization", "askInOrganization", "streamAskInOrganization",
			"getRecommendedQuestionsInOrganization", "streamRecommendedQuestionsInOrganization"),
		"access":      deeds("listOpenAPISpecs", "listTranslations"),
		"listMembers": deeds("listMembersInOrganizationById", "getMemberInOrganizationById"),
		"listTeams":   deeds("listTeamsInOrganizationById", "listTeamsForOrganizationMember"),
		"listIntegrations": deeds("listOrganizationIntegrations", "listOrganizationIntegrationsStatus",
			"getOrganizationIntegrationStatus", "getIntegrationByName",
			"listIntegrationInstallations", "listIntegrationSpaceInstallations", "listIntegrationSiteInstallations"),
		"listInstallations": deeds("listOrganizationInstallations", "getIntegrationInstallationById",
			"listIntegrationInstallationSpaces", "listIntegrationInstallationSites"),
		"installIntegration":  deeds("installIntegration", "updateIntegrationInstallation", "uninstallIntegration"),
		"createContent":       deeds("createSpace", "createCollection", "createSite", "createTranslation"),
		"createOpenAPISpec":   deeds("createOpenAPISpec"),
		"ownTeam":             deeds("updateMembersInOrganizationTeam"),
		"viewBilling":         {{Operation: "getOrganizationById", With: "billing"}},
		"ingestConversations": {},
		"admin": deeds("updateOrganizationById", "setMergeRulesOfOrganization", "getEmailDomainOfOrganization",
			"listAuditEntries", "exportAuditEntries", "getSearchStatusOfOrganization", "refreshSearchOfOrganization",
			"inviteUsersToOrganization", "listInvitesInOrganization", "getInviteInOrganization",
			"resendInviteToOrganization",
			"withdrawInviteFromOrganization", "listOrganizationInviteLinks", "createOrganizationInvite",
			"getOrganizationInviteLink", "updateOrganizationInviteById",
			"deleteOrganizationInviteById", "listSpacesForOrganizationMember", "updateMemberInOrganizationById",
			"setUserAsSSOMemberForOrganization",
			"createOrganizationTeam", "publishIntegration", "listSAMLProvidersInOrganizationById",
			"createOrganizationSAMLProvider",
			"getOrganizationSAMLProviderById", "updateOrganizationSAMLProvider", "deleteOrganizationSAMLProvider",
			"listOIDCProvidersInOrganizationById",
			"createOrganizationOIDCProvider", "getOrganizationOIDCProviderById", "updateOrganizationOIDCProvider",
			"deleteOrganizationOIDCProvider",
			"createOrganizationEmergencyCode", "getOrganizationEmergencyCode", "deleteOrganizationEmergencyCode",
			"removeMemberFromOrganizationById"),
	},
	"space": {
		"view":    spaceReads,
		"access":  deeds("getSpaceById"),
		"comment": deeds("postCommentInSpace", "postCommentInChangeRequest"),
		"listPeople": deeds("listPermissionsAggregateInSpace", "listUserPermissionsInSpace",
			"listTeamPermissionsInSpace"),
		"edit": append(deeds("updateSpaceContent", "uploadFiles", "uploadContent", "replaceFile", "importContent",
			"importContentInPageById",
			"cancelImport", "createChangeRequest", "updateChangeRequestById", "updateChangeRequestContent",
			"movePagesToSpace",
			"openLivePage", "exchangeLivePage",
			"uploadFilesToChangeRequest",
			"replaceFileInChangeRequest", "importContentInChangeRequest", "settleChangeRequestConflict",
			"updateChangeRequest",
			"requestReviewersForChangeRequest", "removeRequestedReviewerFromChangeRequest", "undoChangeRequest",
			"applyCommentInChangeRequest"),
			also("translation-settings.view", "followTranslationSource", "importTranslation", "startMachineTranslation",
				"cancelMachineTranslation",
				"translateSegment")...),
		"review":         deeds("submitChangeRequestReview", "rollbackSpace"),
		"merge":          deeds("mergeChangeRequest"),
		"triggerGitSync": {},
		"installIntegration": deeds("installIntegrationOnSpace", "getIntegrationSpaceInstallation",
			"updateIntegrationSpaceInstallation",
			"uninstallIntegrationFromSpace"),
		"viewInviteLinks": append(links("space"), deeds("inviteToSpace", "updateUserPermissionInSpace",
			"updateTeamPermissionInSpace", "removeUserFromSpace",
			"removeTeamFromSpace")...),
		"manage": append(append([]Deed{{Operation: "updateSpaceById", With: "title"}, {Operation: "updateSpaceById",
			With: "editMode"}},
			also("collection.create", "moveSpace", "duplicateSpace")...),
			Deed{Operation: "createSite", With: "spaces", Also: []string{"organization.createContent"}},
			Deed{Operation: "addSpaceToSite", With: "this space", Also: []string{"site.create"}},
			Deed{Operation: "createTranslation", With: "source", Also: []string{"organization.createContent",
				"collection.create"}}),
		"admin": append([]Deed{{Operation: "updateSpaceById", With: "defaultLevel"}},
			deeds("transferSpace", "deleteSpaceById", "restoreSpace", "purgeSpace")...),
	},
	"collection": {
		"view": deeds("getCollectionById", "listSpacesInCollectionById"),
		"listPeople": deeds("listPermissionsAggregateInCollection", "listUserPermissionsInCollection",
			"listTeamPermissionsInCollection"),
		"create": {{Operation: "createSpace", With: "parent"}, {Operation: "createCollection", With: "parent"}},
		"viewInviteLinks": append(links("collection"), deeds("inviteToCollection", "updateUserPermissionInCollection",
			"updateTeamPermissionInCollection",
			"removeUserFromCollection", "removeTeamFromCollection")...),
		"manage": append([]Deed{{Operation: "updateCollectionById", With: "title"}}, deeds("moveCollection")...),
		"admin": append([]Deed{{Operation: "updateCollectionById", With: "defaultLevel"}},
			deeds("transferCollection", "deleteCollectionById")...),
	},
	"comment": {
		"view": deeds("getCommentInSpace", "listCommentRepliesInSpace", "getCommentInChangeRequest",
			"listCommentRepliesInChangeRequest"),
		"edit": {{Operation: "updateCommentInSpace", With: "body"}, {Operation: "updateCommentInChangeRequest",
			With: "body"}},
		"reply": append(deeds("postCommentReplyInSpace", "postCommentReplyInChangeRequest"),
			Deed{Operation: "updateCommentInSpace", With: "addedReactions"},
			Deed{Operation: "updateCommentInChangeRequest", With: "addedReactions"}),
		"resolve": {{Operation: "updateCommentInSpace", With: "resolved"}, {Operation: "updateCommentInChangeRequest",
			With: "resolved"}},
		"delete": deeds("deleteCommentInSpace", "deleteCommentInChangeRequest"),
	},
	"comment-reply": {
		"view": deeds("getCommentReplyInSpace", "getCommentReplyInChangeRequest"),
		"edit": {{Operation: "updateCommentReplyInSpace", With: "body"},
			{Operation: "updateCommentReplyInChangeRequest", With: "body"}},
		"reply": {{Operation: "updateCommentReplyInSpace", With: "addedReactions"},
			{Operation: "updateCommentReplyInChangeRequest", With: "addedReactions"}},
		"delete": deeds("deleteCommentReplyInSpace", "deleteCommentReplyInChangeRequest"),
	},
	"site": {
		"view": append(also("space.view", "getSiteSpaceCustomizationById"),
			deeds("getSiteById", "getPublishedContentSite", "getSiteStructure", "listSiteSpaces", "listSiteSections",
				"listSiteSectionGroups",
				"listSiteRedirects", "getSiteRedirectBySource", "getSiteCustomizationById", "listSiteFeedback",
				"listSitePageFeedback", "listSiteIntegrationScripts", "listSiteIntegrations", "searchSiteContent",
				"streamAskInSite", "streamRecommendedQuestionsInSite", "trackEventsInSiteById")...),
		"access":             deeds("getSiteById"),
		"viewAdaptiveSchema": deeds("getSiteAdaptiveSchema", "listSiteAdaptiveTemplateConditions"),
		"edit": append([]Deed{{Operation: "updateSiteById", With: "title"}},
			append(deeds("sortSiteStructure", "updateSiteSectionById", "moveSiteSection",
				"updateSiteSectionGroupById", "moveSiteSectionGroup", "addSectionToGroup", "removeSectionFromGroup",
				"createSiteRedirect",
				"updateSiteRedirectById", "deleteSiteRedirectById", "updateSiteCustomizationById",
				"deleteSiteSectionGroupById", "deleteSiteSectionById"),
				also("space.view", "updateSiteSpaceById", "moveSiteSpace", "overrideSiteSpaceCustomizationById",
					"deleteSiteSpaceCustomizationById",
					"deleteSiteSpaceById")...)...),
		"create":             deeds("addSpaceToSite", "addSectionToSite", "addSectionGroupToSite"),
		"editAdaptiveSchema": deeds("updateSiteAdaptiveSchema"),
		"installIntegration": deeds("installIntegrationOnSite", "getIntegrationSiteInstallation",
			"updateIntegrationSiteInstallation", "uninstallIntegrationFromSite"),
		"admin": append([]Deed{
			{Operation: "updateSiteById", With: "visibility"}, {Operation: "updateSiteById", With: "hostname"},
			{Operation: "updateSiteById", With: "proxy"},
			{Operation: "updateSiteById", With: "agentsContext"},
			{Operation: "updateSiteById", With: "adaptiveContent"},
			{Operation: "updateSiteSpaceById", With: "condition"}, {Operation: "updateSiteSectionById",
				With: "condition"},
		}, deeds("publishSite", "unpublishSite", "listSiteShareLinks", "createSiteShareLink", "updateSiteShareLinkById",
			"deleteSiteShareLinkById",
			"getSitePublishingAuthById", "updateSitePublishingAuthById", "regenerateSitePublishingAuthById",
			"deleteSiteById")...),
	},
	"openapi-spec": {
		"view": deeds("getOpenAPISpecBySlug", "listOpenAPISpecVersions", "getLatestOpenAPISpecVersion",
			"getLatestOpenAPISpecVersionContent",
			"getLatestOpenAPISpecVersionContentRaw", "getOpenAPISpecVersionById", "getOpenAPISpecVersionContentById"),
		"edit": deeds("createOrUpdateOpenAPISpecBySlug", "deleteOpenAPISpecBySlug"),
	},
	"translation-settings": {
		"view": append(deeds("getTranslation", "listTranslationLanguages"),
			also("space.view", "getTranslationLanguage", "exportTranslation", "listTranslationPages",
				"listTranslationSegments")...),
		"edit": deeds("updateTranslation", "deleteTranslation"),
	},
	"integration": {
		"admin": {{Operation: "publishIntegration", With: "a version"}, {Operation: "unpublishIntegration"},
			{Operation: "setIntegrationDevelopmentMode"}, {Operation: "disableIntegrationDevelopmentMode"}},
		"install": {{Operation: "installIntegration", With: "where they are admin"}},
	},
	"team": {
		"view": deeds("getTeamInOrganizationById", "listTeamMembersInOrganizationById"),
		"admin": deeds("updateTeamInOrganizationById", "addMemberToOrganizationTeamById",
			"deleteMemberFromOrganizationTeamById", "removeTeamFromOrganizationById"),
	},
}

// spaceReads are the operations that read a space, its content and its change requests.
var spaceReads = deeds("getSpaceById", "getCurrentRevision", "listPages", "getPageById", "evaluateInSpace",
	"getPageByPath",
	"getDocumentById", "listFiles", "getFileById",
	"listRevisions", "listPageRevisions", "listPageRedirects", "listPageRedirectsInChangeRequest",
	"listUndescribedPictures", "listUndescribedPicturesInChangeRequest",
	"getRevisionById", "getRevisionSemanticChanges", "listFilesInRevisionById",
	"getFileInRevisionById", "listPagesInRevisionById",
	"getPageInRevisionById", "getPageDocumentInRevisionById", "getPageInRevisionByPath", "getReusableContentById",
	"getReusableContentInRevisionById",
	"getReusableContentDocumentInRevisionById", "getReusableContentInChangeRequestById", "exportContent",
	"searchSpaceContent", "getImport", "getSpacePDF", "listSpacePageMetaLinks", "listRevisionPageMetaLinks",
	"listChangeRequestPageMetaLinks", "getEmbedByUrlInSpace",
	"getChangeRequestPDF", "listChangeRequestsForSpace", "getChangeRequestById", "getChangeRequestChanges",
	"getChangeRequestPageChanges", "comparePage", "readMarkdown",
	"getRevisionOfChangeRequestById",
	"listPagesInChangeRequest", "getPageInChangeRequestById", "evaluateInChangeRequest", "listLivePeople",
	"getPageInChangeRequestByPath",
	"listFilesInChangeRequestById", "getFileInChangeRequestById",
	"listRevisionsInChangeRequest", "listPageRevisionsInChangeRequest", "listChangeRequestConflicts",
	"getChangeRequestConflict",
	"getChangeRequestMergeChecks", "listChangeRequestEvents", "getChangeRequestReusableContentChanges",
	"compareReusableContent", "listChangeRequestPreviews", "previewChangeRequestAsVisitor",
	"getReviewsByChangeRequestId",
	"getChangeRequestReviewById",
	"getRequestedReviewersByChangeRequestId", "getContributorsByChangeRequestId", "listSpaceLinks",
	"listPageLinksInSpace", "listSpacePageBacklinks",
	"listSpaceFileBacklinks", "listReusableContentBacklinks", "listReusableContentBacklinksInChangeRequest",
	"listChangeRequestLinks",
	"listPageLinksInChangeRequest", "listChangeRequestPageBacklinks", "listChangeRequestFileBacklinks",
	"listCommentsInSpace", "listCommentersInSpace",
	"listCommentsInChangeRequest", "listCommentersInChangeRequest", "listSpaceIntegrations",
	"listSpaceIntegrationsBlocks", "listSpaceContentSources")

func deeds(operations ...string) []Deed {
	all := make([]Deed, len(operations))
	for i, operation := range operations {
		all[i].Operation = operation
	}
	return all
}

// links are the deeds with invite links to a kind of object.
func links(to string) []Deed {
	all := deeds("createOrganizationInvite", "getOrganizationInviteLink", "updateOrganizationInviteById",
		"deleteOrganizationInviteById")
	for i := range all {
		all[i].With = to
	}
	return all
}

// also are deeds that need a permission of another object.
func also(permission string, operations ...string) []Deed {
	all := deeds(operations...)
	for i := range all {
		all[i].Also = []string{permission}
	}
	return all
}

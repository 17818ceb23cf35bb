package app_test

import (
	"net/http"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// partA are the trials of the operations for spaces and their content.
var partA = map[string]trial{
	// Collections and spaces.
	"listCollectionsInOrganizationById": {least: apptest.Guest},
	"createCollection": {least: org.RoleCreate, body: `{"title":"New"}`,
		status: http.StatusCreated},
	"getCollectionById":    {least: org.RoleRead},
	"updateCollectionById": {least: org.RoleCreate, body: `{"title":"New"}`},
	"deleteCollectionById": {least: org.RoleAdmin, status: http.StatusResetContent},
	"moveCollection":       {least: org.RoleCreate, body: `{"parent":null}`},
	"transferCollection": {least: org.RoleAdmin, body: `{"organization":"{others}"}`,
		prepare: withoutSite},
	"listSpacesInCollectionById": {least: org.RoleRead},
	"inviteToCollection": {least: org.RoleCreate, body: `{"users":["{userId}"],"role":"comment"}`,
		status: http.StatusNoContent},
	"listPermissionsAggregateInCollection": {least: org.RoleEdit},
	"listTeamPermissionsInCollection":      {least: org.RoleEdit},
	"listUserPermissionsInCollection":      {least: org.RoleEdit},
	"updateUserPermissionInCollection": {least: org.RoleCreate, body: `{"role":"comment"}`,
		status: http.StatusNoContent},
	"removeUserFromCollection": {least: org.RoleCreate, status: http.StatusNoContent},
	"updateTeamPermissionInCollection": {least: org.RoleCreate, body: `{"role":"comment"}`,
		status: http.StatusNoContent},
	"removeTeamFromCollection": {least: org.RoleCreate, status: http.StatusNoContent},
	"updateTeamPermissionInSpace": {least: org.RoleCreate, body: `{"role":"comment"}`,
		status: http.StatusNoContent},
	"removeTeamFromSpace":          {least: org.RoleCreate, status: http.StatusNoContent},
	"listSpacesInOrganizationById": {least: apptest.Guest},
	"createSpace": {least: org.RoleCreate, body: `{"title":"New"}`,
		status: http.StatusCreated},
	"getSpaceById":    {least: org.RoleRead},
	"updateSpaceById": {least: org.RoleCreate, body: `{"title":"New"}`},
	"deleteSpaceById": {least: org.RoleAdmin, status: http.StatusNoContent},
	"listTrash":       {least: apptest.Guest},
	"restoreSpace":    {least: org.RoleAdmin, prepare: inTrash},
	"purgeSpace":      {least: org.RoleAdmin, prepare: inTrash, status: http.StatusNoContent},
	"duplicateSpace":  {least: org.RoleCreate, status: http.StatusCreated},
	"moveSpace":       {least: org.RoleCreate, body: `{"parent":null}`},
	"transferSpace": {least: org.RoleAdmin, body: `{"organization":"{others}"}`,
		prepare: withoutSite},
	"inviteToSpace": {least: org.RoleCreate, body: `{"users":["{userId}"],"role":"comment"}`,
		status: http.StatusNoContent},
	"listPermissionsAggregateInSpace": {least: org.RoleEdit},
	"listTeamPermissionsInSpace":      {least: org.RoleEdit},
	"listUserPermissionsInSpace":      {least: org.RoleEdit},
	"updateUserPermissionInSpace": {least: org.RoleCreate, body: `{"role":"comment"}`,
		status: http.StatusNoContent},
	"removeUserFromSpace": {least: org.RoleCreate, status: http.StatusNoContent},

	// Content.
	"getCurrentRevision":                     {least: org.RoleRead},
	"listPages":                              {least: org.RoleRead},
	"getPageById":                            {least: org.RoleRead},
	"evaluateInSpace":                        {least: org.RoleRead, query: "?expression=1"},
	"getPageByPath":                          {least: org.RoleRead},
	"getDocumentById":                        {least: org.RoleRead},
	"listFiles":                              {least: org.RoleRead},
	"getFileById":                            {least: org.RoleRead},
	"listRevisions":                          {least: org.RoleRead},
	"listPageRevisions":                      {least: org.RoleRead},
	"listPageRedirects":                      {least: org.RoleRead},
	"listUndescribedPictures":                {least: org.RoleRead},
	"listUndescribedPicturesInChangeRequest": {least: org.RoleRead},
	"getRevisionById":                        {least: org.RoleRead},
	"getRevisionSemanticChanges":             {least: org.RoleRead},
	"listFilesInRevisionById":                {least: org.RoleRead},
	"getFileInRevisionById":                  {least: org.RoleRead},
	"listPagesInRevisionById":                {least: org.RoleRead},
	"listSpacePageMetaLinks":                 {least: org.RoleRead},
	"listRevisionPageMetaLinks":              {least: org.RoleRead},
	"listChangeRequestPageMetaLinks":         {least: org.RoleRead},
	"getPageInRevisionById":                  {least: org.RoleRead},
	"getPageDocumentInRevisionById":          {least: org.RoleRead},
	"getPageInRevisionByPath":                {least: org.RoleRead},
	"exportContent":                          {least: org.RoleRead},
	"searchSpaceContent":                     {least: org.RoleRead, query: "?query=secret"},
	"searchOrganizationContent":              {least: apptest.Guest, query: "?query=secret"},
	"getSearchStatusOfOrganization":          {least: org.RoleAdmin},
	"refreshSearchOfOrganization":            {least: org.RoleAdmin, status: http.StatusAccepted},
	"updateSpaceContent": {least: org.RoleEdit,
		body: `{"changes":[{"operation":"insert_page","title":"New"}]}`},
	"replaceFile": {least: org.RoleEdit, body: "file"},
	"uploadFiles": {least: org.RoleEdit, body: "file", status: http.StatusCreated},
	"uploadContent": {least: org.RoleEdit, body: "text", query: "?name=a.md",
		status: http.StatusCreated},
	"importContent": {least: org.RoleEdit, body: `{"url":"{page}/x","source":"website"}`,
		status: http.StatusCreated},
	"importContentInPageById": {least: org.RoleEdit, body: `{"url":"{page}/x","source":"html"}`,
		status: http.StatusCreated},
	"rollbackSpace": {least: org.RoleReview},
	"listImports":   {least: apptest.Guest},
	"getImport":     {least: org.RoleRead},
	"cancelImport":  {least: org.RoleEdit, status: http.StatusConflict},

	"getReusableContentById":                   {least: org.RoleRead, prepare: withReusable},
	"getReusableContentInRevisionById":         {least: org.RoleRead, prepare: withReusable},
	"getReusableContentDocumentInRevisionById": {least: org.RoleRead, prepare: withReusable},
	"getReusableContentInChangeRequestById":    {least: org.RoleRead, prepare: withReusable},

	// Change requests.
	"listChangeRequestsForOrganization":      {least: apptest.Guest},
	"listChangeRequestsForSpace":             {least: org.RoleRead},
	"createChangeRequest":                    {least: org.RoleEdit, body: `{}`, status: http.StatusCreated},
	"getChangeRequestById":                   {least: org.RoleRead},
	"updateChangeRequestById":                {least: org.RoleEdit, body: `{"subject":"New"}`},
	"getChangeRequestChanges":                {least: org.RoleRead},
	"getChangeRequestPageChanges":            {least: org.RoleRead},
	"evaluateInChangeRequest":                {least: org.RoleRead, query: "?expression=1"},
	"comparePage":                            {least: org.RoleRead},
	"compareReusableContent":                 {least: org.RoleRead, prepare: withReusable},
	"getChangeRequestReusableContentChanges": {least: org.RoleRead, prepare: withReusable},
	"readMarkdown":                           {least: org.RoleRead, body: `{"markdown":"# A"}`},
	"getRevisionOfChangeRequestById":         {least: org.RoleRead},
	"updateChangeRequestContent": {least: org.RoleEdit,
		body: `{"changes":[{"operation":"insert_page","title":"New"}]}`},
	"movePagesToSpace": {least: org.RoleEdit, prepare: movable,
		body: `{"pages":["{moving}"],"target":{"space":"{movedTo}","changeRequest":"1"}}`},
	"openLivePage":                 {least: org.RoleEdit, status: http.StatusUpgradeRequired},
	"exchangeLivePage":             {least: org.RoleEdit, body: `{"client":"c","messages":[]}`},
	"listLivePeople":               {least: org.RoleRead},
	"listPagesInChangeRequest":     {least: org.RoleRead},
	"getPageInChangeRequestById":   {least: org.RoleRead},
	"getPageInChangeRequestByPath": {least: org.RoleRead},
	"listFilesInChangeRequestById": {least: org.RoleRead},
	"getFileInChangeRequestById":   {least: org.RoleRead},
	"replaceFileInChangeRequest":   {least: org.RoleEdit, body: "file"},
	"uploadFilesToChangeRequest":   {least: org.RoleEdit, body: "file", status: http.StatusCreated},
	"importContentInChangeRequest": {least: org.RoleEdit, body: `{"url":"{page}/x","source":"website"}`,
		status: http.StatusCreated},
	"getChangeRequestMergeChecks": {least: org.RoleRead},
	"listChangeRequestEvents":     {least: org.RoleRead},
	"listChangeRequestPreviews":   {least: org.RoleRead},
	// The site of the samples shows the same to everybody.
	"previewChangeRequestAsVisitor": {least: org.RoleRead, body: `{"siteSpace":"{siteSpaceId}"}`,
		status: http.StatusBadRequest},
	"listRevisionsInChangeRequest":     {least: org.RoleRead},
	"listPageRevisionsInChangeRequest": {least: org.RoleRead},
	"listPageRedirectsInChangeRequest": {least: org.RoleRead},
	"listChangeRequestConflicts":       {least: org.RoleRead},
	"getChangeRequestConflict":         {least: org.RoleRead, prepare: at("changeRequestId", "conflicting")},
	"settleChangeRequestConflict": {least: org.RoleEdit, body: `{"keep":"main"}`,
		prepare: at("changeRequestId", "conflicting")},
	"updateChangeRequest":         {least: org.RoleEdit},
	"mergeChangeRequest":          {least: org.RoleReview},
	"undoChangeRequest":           {least: org.RoleEdit, prepare: at("changeRequestId", "merged")},
	"getChangeRequestPDF":         {least: org.RoleRead},
	"getSpacePDF":                 {least: org.RoleRead},
	"getReviewsByChangeRequestId": {least: org.RoleRead},
	"getChangeRequestReviewById":  {least: org.RoleRead},
	"submitChangeRequestReview": {least: org.RoleReview, body: `{"status":"approved"}`,
		status: http.StatusCreated},
	"getRequestedReviewersByChangeRequestId":   {least: org.RoleRead},
	"requestReviewersForChangeRequest":         {least: org.RoleEdit, body: `{"users":["{userId}"]}`},
	"removeRequestedReviewerFromChangeRequest": {least: org.RoleEdit, status: http.StatusNoContent},
	"getContributorsByChangeRequestId":         {least: org.RoleRead},
	"getMergeRulesOfOrganization":              {least: apptest.Guest},
	"setMergeRulesOfOrganization":              {least: org.RoleAdmin, body: `{"type":"rules","rules":[]}`},

	// Links.
	"listSpaceLinks":                              {least: org.RoleRead},
	"listPageLinksInSpace":                        {least: org.RoleRead},
	"listSpacePageBacklinks":                      {least: org.RoleRead},
	"listSpaceFileBacklinks":                      {least: org.RoleRead},
	"listReusableContentBacklinks":                {least: org.RoleRead, prepare: withReusable},
	"listReusableContentBacklinksInChangeRequest": {least: org.RoleRead, prepare: withReusable},
	"listChangeRequestLinks":                      {least: org.RoleRead},
	"listPageLinksInChangeRequest":                {least: org.RoleRead},
	"listChangeRequestPageBacklinks":              {least: org.RoleRead},
	"listChangeRequestFileBacklinks":              {least: org.RoleRead},

	// Comments.
	"listCommentsInSpace":               {least: org.RoleRead},
	"listCommentersInSpace":             {least: org.RoleRead},
	"postCommentInSpace":                {least: org.RoleComment, body: `{"body":{"markdown":"Hm."}}`},
	"getCommentInSpace":                 {least: org.RoleRead},
	"updateCommentInSpace":              {least: org.RoleComment, body: `{"addedReactions":["👍"]}`},
	"deleteCommentInSpace":              {least: org.RoleReview, status: http.StatusNoContent},
	"listCommentRepliesInSpace":         {least: org.RoleRead},
	"postCommentReplyInSpace":           {least: org.RoleComment, body: `{"body":{"markdown":"Hm."}}`},
	"getCommentReplyInSpace":            {least: org.RoleRead},
	"updateCommentReplyInSpace":         {least: org.RoleComment, body: `{"addedReactions":["👍"]}`},
	"deleteCommentReplyInSpace":         {least: org.RoleReview, status: http.StatusNoContent},
	"listCommentsInChangeRequest":       {least: org.RoleRead},
	"listCommentersInChangeRequest":     {least: org.RoleRead},
	"postCommentInChangeRequest":        {least: org.RoleComment, body: `{"body":{"markdown":"Hm."}}`},
	"getCommentInChangeRequest":         {least: org.RoleRead, prepare: inRequest},
	"updateCommentInChangeRequest":      {least: org.RoleComment, body: `{"addedReactions":["👍"]}`, prepare: inRequest},
	"deleteCommentInChangeRequest":      {least: org.RoleReview, status: http.StatusResetContent, prepare: inRequest},
	"applyCommentInChangeRequest":       {least: org.RoleEdit, prepare: withSuggestion},
	"listCommentRepliesInChangeRequest": {least: org.RoleRead, prepare: inRequest},
	"postCommentReplyInChangeRequest": {least: org.RoleComment, body: `{"body":{"markdown":"Hm."}}`,
		prepare: inRequest},
	"getCommentReplyInChangeRequest":    {least: org.RoleRead, prepare: inRequest},
	"updateCommentReplyInChangeRequest": {least: org.RoleComment, body: `{"addedReactions":["👍"]}`, prepare: inRequest},
	"deleteCommentReplyInChangeRequest": {least: org.RoleReview, status: http.StatusNoContent, prepare: inRequest},

	// OpenAPI specifications.
	"listOpenAPISpecs": {least: org.RoleRead},
	"createOpenAPISpec": {least: org.RoleCreate,
		body: `{"slug":"new-spec","source":{"text":"openapi: 3.1.0"}}`, status: http.StatusCreated},
	"getOpenAPISpecBySlug":                  {least: org.RoleRead},
	"createOrUpdateOpenAPISpecBySlug":       {least: org.RoleCreate, body: `{"source":{"text":"openapi: 3.1.0"}}`},
	"deleteOpenAPISpecBySlug":               {least: org.RoleCreate, status: http.StatusResetContent},
	"listOpenAPISpecVersions":               {least: org.RoleRead},
	"getLatestOpenAPISpecVersion":           {least: org.RoleRead},
	"getLatestOpenAPISpecVersionContent":    {least: org.RoleRead},
	"getLatestOpenAPISpecVersionContentRaw": {least: org.RoleRead},
	"getOpenAPISpecVersionById":             {least: org.RoleRead},
	"getOpenAPISpecVersionContentById":      {least: org.RoleRead},
}

// at lets a parameter stand for another sample.
func at(name, sample string) func(*apptest.Server, map[string]string) {
	return func(_ *apptest.Server, samples map[string]string) { samples[name] = samples[sample] }
}

// inRequest lets comments be those of the change request.
func inRequest(_ *apptest.Server, samples map[string]string) {
	samples["commentId"], samples["commentReplyId"] = samples["requestComment"], samples["requestReply"]
}

// withSuggestion lets the comment be one of the change request that suggests another text.
func withSuggestion(s *apptest.Server, samples map[string]string) {
	var made apptest.Identified
	s.Call(http.MethodPost, "/v1/spaces/"+samples["spaceId"]+"/change-requests/"+samples["changeRequestId"]+"/comments",
		`{"page":"`+samples["pageId"]+`","range":{"quote":"Two"},"suggestion":{"text":"2"},"body":{}}`, http.StatusOK,
		&made)
	samples["commentId"] = made.ID
}

// movable makes a page in the change request, and a space beside that of it for the page to move to.
func movable(s *apptest.Server, samples map[string]string) {
	var target apptest.Identified
	s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/spaces", `{"title":"Target","parent":"`+
		samples["collectionId"]+`"}`, http.StatusCreated, &target)
	s.Call(http.MethodPost, "/v1/spaces/"+target.ID+"/change-requests", `{}`, http.StatusCreated, nil)
	var update struct {
		Changes []struct{ Page apptest.Identified }
	}
	s.Call(http.MethodPost, "/v1/spaces/"+samples["spaceId"]+"/change-requests/"+samples["changeRequestId"]+
		"/content?compat=false", `{"changes":[{"operation":"insert_page","title":"Moving"}]}`, http.StatusOK, &update)
	samples["movedTo"], samples["moving"] = target.ID, update.Changes[0].Page.ID
}

// inTrash deletes the space.
func inTrash(s *apptest.Server, samples map[string]string) {
	s.Call(http.MethodDelete, "/v1/spaces/"+samples["spaceId"], nil, http.StatusNoContent, nil)
}

// withoutSite puts another space in the place of the one that a site publishes: such a one cannot go elsewhere.
func withoutSite(s *apptest.Server, samples map[string]string) {
	var made apptest.Identified
	s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/collections", `{"title":"Free"}`, http.StatusCreated, &made)
	samples["collectionId"] = made.ID
	s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/spaces", `{"title":"Free","parent":"`+made.ID+`"}`,
		http.StatusCreated, &made)
	samples["spaceId"] = made.ID
}

// withReusable puts a space with reusable content in the place of the other.
func withReusable(s *apptest.Server, samples map[string]string) {
	samples["spaceId"] = s.Space("Reusing")
	path := "/v1/spaces/" + samples["spaceId"]
	s.Upload(samples["spaceId"], "reusing.zip", apptest.Zipped(s.T, map[string]string{
		"README.md":                 "# Including\n\n{% include \".gitbook/includes/note.md\" %}\n",
		".gitbook/includes/note.md": "---\ntitle: Note\n---\n\nShared.\n",
	}))
	var now struct {
		ID               string
		ReusableContents []apptest.Identified
	}
	s.Call(http.MethodGet, path+"/content", nil, http.StatusOK, &now)
	samples["revisionId"], samples["reusableContentId"] = now.ID, now.ReusableContents[0].ID
	s.Call(http.MethodPost, path+"/change-requests", `{}`, http.StatusCreated, nil)
	samples["changeRequestId"] = "1"
}

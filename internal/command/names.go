package command

import (
	"net/http"
	"slices"
	"strings"
	"unicode"
)

// organizationParameter is the parameter that is a flag and no argument, because most people have one organization.
const organizationParameter = "organizationId"

// segmentNames are segments of paths whose name the rule would spoil.
var segmentNames = map[string]string{
	"orgs": "org", "org": "org", "user": "me", "change-requests": "change", "changes": "diff", "openapi": "spec",
	"installation_status": "status", "installations-status": "status",
}

// promoted are nouns that stand alone behind a space: recto page get, not recto space page get.
var promoted = []string{"change", "page", "file", "revision", "comment"}

// verbs are first words of operations' ids that have a plainer name.
var verbs = map[string]string{"post": "create", "request": "add", "withdraw": "delete"}

// exceptions are operations whose name by the rule reads badly or is taken.
var exceptions = map[string]string{
	"listChangeRequestsForOrganization":  "org change list",
	"listOrganizationIntegrations":       "org integration list",
	"createOrUpdateOpenAPISpecBySlug":    "spec put",
	"movePagesToSpace":                   "change page move",
	"previewChangeRequestAsVisitor":      "change preview create",
	"comparePage":                        "page compare",
	"compareReusableContent":             "space reusable-content compare",
	"endOtherSessions":                   "me session end-others",
	"getOrganizationLogo":                "org logo get",
	"getSearchStatusOfOrganization":      "org search-status get",
	"refreshSearchOfOrganization":        "org search-status refresh",
	"listImports":                        "org import list",
	"getImport":                          "org import get",
	"cancelImport":                       "org import delete",
	"updateOrganizationMemberLastSeenAt": "org ping",
	"markNotifications":                  "notification mark",
	"getPageByPath":                      "page find",
	"getPageInChangeRequestByPath":       "change page find",
	"getPageInRevisionByPath":            "revision page find",
	"downloadFile":                       "file download",
	"evaluateInChangeRequest":            "change page evaluate",
	"updateChangeRequest":                "change bring-up-to-date",
	"getSpacePDF":                        "space pdf",
	"getChangeRequestPDF":                "change pdf",
	"getContentByUrl":                    "url content",
	"getPublishedContentByUrl":           "url published",
	"resolvePublishedContentByUrl":       "url resolve",
	"getCurrentRevision":                 "space content get",
	"inviteUsersToOrganization":          "invite create",
	"joinOrganizationWithInvite":         "invite accept",
	"createOrganizationInvite":           "link-invite create",
	"getSiteRedirectBySource":            "site redirect find",
	"publishIntegration":                 "integration put",
	"renderIntegrationUIWithGet":         "integration render-by-address",
	"setIntegrationDevelopmentMode":      "integration development set",
	"disableIntegrationDevelopmentMode":  "integration development delete",
}

// Name returns the words of an operation's command, the verb last. The nouns are the path's own words in the singular:
// "org" is left out before others, and so are "space" before what stands alone (see promoted) and "content" before
// anything. The verb is list for a list, get, update (PATCH) or delete (DELETE); for POST and PUT, and for a GET that
// neither gets nor lists, it is the first word of the operation's id, and a path that ends with that word loses it:
// POST …/change-requests/{id}/merge is "change merge".
func Name(op Operation) []string {
	if name, ok := exceptions[op.ID]; ok {
		return strings.Fields(name)
	}
	segments := strings.Split(strings.TrimPrefix(op.Path, "/v1/"), "/")
	first := firstWord(op.ID)
	verb := first
	switch op.Method {
	case http.MethodPatch:
		verb = "update"
	case http.MethodDelete:
		verb = "delete"
	case http.MethodGet:
		switch {
		case op.List && (first == "get" || first == "list"):
			verb = "list"
		case first == "list":
			verb = "list"
		}
	}
	if plain, ok := verbs[verb]; ok {
		verb = plain
	}
	var nouns []string
	for i, segment := range segments {
		if strings.HasPrefix(segment, "{") {
			continue
		}
		if i == len(segments)-1 && segment == first {
			verb = segment
			continue
		}
		nouns = append(nouns, noun(segment))
	}
	if len(nouns) > 1 && nouns[0] == "org" {
		nouns = nouns[1:]
	}
	if at := slices.Index(nouns, "content"); at >= 0 && at < len(nouns)-1 {
		nouns = slices.Delete(nouns, at, at+1)
	}
	if len(nouns) > 1 && nouns[0] == "space" && slices.Contains(promoted, nouns[1]) {
		nouns = nouns[1:]
	}
	return append(nouns, verb)
}

// noun returns a segment of a path as a word in the singular.
func noun(segment string) string {
	if name, ok := segmentNames[segment]; ok {
		return name
	}
	switch {
	case strings.HasSuffix(segment, "ies"):
		segment = strings.TrimSuffix(segment, "ies") + "y"
	case strings.HasSuffix(segment, "ss"), strings.HasSuffix(segment, "us"):
	default:
		segment = strings.TrimSuffix(segment, "s")
	}
	return strings.ReplaceAll(segment, "_", "-")
}

// firstWord returns the first word of a name in camel case.
func firstWord(name string) string {
	for i, r := range name {
		if unicode.IsUpper(r) {
			return name[:i]
		}
	}
	return name
}

// kebab returns a name in camel case with dashes: withDefaultSite is with-default-site.
func kebab(name string) string {
	var out strings.Builder
	upper := true // what comes before the first letter
	for _, r := range name {
		switch {
		case r == '.' || r == '_':
			out.WriteByte('-')
			upper = true
			continue
		case unicode.IsUpper(r) && !upper:
			out.WriteByte('-')
		}
		upper = unicode.IsUpper(r)
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// argument returns the name of an argument: CHANGE-REQUEST for changeRequestId.
func argument(parameter string) string {
	return strings.ToUpper(kebab(strings.TrimSuffix(parameter, "Id")))
}

package account

import (
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
)

// Agent is an integration that calls in its own name, with a token that the server has given it. Its caller has no
// user. It reaches what it is installed on and nothing else, and may do what the scopes of its manifest name. All of
// it is text, so that callers can be compared.
type Agent struct {
	// Integration is the id of the integration; "" for callers who are people. Name is its name.
	Integration id.Integration
	Name        string
	// Installation is the id of the organization's installation that the token stands for; "" for a token of the
	// integration itself, which reaches no organization.
	Installation string
	// Organization is that of the installation.
	Organization id.Organization
	// Scopes are those of the manifest, with spaces between them.
	Scopes string
	// Spaces and Sites are the ids that the installation takes in, with spaces between them; Everything stands for all.
	Spaces, Sites string
}

// Everything stands for all spaces or sites of an organization.
const Everything = "*"

// IsAgent reports whether an integration calls.
func (c Caller) IsAgent() bool { return c.Agent.Integration != "" }

// Has reports whether the manifest names one of the scopes.
func (a Agent) Has(scopes ...string) bool {
	own := strings.Fields(a.Scopes)
	return slices.ContainsFunc(scopes, func(scope string) bool { return slices.Contains(own, scope) })
}

// ReachesSpace reports whether the installation takes a space of its organization in.
func (a Agent) ReachesSpace(spaceID id.Space) bool { return reaches(a.Spaces, string(spaceID)) }

// ReachesSite reports whether the installation takes a site of its organization in.
func (a Agent) ReachesSite(siteID id.Site) bool { return reaches(a.Sites, string(siteID)) }

func reaches(list, one string) bool {
	return list == Everything || one != "" && slices.Contains(strings.Fields(list), one)
}

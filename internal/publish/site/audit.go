package site

import "github.com/rectodocs/recto/internal/people/audit"

func siteTarget(site Site) audit.Target {
	return audit.Target{Kind: "site", ID: string(site.ID), Title: site.Title}
}

// details are what the audit log says of a change: what was and what is.
func (c Change) details(before, after Site) map[string]any {
	details := map[string]any{}
	note := func(name string, from, to any) {
		if from != to {
			details[name] = map[string]any{"from": from, "to": to}
		}
	}
	note("title", before.Title, after.Title)
	note("visibility", string(before.Visibility), string(after.Visibility))
	note("basename", before.Basename, after.Basename)
	note("hostname", before.Hostname, after.Hostname)
	note("proxy", before.Proxy, after.Proxy)
	note("adaptiveContent", before.AdaptiveContent, after.AdaptiveContent)
	note("agentsContext", string(before.AgentsContext), string(after.AgentsContext))
	if spaceID, ok := c.DefaultSiteSpace.Get(); ok {
		details["defaultSiteSpace"] = spaceID
	}
	if sectionID, ok := c.DefaultSiteSection.Get(); ok {
		details["defaultSiteSection"] = sectionID
	}
	return details
}

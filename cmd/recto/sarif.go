package main

import "net/url"

// What follows is the part of the Static Analysis Results Interchange Format, version 2.1.0 (OASIS), that a check
// needs. Services that host code show it beside the lines.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool    sarifTool     `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string    `json:"id"`
	ShortDescription sarifText `json:"shortDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	RuleIndex int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

type sarifLocation struct {
	PhysicalLocation sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	ArtifactLocation sarifArtifact `json:"artifactLocation"`
	Region           *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

// sarifRules are the rules of a check.
var sarifRules = []sarifRule{
	{"broken-link", sarifText{"A link or an image leads to no page and no file."}},
	{"broken-anchor", sarifText{"A link leads to a place that its page does not have."}},
	{"broken-operation", sarifText{"A page shows an operation that the description of the API does not have."}},
	{"not-understood", sarifText{"Something has no counterpart and is kept as text, or left out."}},
	{"left-out", sarifText{"A file becomes no page."}},
}

// sarif writes what was found as one run.
func sarif(result checked, version string) sarifLog {
	results := []sarifResult{}
	for _, each := range result.Findings {
		message := each.Message
		if each.Target != "" {
			message = each.Target + ": " + message
		}
		made := sarifResult{RuleID: each.Rule, Level: each.Severity, Message: sarifText{message}}
		for n, rule := range sarifRules {
			if rule.ID == each.Rule {
				made.RuleIndex = n
			}
		}
		location := sarifPhysical{ArtifactLocation: sarifArtifact{(&url.URL{Path: each.File}).String()}}
		if each.Line > 0 {
			location.Region = &sarifRegion{each.Line}
		}
		made.Locations = []sarifLocation{{location}}
		results = append(results, made)
	}
	return sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0",
		Runs: []sarifRun{{
			Tool:    sarifTool{sarifDriver{Name: "Recto", Version: version, Rules: sarifRules}},
			Results: results,
		}},
	}
}

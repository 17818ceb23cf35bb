package oas

import (
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// securityBlocks says how to sign a request: each way, with what is needed together, and where to get it.
func (o *Operation) securityBlocks(b *Budget) []*doc.Node {
	ways := o.Security()
	if len(ways) == 0 {
		return nil
	}
	list := doc.NewBlock(doc.ListUnordered, nil)
	for _, together := range ways {
		var parts, about []*doc.Node
		for i, c := range together {
			if i > 0 {
				parts = append(parts, doc.NewText(" and "))
			}
			parts = append(parts, bold(c.Name), doc.NewText(": "+c.explain()))
			about = append(about, prose(c.Description, b)...)
			about = append(about, c.sources()...)
		}
		if len(together) == 0 {
			parts = []*doc.Node{doc.NewText("none")}
		}
		item := append([]*doc.Node{doc.NewParagraph(parts...)}, about...)
		list.Nodes = append(list.Nodes, doc.NewBlock(doc.ListItem, nil, item...))
	}
	return []*doc.Node{heading("Authorization"), list}
}

// explain says in a few words where a credential goes.
func (c Credential) explain() string {
	text := clean(c.Kind)
	switch {
	case c.Kind == "http" && c.Scheme == "basic":
		text = "user name and password, in the header Authorization"
	case c.Kind == "http":
		text = clean(c.Scheme) + " token in the header Authorization"
	case c.Kind == "apiKey":
		text = "API key in the " + clean(c.In) + " parameter " + clean(c.Parameter)
		if c.In == "header" || c.In == "cookie" {
			text = "API key in the " + c.In + " " + clean(c.Parameter)
		}
	case c.Kind == "oauth2":
		text = "OAuth 2.0 token in the header Authorization"
	case c.Kind == "openIdConnect":
		text = "OpenID Connect token in the header Authorization"
	case c.Kind == "mutualTLS":
		text = "TLS certificate of the client"
	}
	if len(c.Scopes) > 0 {
		text += "; scopes " + clean(strings.Join(c.Scopes, ", "))
	}
	return text
}

// flowNames are the ways to get a token, for people.
var flowNames = map[string]string{
	"authorizationCode": "authorization code", "implicit": "implicit", "password": "password",
	"clientCredentials": "client credentials", "deviceAuthorization": "device",
}

// sources says where a token comes from.
func (c Credential) sources() []*doc.Node {
	var lines []*doc.Node
	for _, flow := range c.Flows {
		name := flowNames[flow.Kind]
		if name == "" {
			continue
		}
		line := []*doc.Node{doc.NewText("Flow: " + name)}
		if flow.AuthorizationURL != "" {
			line = append(line, doc.NewText(", authorize at "), code(flow.AuthorizationURL))
		}
		if flow.Token != "" {
			line = append(line, doc.NewText(", token from "), code(flow.Token))
		}
		lines = append(lines, doc.NewParagraph(append(line, doc.NewText("."))...))
	}
	if c.Discovery != "" {
		lines = append(lines, doc.NewParagraph(doc.NewText("Described at "), code(c.Discovery), doc.NewText(".")))
	}
	return lines
}

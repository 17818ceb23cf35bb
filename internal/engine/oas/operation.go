package oas

import (
	"strings"
)

// Parameter is a value that goes with a request beside its body, or a header of a response.
type Parameter struct {
	Name string
	// In is query, header, path or cookie; "" for a header of a response.
	In string
	// Description is Markdown.
	Description          string
	Required, Deprecated bool
	Schema               *Schema
	// Example is a value as JSON, nil when the description gives none.
	Example *Node
}

// Body is the body of a request or response.
type Body struct {
	Description string
	Required    bool
	Content     []Media
}

// Media is one form that a body can have.
type Media struct {
	// Type is the media type.
	Type     string
	Schema   *Schema
	Examples []Example
}

// Example is a sample of a value.
type Example struct {
	// Name is how the description calls it, Summary what it says of it; both are "" for the only one.
	Name, Summary string
	Value         *Node
}

// Response is one answer of an operation.
type Response struct {
	// Status is a code, a range such as 4XX, or default.
	Status, Description string
	Headers             []Parameter
	Content             []Media
}

// maxParts bounds the parameters, responses, media types and examples of one operation that are looked at.
const maxParts = 200

// Parameters returns the parameters of an operation: its own before those of the path, which they replace.
func (o *Operation) Parameters(b *Budget) []Parameter {
	var parameters []Parameter
	seen := map[[2]string]bool{}
	for _, list := range [][]*Node{o.node.list("parameters"), o.item.list("parameters")} {
		for _, n := range list {
			n = n.follow()
			if n == nil || n.Kind != Object || len(parameters) >= maxParts {
				continue
			}
			key := [2]string{n.text("in"), n.text("name")}
			if seen[key] {
				continue
			}
			seen[key] = true
			p := parameterOf(n, b)
			p.Name, p.In = key[1], key[0]
			parameters = append(parameters, p)
		}
	}
	return parameters
}

func parameterOf(n *Node, b *Budget) Parameter {
	p := Parameter{
		Description: n.text("description"), Required: n.flag("required"), Deprecated: n.flag("deprecated"),
		Schema: schemaFrom(n.Get("schema"), inModel, b), Example: n.Get("example"),
	}
	if content := n.object("content"); p.Schema == nil && content != nil && len(content.Items) > 0 {
		p.Schema = schemaFrom(content.Items[0].Get("schema"), inModel, b)
	}
	if examples := n.object("examples"); p.Example == nil && examples != nil && len(examples.Items) > 0 {
		p.Example = examples.Items[0].follow().Get("value")
	}
	if p.Example == nil && p.Schema != nil {
		p.Example = p.Schema.Example
	}
	return p
}

// Body returns the body of the request; nil when there is none.
func (o *Operation) Body(b *Budget) *Body {
	n := o.node.Get("requestBody").follow()
	if n == nil || n.Kind != Object {
		return nil
	}
	as := inRequest
	if o.Webhook {
		as = inResponse // what a webhook sends is what its receiver gets
	}
	return &Body{Description: n.text("description"), Required: n.flag("required"), Content: contentFrom(n, as, b)}
}

func contentFrom(n *Node, as use, b *Budget) []Media {
	content := n.object("content")
	if content == nil {
		return nil
	}
	var media []Media
	for i, item := range content.Items {
		if item.Kind != Object || len(media) >= 10 {
			continue
		}
		m := Media{Type: content.Keys[i].Text, Schema: schemaFrom(item.Get("schema"), as, b)}
		if example := item.Get("example"); example != nil {
			m.Examples = []Example{{Value: example}}
		} else if examples := item.object("examples"); examples != nil {
			for j, example := range examples.Items {
				example = example.follow()
				if value := example.Get("value"); value != nil && len(m.Examples) < 10 {
					m.Examples = append(m.Examples, Example{Name: examples.Keys[j].Text,
						Summary: example.text("summary"), Value: value})
				}
			}
		}
		media = append(media, m)
	}
	return media
}

// Responses returns the answers of an operation in the order of the description.
func (o *Operation) Responses(b *Budget) []Response {
	list := o.node.object("responses")
	if list == nil {
		return nil
	}
	var responses []Response
	for i, key := range list.Keys {
		n := list.Items[i].follow()
		if n == nil || n.Kind != Object || strings.HasPrefix(key.Text, "x-") || len(responses) >= maxParts {
			continue
		}
		response := Response{Status: key.Text, Description: n.text("description"),
			Content: contentFrom(n, inResponse, b)}
		if headers := n.object("headers"); headers != nil {
			for j, header := range headers.Items {
				if header = header.follow(); header != nil && header.Kind == Object &&
					len(response.Headers) < maxParts {
					p := parameterOf(header, b)
					p.Name = headers.Keys[j].Text
					response.Headers = append(response.Headers, p)
				}
			}
		}
		responses = append(responses, response)
	}
	return responses
}

// Server returns the address that the operation is at, "" when the description names none.
func (o *Operation) Server() string {
	for _, n := range []*Node{o.node, o.item, o.document.root()} {
		if servers := serversOf(n); len(servers) > 0 {
			return strings.TrimRight(servers[0].URL, "/")
		}
	}
	return ""
}

// Credential is one way to sign a request.
type Credential struct {
	// Name is what the description calls it.
	Name string
	// Kind is http, apiKey, oauth2, openIdConnect or mutualTLS; Scheme that of http, in lower case (bearer, basic).
	Kind, Scheme string
	// In and Parameter say where an API key goes: header, query or cookie, and under which name.
	In, Parameter string
	Description   string
	Scopes        []string
	// Flows are the ways to get a token of OAuth 2.0. Discovery is the address where OpenID Connect describes itself.
	Flows     []Flow
	Discovery string
}

// Flow is a way to get a token of OAuth 2.0.
type Flow struct {
	// Kind is authorizationCode, implicit, password, clientCredentials or deviceAuthorization.
	Kind                    string
	AuthorizationURL, Token string
}

// Security returns the ways to sign a request, each a list of credentials that are needed together. An empty list among
// them means that none is needed.
func (o *Operation) Security() [][]Credential {
	root := o.document.root()
	list := root.Get("security")
	if own := o.node.Get("security"); own != nil {
		list = own
	}
	if list == nil || list.Kind != List {
		return nil
	}
	schemes := root.object("components").object("securitySchemes")
	var ways [][]Credential
	for _, requirement := range list.Items {
		if requirement.Kind != Object || len(ways) >= 10 {
			continue
		}
		var together []Credential
		for i, key := range requirement.Keys {
			scheme := schemes.Get(key.Text).follow()
			if scheme == nil || i >= 10 {
				continue
			}
			credential := Credential{
				Name: key.Text, Kind: scheme.text("type"), Scheme: strings.ToLower(scheme.text("scheme")),
				In: scheme.text("in"), Parameter: scheme.text("name"), Description: scheme.text("description"),
			}
			credential.Discovery = scheme.text("openIdConnectUrl")
			if flows := scheme.object("flows"); flows != nil {
				for j, flow := range flows.Items {
					if flow.Kind == Object && len(credential.Flows) < 10 {
						credential.Flows = append(credential.Flows, Flow{Kind: flows.Keys[j].Text,
							AuthorizationURL: flow.text("authorizationUrl"), Token: flow.text("tokenUrl")})
					}
				}
			}
			for _, scope := range requirement.Items[i].Items {
				if scope.Kind == String && len(credential.Scopes) < 50 {
					credential.Scopes = append(credential.Scopes, scope.Text)
				}
			}
			together = append(together, credential)
		}
		ways = append(ways, together)
	}
	return ways
}

// Callback is a request that the API sends in the course of an operation.
type Callback struct {
	// Name is what the description calls it; the path of the operation is the expression that says where it goes.
	Name      string
	Operation *Operation
}

// Callbacks returns the requests that the API sends in the course of the operation.
func (o *Operation) Callbacks() []Callback {
	list := o.node.object("callbacks")
	if list == nil {
		return nil
	}
	var callbacks []Callback
	for i, key := range list.Keys {
		for _, operation := range o.document.operationsOf(list.Items[i].follow(), true) {
			if len(callbacks) < maxCallbacks && !strings.HasPrefix(key.Text, "x-") {
				callbacks = append(callbacks, Callback{Name: key.Text, Operation: operation})
			}
		}
	}
	return callbacks
}

// maxCallbacks bounds the callbacks of one operation.
const maxCallbacks = 20

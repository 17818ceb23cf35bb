package oas

import (
	"net/url"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/engine/snippet"
)

// Samples returns an example request in several languages.
func (o *Operation) Samples(b *Budget) []snippet.Sample {
	r := o.request(b)
	return r.Samples()
}

// request is an operation as a program asks for it.
type request struct{ snippet.Request }

func (o *Operation) request(b *Budget) request {
	r := request{}
	r.Method = strings.ToUpper(o.Method)
	server := o.Server()
	if !strings.Contains(server, "://") {
		server = "https://api.example.com" + server
	}
	path := o.Path
	var query []string
	for _, p := range o.Parameters(b) {
		value := parameterSample(p)
		switch p.In {
		case "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(value))
		case "query":
			if p.Required && len(query) < 20 {
				query = append(query, url.QueryEscape(p.Name)+"="+url.QueryEscape(value))
			}
		case "header":
			if p.Required && len(r.Headers) < 20 {
				r.Headers = append(r.Headers, [2]string{p.Name, value})
			}
		}
	}
	if ways := o.Security(); len(ways) > 0 {
		for _, c := range ways[0] {
			r.sign(c, &query)
		}
	}
	r.Address = server + path
	if len(query) > 0 {
		r.Address += "?" + strings.Join(query, "&")
	}
	if body := o.Body(b); body != nil {
		r.setBody(preferred(body.Content))
	}
	return r
}

func parameterSample(p Parameter) string {
	value := p.Example
	if value == nil {
		value = ExampleOf(p.Schema)
	}
	for value != nil && value.Kind == List && len(value.Items) > 0 {
		value = value.Items[0]
	}
	if value == nil || !value.scalar() || value.Text == "" || value.Text == "text" {
		return strings.ToUpper(strings.NewReplacer("-", "_", " ", "_").Replace(clean(p.Name)))
	}
	return clean(value.Text)
}

// sign adds what a credential asks for.
func (r *request) sign(c Credential, query *[]string) {
	switch {
	case c.Kind == "http" && c.Scheme == "basic":
		r.Headers = append(r.Headers, [2]string{"Authorization", "Basic YOUR_CREDENTIALS"})
	case c.Kind == "http" || c.Kind == "oauth2" || c.Kind == "openIdConnect":
		r.Headers = append(r.Headers, [2]string{"Authorization", "Bearer YOUR_TOKEN"})
	case c.Kind == "apiKey" && c.In == "header":
		r.Headers = append(r.Headers, [2]string{c.Parameter, "YOUR_API_KEY"})
	case c.Kind == "apiKey" && c.In == "query":
		*query = append(*query, url.QueryEscape(c.Parameter)+"=YOUR_API_KEY")
	case c.Kind == "apiKey" && c.In == "cookie":
		r.Headers = append(r.Headers, [2]string{"Cookie", c.Parameter + "=YOUR_API_KEY"})
	}
}

func (r *request) setBody(media *Media) {
	if media == nil {
		return
	}
	sample := sampleOf(*media)
	kind, _, _ := strings.Cut(strings.ToLower(media.Type), ";")
	r.Multipart = kind == "multipart/form-data"
	if sample != nil && sample.Kind == Object && (r.Multipart || kind == "application/x-www-form-urlencoded") {
		for i, item := range sample.Items {
			value := clean(item.Text)
			if !item.scalar() {
				value = compact(item)
			}
			if r.Multipart && media.Schema != nil && isFile(media.Schema, sample.Keys[i].Text) {
				value = "@file"
			}
			r.Form = append(r.Form, [2]string{sample.Keys[i].Text, value})
		}
		return
	}
	r.Multipart = false
	r.Headers = append(r.Headers, [2]string{"Content-Type", clean(media.Type)})
	switch {
	case sample == nil:
	case sample.Kind == String && !isJSON(media.Type):
		r.Body = clean(sample.Text)
	default:
		r.Body = indented(sample)
	}
}

func isFile(s *Schema, name string) bool {
	i := slices.IndexFunc(s.Properties, func(p Property) bool { return p.Name == name })
	return i >= 0 && s.Properties[i].Schema != nil && s.Properties[i].Schema.Format == "binary"
}

func compact(n *Node) string {
	w := &writer{limit: maxExample}
	if err := w.value(n, 0); err != nil {
		return "…"
	}
	return w.out.String()
}

package oas

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Sample is a request as a program sends it.
type Sample struct {
	// Title names the language for people, Syntax for highlighting.
	Title, Syntax, Code string
}

// request is what the samples of an operation have in common.
type request struct {
	method, address string
	headers         [][2]string
	body            string      // of another kind than a form
	form            [][2]string // fields; a value that begins with "@" is a file
	multipart       bool
}

// Samples returns an example request in curl, JavaScript, Python, Go, Java, PHP, Ruby and C#.
func (o *Operation) Samples(b *Budget) []Sample {
	r := o.request(b)
	return []Sample{
		{"curl", "bash", r.curl()}, {"JavaScript", "javascript", r.javaScript()}, {"Python", "python", r.python()},
		{"Go", "go", r.goCode()}, {"Java", "java", r.java()}, {"PHP", "php", r.php()}, {"Ruby", "ruby", r.ruby()},
		{"C#", "csharp", r.cSharp()},
	}
}

func (o *Operation) request(b *Budget) request {
	r := request{method: strings.ToUpper(o.Method)}
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
			if p.Required && len(r.headers) < 20 {
				r.headers = append(r.headers, [2]string{p.Name, value})
			}
		}
	}
	if ways := o.Security(); len(ways) > 0 {
		for _, c := range ways[0] {
			r.sign(c, &query)
		}
	}
	r.address = server + path
	if len(query) > 0 {
		r.address += "?" + strings.Join(query, "&")
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
		r.headers = append(r.headers, [2]string{"Authorization", "Basic YOUR_CREDENTIALS"})
	case c.Kind == "http" || c.Kind == "oauth2" || c.Kind == "openIdConnect":
		r.headers = append(r.headers, [2]string{"Authorization", "Bearer YOUR_TOKEN"})
	case c.Kind == "apiKey" && c.In == "header":
		r.headers = append(r.headers, [2]string{c.Parameter, "YOUR_API_KEY"})
	case c.Kind == "apiKey" && c.In == "query":
		*query = append(*query, url.QueryEscape(c.Parameter)+"=YOUR_API_KEY")
	case c.Kind == "apiKey" && c.In == "cookie":
		r.headers = append(r.headers, [2]string{"Cookie", c.Parameter + "=YOUR_API_KEY"})
	}
}

func (r *request) setBody(media *Media) {
	if media == nil {
		return
	}
	sample := sampleOf(*media)
	kind, _, _ := strings.Cut(strings.ToLower(media.Type), ";")
	r.multipart = kind == "multipart/form-data"
	if sample != nil && sample.Kind == Object && (r.multipart || kind == "application/x-www-form-urlencoded") {
		for i, item := range sample.Items {
			value := clean(item.Text)
			if !item.scalar() {
				value = compact(item)
			}
			if r.multipart && media.Schema != nil && isFile(media.Schema, sample.Keys[i].Text) {
				value = "@file"
			}
			r.form = append(r.form, [2]string{sample.Keys[i].Text, value})
		}
		return
	}
	r.multipart = false
	r.headers = append(r.headers, [2]string{"Content-Type", clean(media.Type)})
	switch {
	case sample == nil:
	case sample.Kind == String && !isJSON(media.Type):
		r.body = clean(sample.Text)
	default:
		r.body = indented(sample)
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

// oneLine keeps a header's value from breaking out of its line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// shell quotes a text for a POSIX shell.
func shell(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func (r *request) curl() string {
	lines := []string{"curl"}
	if r.method != "GET" {
		lines[0] += " -X " + r.method
	}
	lines[0] += " " + shell(r.address)
	for _, h := range r.headers {
		lines = append(lines, "-H "+shell(oneLine(h[0])+": "+oneLine(h[1])))
	}
	for _, f := range r.form {
		option := "--data-urlencode "
		if r.multipart {
			option = "-F "
		}
		lines = append(lines, option+shell(f[0]+"="+f[1]))
	}
	if r.body != "" {
		lines = append(lines, "-d "+shell(r.body))
	}
	return strings.Join(lines, " \\\n  ")
}

// quote writes a text as a literal of JavaScript, Python and Go alike.
func quote(text string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a text always encodes
	return strings.TrimSuffix(b.String(), "\n")
}

func (r *request) javaScript() string {
	var b strings.Builder
	if len(r.form) > 0 {
		kind := "URLSearchParams"
		if r.multipart {
			kind = "FormData"
		}
		b.WriteString("const form = new " + kind + "();\n")
		for _, f := range r.form {
			value := quote(f[1])
			if f[1] == "@file" {
				value = "file"
			}
			b.WriteString("form.append(" + quote(f[0]) + ", " + value + ");\n")
		}
		b.WriteString("\n")
	}
	b.WriteString("const response = await fetch(" + quote(r.address))
	if r.method != "GET" || len(r.headers) > 0 || len(r.form) > 0 || r.body != "" {
		b.WriteString(", {\n  method: " + quote(r.method) + ",\n")
		if len(r.headers) > 0 {
			b.WriteString("  headers: {\n")
			for _, h := range r.headers {
				b.WriteString("    " + quote(h[0]) + ": " + quote(h[1]) + ",\n")
			}
			b.WriteString("  },\n")
		}
		switch {
		case len(r.form) > 0:
			b.WriteString("  body: form,\n")
		case r.body != "" && r.jsonBody():
			b.WriteString("  body: JSON.stringify(" + strings.ReplaceAll(r.body, "\n", "\n  ") + "),\n")
		case r.body != "":
			b.WriteString("  body: " + quote(r.body) + ",\n")
		}
		b.WriteString("}")
	}
	b.WriteString(
		");\n\nif (!response.ok) throw new Error(`Status ${response.status}`);\nconst result = await response.text();")
	return b.String()
}

// jsonBody reports whether the body is an object or list of JSON, which JavaScript can hold as it is.
func (r *request) jsonBody() bool {
	return (strings.HasPrefix(r.body, "{") || strings.HasPrefix(r.body, "[")) && json.Valid([]byte(r.body))
}

func (r *request) python() string {
	var b strings.Builder
	b.WriteString("import requests\n\nresponse = requests.request(\n    " + quote(r.method) + ",\n    " +
		quote(r.address) + ",\n")
	pairs := func(name string, list [][2]string) {
		b.WriteString("    " + name + "={\n")
		for _, each := range list {
			value := quote(each[1])
			if each[1] == "@file" {
				value = `open("file", "rb")`
			}
			b.WriteString("        " + quote(each[0]) + ": " + value + ",\n")
		}
		b.WriteString("    },\n")
	}
	if len(r.headers) > 0 {
		pairs("headers", r.headers)
	}
	switch {
	case len(r.form) > 0 && r.multipart:
		pairs("files", r.form)
	case len(r.form) > 0:
		pairs("data", r.form)
	case r.jsonBody():
		b.WriteString("    json=" + strings.ReplaceAll(pythonValue(r.body), "\n", "\n    ") + ",\n")
	case r.body != "":
		b.WriteString("    data=" + quote(r.body) + ",\n")
	}
	b.WriteString("    timeout=30,\n)\nresponse.raise_for_status()\nprint(response.text)")
	return b.String()
}

// pythonWords are the values of JSON that Python calls otherwise.
var pythonWords = strings.NewReplacer("true", "True", "false", "False", "null", "None")

// pythonValue writes JSON as Python does: what stands between texts in other words.
func pythonValue(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		before, _, found := strings.Cut(text, `"`)
		b.WriteString(pythonWords.Replace(before))
		if !found {
			break
		}
		text = text[len(before):]
		end := 1
		for end < len(text) && text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end+1, len(text))
		b.WriteString(text[:end])
		text = text[end:]
	}
	return b.String()
}

func (r *request) goCode() string {
	var b strings.Builder
	body := "nil"
	switch {
	case len(r.form) > 0 && r.multipart:
		b.WriteString("var body bytes.Buffer\nform := multipart.NewWriter(&body)\n")
		for _, f := range r.form {
			if f[1] == "@file" {
				b.WriteString("part, err := form.CreateFormFile(" + quote(f[0]) + ", \"file\")\nif err != nil {\n" +
					"\treturn err\n}\nif _, err := io.Copy(part, file); err != nil {\n\treturn err\n}\n")
				continue
			}
			b.WriteString("if err := form.WriteField(" + quote(f[0]) + ", " + quote(f[1]) +
				"); err != nil {\n\treturn err\n}\n")
		}
		b.WriteString("if err := form.Close(); err != nil {\n\treturn err\n}\n")
		body = "&body"
	case len(r.form) > 0:
		b.WriteString("form := url.Values{\n")
		for _, f := range r.form {
			b.WriteString("\t" + quote(f[0]) + ": {" + quote(f[1]) + "},\n")
		}
		b.WriteString("}\n")
		body = "strings.NewReader(form.Encode())"
	case r.body != "":
		literal := strconv.Quote(r.body)
		if strconv.CanBackquote(strings.ReplaceAll(r.body, "\n", "")) {
			literal = "`" + r.body + "`"
		}
		b.WriteString("body := strings.NewReader(" + literal + ")\n")
		body = "body"
	}
	b.WriteString("request, err := http.NewRequestWithContext(ctx, " + quote(r.method) + ", " + quote(r.address) +
		", " + body + ")\nif err != nil {\n\treturn err\n}\n")
	for _, h := range r.headers {
		b.WriteString("request.Header.Set(" + quote(h[0]) + ", " + quote(h[1]) + ")\n")
	}
	switch {
	case r.multipart:
		b.WriteString("request.Header.Set(\"Content-Type\", form.FormDataContentType())\n")
	case len(r.form) > 0:
		b.WriteString("request.Header.Set(\"Content-Type\", \"application/x-www-form-urlencoded\")\n")
	}
	b.WriteString(
		"response, err := http.DefaultClient.Do(request)\nif err != nil {\n\treturn err\n}\ndefer " +
			"response.Body.Close()")
	return b.String()
}

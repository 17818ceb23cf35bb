// Package snippet writes a request of HTTP as programs in several languages send it, formatted as people there write.
package snippet

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Sample is a request as a program sends it.
type Sample struct {
	// Title names the language for people, Syntax for highlighting.
	Title, Syntax, Code string
}

// Request is what the samples have in common.
type Request struct {
	Method, Address string
	Headers         [][2]string
	Body            string      // of another kind than a form
	Form            [][2]string // fields; a value that begins with "@" is a file
	Multipart       bool
}

// Samples returns the request in curl, JavaScript, Python, Go, Java, PHP, Ruby and C#.
func (r *Request) Samples() []Sample {
	return []Sample{
		{"curl", "bash", r.curl()}, {"JavaScript", "javascript", r.javaScript()}, {"Python", "python", r.python()},
		{"Go", "go", r.goCode()}, {"Java", "java", r.java()}, {"PHP", "php", r.php()}, {"Ruby", "ruby", r.ruby()},
		{"C#", "csharp", r.cSharp()},
	}
}

// oneLine keeps a header's value from breaking out of its line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// shell quotes a text for a POSIX shell.
func shell(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func (r *Request) curl() string {
	lines := []string{"curl"}
	if r.Method != "GET" {
		lines[0] += " -X " + r.Method
	}
	lines[0] += " " + shell(r.Address)
	for _, h := range r.Headers {
		lines = append(lines, "-H "+shell(oneLine(h[0])+": "+oneLine(h[1])))
	}
	for _, f := range r.Form {
		option := "--data-urlencode "
		if r.Multipart {
			option = "-F "
		}
		lines = append(lines, option+shell(f[0]+"="+f[1]))
	}
	if r.Body != "" {
		lines = append(lines, "-d "+shell(r.bodyBelow("  ")))
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

func (r *Request) javaScript() string {
	var b strings.Builder
	if len(r.Form) > 0 {
		kind := "URLSearchParams"
		if r.Multipart {
			kind = "FormData"
		}
		b.WriteString("const form = new " + kind + "();\n")
		for _, f := range r.Form {
			value := quote(f[1])
			if f[1] == "@file" {
				value = "file"
			}
			b.WriteString("form.append(" + quote(f[0]) + ", " + value + ");\n")
		}
		b.WriteString("\n")
	}
	b.WriteString("const response = await fetch(" + quote(r.Address))
	if r.Method != "GET" || len(r.Headers) > 0 || len(r.Form) > 0 || r.Body != "" {
		b.WriteString(", {\n  method: " + quote(r.Method) + ",\n")
		if len(r.Headers) > 0 {
			b.WriteString("  headers: {\n")
			for _, h := range r.Headers {
				b.WriteString("    " + quote(h[0]) + ": " + quote(h[1]) + ",\n")
			}
			b.WriteString("  },\n")
		}
		switch {
		case len(r.Form) > 0:
			b.WriteString("  body: form,\n")
		case r.Body != "" && r.jsonBody():
			b.WriteString("  body: JSON.stringify(" + strings.ReplaceAll(r.Body, "\n", "\n  ") + "),\n")
		case r.Body != "":
			b.WriteString("  body: " + quote(r.Body) + ",\n")
		}
		b.WriteString("}")
	}
	b.WriteString(
		");\n\nif (!response.ok) throw new Error(`Status ${response.status}`);\nconst result = await response.text();")
	return b.String()
}

// bodyBelow is the body with its lines below the first one indented, where that means nothing.
func (r *Request) bodyBelow(indent string) string {
	if !r.jsonBody() {
		return r.Body
	}
	return strings.ReplaceAll(r.Body, "\n", "\n"+indent)
}

// jsonBody reports whether the body is an object or list of JSON, which JavaScript can hold as it is.
func (r *Request) jsonBody() bool {
	return (strings.HasPrefix(r.Body, "{") || strings.HasPrefix(r.Body, "[")) && json.Valid([]byte(r.Body))
}

func (r *Request) python() string {
	var b strings.Builder
	call := "request(\n    " + quote(r.Method) + ","
	switch r.Method {
	case "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS":
		call = strings.ToLower(r.Method) + "("
	}
	b.WriteString("import requests\n\nresponse = requests." + call + "\n    " + quote(r.Address) + ",\n")
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
	if len(r.Headers) > 0 {
		pairs("headers", r.Headers)
	}
	switch {
	case len(r.Form) > 0 && r.Multipart:
		pairs("files", r.Form)
	case len(r.Form) > 0:
		pairs("data", r.Form)
	case r.jsonBody():
		b.WriteString("    json=" + strings.ReplaceAll(pythonValue(r.Body), "\n", "\n    ") + ",\n")
	case r.Body != "":
		b.WriteString("    data=" + quote(r.Body) + ",\n")
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

func (r *Request) goCode() string {
	var b strings.Builder
	body := "nil"
	switch {
	case len(r.Form) > 0 && r.Multipart:
		b.WriteString("var body bytes.Buffer\nform := multipart.NewWriter(&body)\n")
		for _, f := range r.Form {
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
	case len(r.Form) > 0:
		b.WriteString("form := url.Values{\n")
		for _, f := range r.Form {
			b.WriteString("\t" + quote(f[0]) + ": {" + quote(f[1]) + "},\n")
		}
		b.WriteString("}\n")
		body = "strings.NewReader(form.Encode())"
	case r.Body != "":
		literal := strconv.Quote(r.Body)
		if strconv.CanBackquote(strings.ReplaceAll(r.Body, "\n", "")) {
			literal = "`" + r.Body + "`"
		}
		b.WriteString("body := strings.NewReader(" + literal + ")\n")
		body = "body"
	}
	b.WriteString("request, err := http.NewRequestWithContext(ctx, " + quote(r.Method) + ", " + quote(r.Address) +
		", " + body + ")\nif err != nil {\n\treturn err\n}\n")
	for _, h := range r.Headers {
		b.WriteString("request.Header.Set(" + quote(h[0]) + ", " + quote(h[1]) + ")\n")
	}
	switch {
	case r.Multipart:
		b.WriteString("request.Header.Set(\"Content-Type\", form.FormDataContentType())\n")
	case len(r.Form) > 0:
		b.WriteString("request.Header.Set(\"Content-Type\", \"application/x-www-form-urlencoded\")\n")
	}
	b.WriteString(
		"response, err := http.DefaultClient.Do(request)\nif err != nil {\n\treturn err\n}\ndefer " +
			"response.Body.Close()")
	return b.String()
}

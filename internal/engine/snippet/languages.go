package snippet

import (
	"net/url"
	"strings"
)

// single quotes a text for PHP and Ruby, which read nothing but the quote and the backslash in it.
func single(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
}

// contentType is the media type of the body and the headers without it.
func (r *Request) contentType() (media string, rest [][2]string) {
	for _, h := range r.Headers {
		if strings.EqualFold(h[0], "Content-Type") {
			media = oneLine(h[1])
			continue
		}
		rest = append(rest, h)
	}
	return media, rest
}

func (r *Request) java() string {
	var b strings.Builder
	publisher := "HttpRequest.BodyPublishers.noBody()"
	headers := r.Headers
	imports := []string{"java.net.URI", "java.net.http.HttpClient", "java.net.http.HttpRequest",
		"java.net.http.HttpResponse"}
	switch {
	case len(r.Form) > 0 && r.Multipart:
		imports = append(imports, "java.nio.file.Files", "java.nio.file.Path", "java.util.UUID")
		b.WriteString("String boundary = UUID.randomUUID().toString();\nStringBuilder body = new StringBuilder();\n")
		for _, f := range r.Form {
			name := `form-data; name=\"` + strings.Trim(quote(quoteFree(f[0])), `"`) + `\"`
			value := quote(f[1])
			if f[1] == "@file" {
				name, value = name+`; filename=\"file\"`, `Files.readString(Path.of("file"))`
			}
			b.WriteString("body.append(\"--\" + boundary + \"\\r\\nContent-Disposition: " + name + "\\r\\n\\r\\n\")\n" +
				"    .append(" + value + ").append(\"\\r\\n\");\n")
		}
		b.WriteString("body.append(\"--\" + boundary + \"--\\r\\n\");\n\n")
		publisher = "HttpRequest.BodyPublishers.ofString(body.toString())"
	case len(r.Form) > 0:
		values := url.Values{}
		for _, f := range r.Form {
			values.Add(f[0], f[1])
		}
		b.WriteString("String body = " + quote(values.Encode()) + ";\n\n")
		publisher = "HttpRequest.BodyPublishers.ofString(body)"
		headers = append(headers[:len(headers):len(headers)], [2]string{"Content-Type",
			"application/x-www-form-urlencoded"})
	case r.Body != "":
		text := strings.NewReplacer(`\`, `\\`, `"""`, `\"""`).Replace(r.Body)
		if before, ok := strings.CutSuffix(text, `"`); ok {
			text = before + `\"`
		}
		b.WriteString("String body = \"\"\"\n    " + strings.ReplaceAll(text, "\n", "\n    ") + "\"\"\";\n\n")
		publisher = "HttpRequest.BodyPublishers.ofString(body)"
	}
	b.WriteString("HttpClient client = HttpClient.newHttpClient();\nHttpRequest request = HttpRequest.newBuilder(" +
		"URI.create(" + quote(r.Address) + "))\n")
	for _, h := range headers {
		b.WriteString("    .header(" + quote(h[0]) + ", " + quote(oneLine(h[1])) + ")\n")
	}
	if r.Multipart && len(r.Form) > 0 {
		b.WriteString("    .header(\"Content-Type\", \"multipart/form-data; boundary=\" + boundary)\n")
	}
	b.WriteString("    .method(" + quote(r.Method) + ", " + publisher + ")\n    .build();\n" +
		"HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());\n" +
		"System.out.println(response.body());")
	return "import " + strings.Join(imports, ";\nimport ") + ";\n\n" + b.String()
}

// quoteFree leaves quotes out of the name of a field.
func quoteFree(name string) string { return strings.ReplaceAll(oneLine(name), `"`, "") }

func (r *Request) php() string {
	var b strings.Builder
	b.WriteString("<?php\n\n$curl = curl_init(" + single(r.Address) + ");\ncurl_setopt_array($curl, [\n" +
		"    CURLOPT_CUSTOMREQUEST => " + single(r.Method) + ",\n    CURLOPT_RETURNTRANSFER => true,\n")
	if len(r.Headers) > 0 {
		b.WriteString("    CURLOPT_HTTPHEADER => [\n")
		for _, h := range r.Headers {
			b.WriteString("        " + single(oneLine(h[0])+": "+oneLine(h[1])) + ",\n")
		}
		b.WriteString("    ],\n")
	}
	switch {
	case len(r.Form) > 0:
		open, end := "http_build_query([", "])"
		if r.Multipart {
			open, end = "[", "]"
		}
		b.WriteString("    CURLOPT_POSTFIELDS => " + open + "\n")
		for _, f := range r.Form {
			value := single(f[1])
			if f[1] == "@file" {
				value = "new CURLFile('file')"
			}
			b.WriteString("        " + single(f[0]) + " => " + value + ",\n")
		}
		b.WriteString("    " + end + ",\n")
	case r.Body != "":
		b.WriteString("    CURLOPT_POSTFIELDS => " + single(r.bodyBelow("    ")) + ",\n")
	}
	b.WriteString("]);\n\n$result = curl_exec($curl);\nif ($result === false) {\n" +
		"    throw new RuntimeException(curl_error($curl));\n}\necho $result;")
	return b.String()
}

// rubyClasses are the methods that Ruby's library has a class for. Those but TRACE are functions of Python's requests.
var rubyClasses = map[string]string{
	"GET": "Get", "POST": "Post", "PUT": "Put", "PATCH": "Patch", "DELETE": "Delete", "HEAD": "Head",
	"OPTIONS": "Options", "TRACE": "Trace",
}

func (r *Request) ruby() string {
	var b strings.Builder
	b.WriteString("require 'net/http'\n\nuri = URI(" + single(r.Address) + ")\n")
	if class := rubyClasses[r.Method]; class != "" {
		b.WriteString("request = Net::HTTP::" + class + ".new(uri)\n")
	} else {
		b.WriteString("request = Net::HTTPGenericRequest.new(" + single(r.Method) + ", true, true, uri)\n")
	}
	for _, h := range r.Headers {
		b.WriteString("request[" + single(oneLine(h[0])) + "] = " + single(oneLine(h[1])) + "\n")
	}
	switch {
	case len(r.Form) > 0 && r.Multipart:
		b.WriteString("request.set_form(\n  [\n")
		for _, f := range r.Form {
			value := single(f[1])
			if f[1] == "@file" {
				value = "File.open('file')"
			}
			b.WriteString("    [" + single(f[0]) + ", " + value + "],\n")
		}
		b.WriteString("  ],\n  'multipart/form-data'\n)\n")
	case len(r.Form) > 0:
		b.WriteString("request.set_form_data(\n")
		for i, f := range r.Form {
			comma := ","
			if i == len(r.Form)-1 {
				comma = ""
			}
			b.WriteString("  " + single(f[0]) + " => " + single(f[1]) + comma + "\n")
		}
		b.WriteString(")\n")
	case r.Body != "":
		b.WriteString("request.body = " + single(r.Body) + "\n")
	}
	b.WriteString("\nresponse = Net::HTTP.start(uri.hostname, uri.port, use_ssl: uri.scheme == 'https') do |http|\n" +
		"  http.request(request)\nend\nputs response.body")
	return b.String()
}

func (r *Request) cSharp() string {
	var b strings.Builder
	media, headers := r.contentType()
	b.WriteString("using System.Net.Http.Headers;\n\nusing var client = new HttpClient();\n" +
		"using var request = new HttpRequestMessage(new HttpMethod(" + quote(r.Method) + "), " + quote(r.Address) +
		");\n")
	for _, h := range headers {
		b.WriteString("request.Headers.TryAddWithoutValidation(" + quote(oneLine(h[0])) + ", " +
			quote(oneLine(h[1])) + ");\n")
	}
	switch {
	case len(r.Form) > 0 && r.Multipart:
		b.WriteString("var form = new MultipartFormDataContent();\n")
		for _, f := range r.Form {
			if f[1] == "@file" {
				b.WriteString("form.Add(new StreamContent(File.OpenRead(\"file\")), " + quote(f[0]) + ", \"file\");\n")
				continue
			}
			b.WriteString("form.Add(new StringContent(" + quote(f[1]) + "), " + quote(f[0]) + ");\n")
		}
		b.WriteString("request.Content = form;\n")
	case len(r.Form) > 0:
		b.WriteString("request.Content = new FormUrlEncodedContent(new Dictionary<string, string>\n{\n")
		for _, f := range r.Form {
			b.WriteString("    [" + quote(f[0]) + "] = " + quote(f[1]) + ",\n")
		}
		b.WriteString("});\n")
	case r.Body != "":
		literal := quote(r.Body)
		if r.jsonBody() && !strings.Contains(r.Body, `"""`) {
			literal = "\"\"\"\n    " + strings.ReplaceAll(r.Body, "\n", "\n    ") + "\n    \"\"\""
		}
		b.WriteString("request.Content = new StringContent(" + literal + ", MediaTypeHeaderValue.Parse(" +
			quote(media) + "));\n")
	}
	b.WriteString("\nusing var response = await client.SendAsync(request);\nresponse.EnsureSuccessStatusCode();\n" +
		"Console.WriteLine(await response.Content.ReadAsStringAsync());")
	return b.String()
}

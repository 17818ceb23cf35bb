// Package letter makes messages with one thing to do, as text and as HTML.
package letter

import (
	"bytes"
	"html/template"
	"strings"

	"github.com/rectodocs/recto/internal/platform/mail"
)

// Letter is a message with one thing to do.
type Letter struct {
	Subject string
	Lines   []string
	// Button leads to Address.
	Button, Address string
	Last            string
}

var page = template.Must(template.New("letter").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{.Subject}}</title></head>
<body style="margin:0;padding:32px 16px;background:#f6f7f9;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:#1b1f24">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #dfe3e8;border-radius:12px">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">{{.Subject}}</h1>
{{range .Lines}}<p style="margin:0 0 16px">{{.}}</p>
{{end}}<p style="margin:24px 0"><a href="{{.Address}}" style="display:inline-block;padding:10px 20px;background:#1f5eff;color:#ffffff;text-decoration:none;border-radius:8px;font-weight:600">{{.Button}}</a></p>
<p style="margin:0;color:#57606a;font-size:14px">{{.Last}}</p>
</div></body></html>
`))

// Message returns what is sent.
func (l Letter) Message() mail.Message {
	var html bytes.Buffer
	// A template with strings alone does not fail into memory.
	_ = page.Execute(&html, l)
	text := strings.Join(append(append([]string{}, l.Lines...), l.Button+":\n"+l.Address, l.Last), "\n\n") + "\n"
	return mail.Message{Subject: l.Subject, Text: text, HTML: html.String()}
}

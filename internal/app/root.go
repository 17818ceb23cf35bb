package app

import (
	"fmt"
	"net/http"

	"github.com/rectodocs/recto/internal/httpx"
)

// rootPage is what the server's own address shows: that it runs, and where to go. Styles come from the API's page.
const rootPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Recto</title>
<link rel="stylesheet" href="/v1/docs.css">
</head>
<body>
<header><p class="brand">Recto</p></header>
<main class="page">
<div>
<h1>It runs</h1>
<p class="lead">This is a Recto server. Published sites have addresses of their own below it.</p>
<p><a href="/v1/docs">The API of this server</a></p>
</div>
</main>
</body>
</html>
`

// root answers at the server's own address.
func root(w http.ResponseWriter, r *http.Request) {
	httpx.SecurityHeaders{ContentSecurityPolicy: "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'"}.Set(w.Header())
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	if httpx.NotModified(w, r, httpx.ETag(rootPage)) {
		return
	}
	_, _ = fmt.Fprint(w, rootPage) // the client went away
}

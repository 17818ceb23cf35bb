package httpx

import (
	"net/http"
	"strconv"
	"strings"
)

// Encodings are the content codings that a request accepts, as far as we have them.
type Encodings struct{ Gzip, Zstd bool }

// Accepted reads Accept-Encoding. A coding with q=0 is refused; other weights do not matter to us.
func Accepted(r *http.Request) (e Encodings) {
	accepted := r.Header.Get("Accept-Encoding")
	if accepted == "" {
		return e
	}
	for part := range strings.SplitSeq(accepted, ",") {
		name, parameters, _ := strings.Cut(part, ";")
		if weight, weighted := strings.CutPrefix(strings.ToLower(strings.ReplaceAll(parameters, " ", "")),
			"q="); weighted {
			if q, err := strconv.ParseFloat(weight, 64); err != nil || q == 0 {
				continue
			}
		}
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "gzip":
			e.Gzip = true
		case "zstd":
			e.Zstd = true
		}
	}
	return e
}

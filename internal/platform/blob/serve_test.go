package blob

import (
	"io"
	"net/http"
	"time"
)

// serve answers a request with a blob's bytes, as the published site does.
func serve(w http.ResponseWriter, r *http.Request, file io.ReadSeeker) {
	w.Header().Set("Content-Type", "text/plain")
	http.ServeContent(w, r, "", time.Time{}, file)
}

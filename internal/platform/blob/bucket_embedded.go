//go:build embedded

package blob

import (
	"errors"
	"net/url"
)

// This build keeps blobs in directories alone, see CONTRIBUTING.md.

func newBucketFromURL(*url.URL) (Store, error) {
	return nil, errors.New("this build of Recto has no S3 client; build it without the tag embedded (make build), or use a directory")
}

package render

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// onePhoto resolves everything to one image.
type onePhoto struct{}

func (onePhoto) Resolve(doc.Ref) Target {
	return Target{URL: "/photo.png", Kind: doc.RefFile, Width: 640, Height: 480}
}

// TestRoomForImages holds that an image whose size is known, and one that is given another width, keep room of their
// shape.
func TestRoomForImages(t *testing.T) {
	options := Options{Resolver: onePhoto{}}
	for want, length := range map[string]*doc.Length{
		`width="640" height="480"`: nil,
		`width="100" height="75"`:  {Value: 100},
		`width="50%" loading`:      {Value: 50, Unit: "%"},
	} {
		image := doc.NewBlock(doc.Image, &doc.ImageData{Ref: doc.Ref{Kind: doc.RefFile, File: "photo"}, Width: length})
		var out bytes.Buffer
		if err := HTML(t.Context(), &out, &doc.Document{Nodes: []*doc.Node{doc.NewBlock(doc.Images, nil, image)}},
			options); err != nil {
			t.Fatal(err)
		}
		if page := out.String(); !strings.Contains(page, want) {
			t.Errorf("the image shows as %s, want %s", page, want)
		}
	}
}

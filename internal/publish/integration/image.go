package integration

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // read by image.Decode
	_ "image/jpeg" // read by image.Decode
	_ "image/png"  // read by image.Decode
	"io"
	"strings"

	_ "golang.org/x/image/webp" // read by image.Decode

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Image is a picture of an integration.
type Image struct {
	// Blob is the hash of its bytes.
	Blob string
	// MediaType is what they were found to be.
	MediaType string
	number    int64
}

// Bounds of pictures.
const (
	// maxIcon and maxPreview are in bytes.
	maxIcon    = 1 << 20
	maxPreview = 2 << 20
	// maxSide is in pixels, and maxPixels what a picture unfolds to in memory.
	maxSide   = 4096
	maxPixels = 9_000_000
	// maxPreviews is how many previews there may be.
	maxPreviews = 3
	// maxVectorTokens and maxVectorDepth bound a drawing.
	maxVectorTokens = 100_000
	maxVectorDepth  = 64
)

// extensions are the ends of the names under which pictures are served, by media type.
var extensions = map[string]string{
	"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp", "image/svg+xml": "svg",
}

// AssetName is the last part of the address of a picture. It holds the hash of the bytes, so it cannot be guessed, and
// what is at the address never changes.
func (i Image) AssetName() string {
	return i.Blob[:hashLength] + "." + extensions[i.MediaType]
}

// hashLength is how many hexadecimal digits of its hash an asset's name has.
const hashLength = 32

// decoded is a picture that could be read, with its bytes.
type decoded struct {
	Image
	data []byte
}

// decodeImages reads the icon and the previews of a publication.
func (s *Service) decodeImages(ctx context.Context, in Publication) ([]decoded, error) {
	if len(in.Previews) > maxPreviews {
		return nil, errs.Invalidf("previewImages", "has %d pictures; up to %d are accepted", len(in.Previews),
			maxPreviews)
	}
	var pictures []decoded
	if in.Icon != "" {
		data, mediaType, err := s.decodeImage(ctx, "icon", in.Icon, maxIcon)
		if err != nil {
			return nil, err
		}
		pictures = append(pictures, decoded{Image{MediaType: mediaType}, data})
	}
	for i, text := range in.Previews {
		data, mediaType, err := s.decodeImage(ctx, fmt.Sprintf("previewImages[%d]", i), text, maxPreview)
		if err != nil {
			return nil, err
		}
		pictures = append(pictures, decoded{Image{MediaType: mediaType, number: int64(i) + 1}, data})
	}
	return pictures, nil
}

// inlineIcons makes addresses of the icons of blocks and content sources that are sent as base64: pictures that are
// their own address.
func (s *Service) inlineIcons(ctx context.Context, p *prepared) error {
	inline := func(path string, icon *string) error {
		if *icon == "" || !isBase64(*icon) {
			return nil
		}
		data, mediaType, err := s.decodeImage(ctx, path+".icon", *icon, maxSmallIcon)
		if err == nil {
			*icon = "data:" + mediaType + ";base64," + base64.StdEncoding.EncodeToString(data)
		}
		return err
	}
	for i := range p.Blocks {
		if err := inline(fmt.Sprintf("blocks[%d]", i), &p.Blocks[i].Icon); err != nil {
			return err
		}
	}
	for i := range p.ContentSources {
		if err := inline(fmt.Sprintf("contentSources[%d]", i), &p.ContentSources[i].Icon); err != nil {
			return err
		}
	}
	return nil
}

// decodeImage turns base64 into the bytes of a picture and its media type, after it was decoded.
func (s *Service) decodeImage(ctx context.Context, path, text string,
	limit int) (data []byte, mediaType string, err error) {
	if len(text) > base64.StdEncoding.EncodedLen(limit)+limit/16 {
		return nil, "", tooLargeImage(path, limit)
	}
	data, err = base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, "", errs.Invalidf(path, "is not base64 of a picture")
	}
	if len(data) > limit {
		return nil, "", tooLargeImage(path, limit)
	}
	select {
	case s.decoding <- struct{}{}:
		defer func() { <-s.decoding }()
	case <-ctx.Done():
		return nil, "", ctx.Err()
	}
	mediaType, err = checkImage(path, data)
	return data, mediaType, err
}

func tooLargeImage(path string, limit int) error {
	return errs.Invalidf(path, "is larger than %d kB; make the picture smaller", limit>>10)
}

// checkImage returns the media type of a picture that can be read whole.
func checkImage(path string, data []byte) (string, error) {
	if looksLikeXML(data) {
		if err := checkVector(data); err != nil {
			return "", errs.Invalidf(path, "is no SVG picture: %v", err)
		}
		return "image/svg+xml", nil
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return "", errs.Invalidf(path, "is no picture that is known here; PNG, JPEG, WebP, GIF and SVG are")
	}
	if config.Width < 1 || config.Height < 1 || config.Width > maxSide || config.Height > maxSide ||
		config.Width*config.Height > maxPixels {
		return "", errs.Invalidf(path, "has %d by %d pixels; up to %d on a side and %d in all are accepted",
			config.Width, config.Height, maxSide, maxPixels)
	}
	if _, _, err := image.Decode(bytes.NewReader(data)); err != nil {
		return "", errs.Invalidf(path, "is a broken %s picture", strings.ToUpper(format))
	}
	return "image/" + format, nil
}

func looksLikeXML(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n"), []byte("<"))
}

// checkVector reads a drawing to its end: well-formed, an svg element at its root, no document type (which is where
// entities that unfold come from). What it may do is no question here: it is served so that nothing in it runs.
func checkVector(data []byte) error {
	decoder := xml.NewDecoder(bytes.NewReader(data))
	decoder.CharsetReader = func(charset string, input io.Reader) (io.Reader, error) {
		if strings.EqualFold(charset, "utf-8") {
			return input, nil
		}
		return nil, errors.New("only UTF-8 is accepted")
	}
	depth, seen := 0, false
	for tokens := 0; ; tokens++ {
		if tokens > maxVectorTokens {
			return fmt.Errorf("it has more than %d parts", maxVectorTokens)
		}
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			if !seen {
				return errors.New("it has no svg element")
			}
			return nil
		}
		if err != nil {
			return errors.New("it is not well-formed")
		}
		switch token := token.(type) {
		case xml.Directive:
			return errors.New("a document type is not accepted")
		case xml.StartElement:
			if depth == 0 && (seen || token.Name.Local != "svg") {
				return errors.New("its root is not one svg element")
			}
			seen = true
			if depth++; depth > maxVectorDepth {
				return fmt.Errorf("it is more than %d levels deep", maxVectorDepth)
			}
		case xml.EndElement:
			depth--
		}
	}
}

// Asset opens a picture of an integration by the name that AssetName has given; errs.NotFound when there is none.
// Whoever has the name may read it, since pages show pictures without a token.
func (s *Service) Asset(ctx context.Context, integrationName, assetName string) (io.ReadSeekCloser, Image, error) {
	none := errs.NotFoundf("There is no such file of an integration. Read the integration again for its addresses.")
	images, err := imagesNamed(ctx, s.deps.DB.Read(), nameKey(integrationName))
	if err != nil {
		return nil, Image{}, err
	}
	for _, each := range images {
		if each.AssetName() == assetName {
			file, _, err := s.deps.Content.OpenFile(ctx, each.Blob)
			return file, each, err
		}
	}
	return nil, Image{}, none
}

func imagesNamed(ctx context.Context, q db.Querier, key string) ([]Image, error) {
	if len(key) > maxName {
		return nil, nil
	}
	return db.All(ctx, q, "list pictures", func(row db.Scanner) (Image, error) {
		var one Image
		err := row.Scan(&one.number, &one.Blob, &one.MediaType)
		return one, err
	}, `
		SELECT p.number, p.blob, p.media_type FROM integration i JOIN integration_image p ON p.integration_id = i.id
		WHERE i.name_key = $1 AND i.published ORDER BY p.number`, key)
}

package pub

import (
	"bytes"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/publish/site"
)

// socialOf returns where the picture is that stands for a page, below the site's root.
func (f *fixture) socialOf(at string) string {
	f.t.Helper()
	page := f.html(at)
	address := attribute(page, `meta[property="og:image"]`, "content")
	if again := attribute(page, `meta[name="twitter:image"]`, "content"); again != address {
		f.t.Errorf("%s has the picture %q and for others %q", at, address, again)
	}
	if got := attribute(page, `meta[name="twitter:card"]`, "content"); got != "summary_large_image" {
		f.t.Errorf("%s is shown as %q", at, got)
	}
	below, ok := strings.CutPrefix(address, testBase+f.home())
	if !ok {
		f.t.Fatalf("%s has the picture %q", at, address)
	}
	return below
}

// TestSocialPictures holds that a page without a picture has one that is drawn, which follows what it shows and can be
// kept for ever by its address.
func TestSocialPictures(t *testing.T) {
	f := handbook(t)
	at := f.socialOf("guides/install")
	if !strings.HasPrefix(at, "~/social/"+f.page("guides/install")+".png?v=") {
		t.Fatalf("the picture is at %q", at)
	}
	page := f.html("guides/install")
	for selector, want := range map[string]string{
		`meta[property="og:image:width"]`: "1200", `meta[property="og:image:height"]`: "630",
		`meta[property="og:image:alt"]`: "Install recto",
	} {
		if got := attribute(page, selector, "content"); got != want {
			t.Errorf("%s is %q, want %q", selector, got, want)
		}
	}
	read := func(at string) []byte {
		t.Helper()
		got := f.get(at)
		if got.Code != http.StatusOK || got.Header().Get("Content-Type") != "image/png" {
			t.Fatalf("%s: %d %s", at, got.Code, got.Header().Get("Content-Type"))
		}
		picture, err := png.Decode(bytes.NewReader(got.Body.Bytes()))
		if err != nil || picture.Bounds().Dx() != 1200 || picture.Bounds().Dy() != 630 {
			t.Fatalf("%s: %v", at, err)
		}
		return got.Body.Bytes()
	}
	before := read(at)
	first := f.get(at)
	if got := first.Header().Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
		t.Errorf("the picture may be kept: %q", got)
	}
	if got := f.get(at, "If-None-Match", first.Header().Get("ETag")); got.Code != http.StatusNotModified {
		t.Errorf("who has the picture gets %d", got.Code)
	}
	plain, _, _ := strings.Cut(at, "?")
	for _, other := range []string{plain, plain + "?v=", plain + "?v=0123456789abcdef", plain + "?v=" +
		strings.Repeat("x", 1000)} {
		if got := f.get(other); got.Code != http.StatusOK || got.Header().Get("Cache-Control") != "no-cache" ||
			!bytes.Equal(got.Body.Bytes(), before) {
			t.Errorf("%s: %d, kept %q", other, got.Code, got.Header().Get("Cache-Control"))
		}
	}

	f.put(document("guides/install", "Set up", "Text.\n"))
	renamed := f.socialOf("guides/install")
	if renamed == at || bytes.Equal(read(renamed), before) {
		t.Error("the picture does not follow the title")
	}
	f.put(document("guides/install", "Set up", "Another text.\n"))
	if got := f.socialOf("guides/install"); got != renamed {
		t.Error("another text of the page makes another picture")
	}
	f.customize(`{"styling":{"primaryColor":{"light":"#b3261e","dark":"#b3261e"}}}`)
	if coloured := f.socialOf("guides/install"); coloured == renamed || bytes.Equal(read(coloured), read(plain+
		"?v=x")) == false {
		t.Error("the picture does not follow the colour of the site")
	}

	for _, absent := range []string{"~/social", "~/social/", "~/social/.png", "~/social/nothing.png", "~/social/" +
		f.page("guides"), "~/social/" + f.page("guides") + ".png", "~/social/%00.png", "~/social/../start.png",
		plain + "/x"} {
		if got := f.get(absent); got.Code == http.StatusOK {
			t.Errorf("%s: %d %s", absent, got.Code, got.Header().Get("Content-Type"))
		}
	}

	// Chosen pictures come first.
	f.customize(`{"socialPreview":{"url":"https://example.org/card.png"}}`)
	page = f.html("guides/install")
	if got := attribute(page, `meta[property="og:image"]`, "content"); got != "https://example.org/card.png" {
		t.Errorf("a site with a picture of its own shows %q", got)
	}
	if page.Find(`meta[property="og:image:width"]`).Length() != 0 {
		t.Error("the page says how large a picture is that nobody has looked at")
	}
	cover := f.file("cover.png", []byte("not a picture"))
	f.put(with(document("covered", "Covered", "Text.\n"), func(e *entity.Entry) {
		e.Cover = &entity.Cover{Ref: &doc.Ref{Kind: "file", File: cover.ID}}
	}))
	if got := f.socialOf("covered"); !strings.HasPrefix(got, "~/files/"+cover.ID) {
		t.Errorf("a page with a cover shows %q", got)
	}
}

// TestSocialPicturesOfHostileTitles holds that whatever a page is called, its picture is made.
func TestSocialPicturesOfHostileTitles(t *testing.T) {
	f := handbook(t)
	for path, title := range map[string]string{
		"long": strings.Repeat("Wide ", 49), "marks": "a" + strings.Repeat("\u0301", 200),
		"turned": "\u202Egnp.exe\u2066", "arabic": "تثبيت البرنامج", "chinese": "安装", "tags": `"><script>`,
	} {
		f.put(with(document(path, title, "Text.\n"), func(e *entity.Entry) { e.Description = title }))
		got := f.get(f.socialOf(path))
		if got.Code != http.StatusOK {
			t.Fatalf("%s: %d", path, got.Code)
		}
		if _, err := png.Decode(got.Body); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestSocialPicturesAreForReaders holds that who may not read a page does not get its picture, and that no shared cache
// keeps that of a site for some.
func TestSocialPicturesAreForReaders(t *testing.T) {
	f := handbook(t)
	f.put(with(document("secret", "Secret", "Text.\n"), func(e *entity.Entry) {
		e.Condition = "visitor.claims.unsigned.guest === true"
	}))
	if _, err := f.audiences.PutAdaptiveSchema(t.Context(), f.caller, f.org.ID, f.site.ID, []byte(`{"type":"object",
		"properties":{"unsigned":{"type":"object","properties":{"guest":{"type":"boolean"}},
		"additionalProperties":false}},"additionalProperties":false}`)); err != nil {
		t.Fatal(err)
	}
	f.change(site.Change{AdaptiveContent: optional.Of(true)})
	at := "~/social/" + f.page("secret") + ".png"
	want := f.get("~/social/nothing.png")
	if got := f.get(at); got.Code != http.StatusNotFound || got.Body.String() != want.Body.String() {
		t.Errorf("who does not see a page gets %d for its picture", got.Code)
	}
	reader := f.get(at + "?visitor.guest=true")
	if reader.Code != http.StatusOK || reader.Header().Get("Cache-Control") != "private, no-cache" {
		t.Errorf("who sees it gets %d, kept %q", reader.Code, reader.Header().Get("Cache-Control"))
	}
	if got := f.get(at); got.Code != http.StatusNotFound {
		t.Errorf("when it has been drawn, others get %d", got.Code)
	}
}

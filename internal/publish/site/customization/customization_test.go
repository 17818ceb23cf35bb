package customization

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDefaultCustomizationIsComplete holds the document against the key paths that the API promises and against what it
// accepts in each.
func TestDefaultCustomizationIsComplete(t *testing.T) {
	color := `#([0-9a-f]{6})`
	want := map[string]string{
		"styling.theme":                 `clean|muted|bold|gradient`,
		"styling.primaryColor.light":    color,
		"styling.primaryColor.dark":     color,
		"styling.infoColor.light":       color,
		"styling.infoColor.dark":        color,
		"styling.successColor.light":    color,
		"styling.successColor.dark":     color,
		"styling.warningColor.light":    color,
		"styling.warningColor.dark":     color,
		"styling.dangerColor.light":     color,
		"styling.dangerColor.dark":      color,
		"styling.corners":               `straight|rounded|circular`,
		"styling.depth":                 `subtle|flat`,
		"styling.links":                 `default|accent`,
		"styling.font":                  `ABCFavorit|Inter|Roboto|RobotoSlab|OpenSans|SourceSansPro|Lato|Ubuntu|Raleway|Merriweather|Overpass|NotoSans|IBMPlexSerif|Poppins|FiraSans`,
		"styling.monospaceFont":         `FiraCode|IBMPlexMono|JetBrainsMono|SourceCodePro|RobotoMono|SpaceMono|DMMono|Inconsolata`,
		"styling.background":            `plain|match`,
		"styling.icons":                 `regular|solid|duotone|light|thin`,
		"styling.sidebar.background":    `default|filled`,
		"styling.sidebar.list":          `default|pill|line`,
		"styling.search":                `prominent|subtle`,
		"internationalization.locale":   `en|fr|es|zh|ja|de|nl|no|pt-br|ru|ar|he|fa`,
		"favicon":                       `map\[\]`,
		"header.preset":                 `default|bold|contrast|custom|none`,
		"header.links":                  `\[\]`,
		"footer.groups":                 `\[\]`,
		"themes.default":                `light|dark`,
		"themes.toggeable":              `true|false`,
		"pdf.enabled":                   `true|false`,
		"feedback.enabled":              `true|false`,
		"aiSearch.enabled":              `true|false`,
		"ai.mode":                       `none|search|assistant`,
		"ai.pageLinkSummaries.enabled":  `true|false`,
		"advancedCustomization.enabled": `true|false`,
		"git.showEditLink":              `true|false`,
		"pageActions.externalAI":        `true|false`,
		"pageActions.markdown":          `true|false`,
		"pageActions.mcp":               `true|false`,
		"externalLinks.target":          `self|blank`,
		"pagination.enabled":            `true|false`,
		"trademark.enabled":             `true|false`,
		"privacyPolicy":                 `map\[\]`,
		"socialPreview":                 `map\[\]`,
		"insights.trackingCookie":       `true`,
		// What newer clients know besides.
		"pageActions.items": `\[markdown\]`, "socialAccounts": `\[\]`, "synonyms": `\[\]`,
		"styling.codeTheme.default.light": `default-light`, "styling.codeTheme.default.dark": `default-dark`,
		"styling.codeTheme.openapi.light": `default-light`, "styling.codeTheme.openapi.dark": `default-dark`,
	}
	text, err := json.Marshal(Default())
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	flatten("", document, got)
	for path, pattern := range want {
		if value, ok := got[path]; !ok || !regexp.MustCompile(`^(`+pattern+`)$`).MatchString(value) {
			t.Errorf("%s is %q, want %s", path, value, pattern)
		}
		delete(got, path)
	}
	if len(got) != 0 {
		t.Errorf("keys that the API does not know: %v", got)
	}
}

// flatten writes the leaves of a JSON document under their paths; empty objects and arrays are leaves.
func flatten(prefix string, document map[string]any, into map[string]string) {
	for key, value := range document {
		path := strings.TrimPrefix(prefix+"."+key, ".")
		if object, ok := value.(map[string]any); ok && len(object) > 0 {
			flatten(path, object, into)
			continue
		}
		into[path] = fmt.Sprint(value)
	}
}

// TestCustomizationKeepsWhatItReads holds that a document with every optional key survives reading and writing.
func TestCustomizationKeepsWhatItReads(t *testing.T) {
	full := Default()
	full.Title = "Docs"
	full.Styling.Tint = &Tint{Color: ThemedColor{Light: "#000000", Dark: "#ffffff"}}
	full.Favicon = Favicon{Icon: &ThemedURL{Light: "https://a", Dark: "https://b"}}
	full.Header.Logo = &ThemedURL{Light: "https://a", Dark: "https://b"}
	full.Header.BackgroundColor = &ThemedColor{Light: "#000000", Dark: "#ffffff"}
	full.Header.LinkColor = &ThemedColor{Light: "#000000", Dark: "#ffffff"}
	link := ContentLink{Title: "File", To: map[string]any{"kind": "file", "file": "file_1"}}
	full.Header.Links = []HeaderLink{{Title: "Menu", Style: "link", Links: []ContentLink{link}, Condition: "true"}}
	full.Footer = Footer{Logo: full.Header.Logo, Groups: []FooterGroup{{Title: "More", Links: []ContentLink{link}}},
		Copyright: "©"}
	full.Announcement = &Announcement{Enabled: true, Message: "Hello", Link: &link, Style: "info"}
	full.PrivacyPolicy.URL, full.SocialPreview.URL = "https://a", "https://b"
	text, err := json.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	var again Customization
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(full, again) {
		t.Error(cmp.Diff(full, again))
	}
}

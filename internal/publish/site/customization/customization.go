// Package customization owns how a site and the spaces on it look and behave: what such a document may hold, and its
// tables site_customization and site_space_customization.
//
// It promises that what Read returns and Override keeps is of the shape that the API describes, that all that is wrong
// with an input is said at once, by its paths, and that a customization which was read and is sent back changes
// nothing. It checks no access: package site does.
package customization

import (
	"encoding/json"
	"strings"
)

// Customization is how a site looks and behaves: the JSON document of the published profile. What it may hold is said
// by customizationShape. A Customization that is shared is never changed.
type Customization struct {
	Title                 string                `json:"title,omitempty"`
	LocalizedTitle        Localized             `json:"localizedTitle,omitempty"`
	Styling               Styling               `json:"styling"`
	Internationalization  Internationalization  `json:"internationalization"`
	Favicon               Favicon               `json:"favicon"`
	Header                Header                `json:"header"`
	Footer                Footer                `json:"footer"`
	Announcement          *Announcement         `json:"announcement,omitempty"`
	Themes                Themes                `json:"themes"`
	PDF                   Toggle                `json:"pdf"`
	Feedback              Toggle                `json:"feedback"`
	AISearch              Toggle                `json:"aiSearch"`
	AI                    AI                    `json:"ai"`
	AdvancedCustomization Toggle                `json:"advancedCustomization"`
	Git                   GitCustomization      `json:"git"`
	PageActions           PageActions           `json:"pageActions"`
	ExternalLinks         ExternalLinks         `json:"externalLinks"`
	Pagination            Toggle                `json:"pagination"`
	Trademark             Toggle                `json:"trademark"`
	PrivacyPolicy         OptionalURL           `json:"privacyPolicy"`
	SocialPreview         OptionalURL           `json:"socialPreview"`
	SocialAccounts        []SocialAccount       `json:"socialAccounts"`
	Insights              InsightsCustomization `json:"insights"`
	// Synonyms are words that searches of the site take for the same, a group of them in each text.
	Synonyms []string `json:"synonyms" doc:"Words that searches of the site take for the same: one group in each text, with commas between, such as k8s, kubernetes."`
}

// Localized is a text in several languages, by language tag in lower case.
type Localized map[string]string

// In returns the text for a language: in that language itself, else in the one it is a form of ("pt" for "pt-br"), else
// the text without a language.
func (l Localized) In(language, otherwise string) string {
	for tag := strings.ToLower(language); tag != ""; {
		if text := l[tag]; text != "" {
			return text
		}
		i := strings.LastIndexByte(tag, '-')
		if i < 0 {
			break
		}
		tag = tag[:i]
	}
	return otherwise
}

// Toggle is a feature that is on or off.
type Toggle struct {
	Enabled bool `json:"enabled"`
}

// OptionalURL is an address or none.
type OptionalURL struct {
	URL string `json:"url,omitempty"`
}

// ThemedColor is a colour for the light and one for the dark theme, as #rrggbb.
type ThemedColor struct {
	Light string `json:"light"`
	Dark  string `json:"dark"`
}

// ThemedURL is an address for the light and one for the dark theme.
type ThemedURL struct {
	Light string `json:"light"`
	Dark  string `json:"dark"`
}

// Styling is the look of a site.
type Styling struct {
	Theme        string      `json:"theme"` // clean, muted, bold, gradient
	PrimaryColor ThemedColor `json:"primaryColor"`
	Tint         *Tint       `json:"tint,omitempty"`
	InfoColor    ThemedColor `json:"infoColor"`
	SuccessColor ThemedColor `json:"successColor"`
	WarningColor ThemedColor `json:"warningColor"`
	DangerColor  ThemedColor `json:"dangerColor"`
	Corners      string      `json:"corners"` // straight, rounded, circular
	Depth        string      `json:"depth"`   // subtle, flat
	Links        string      `json:"links"`   // default, accent
	// Font, HeadingFont and MonospaceFont are each a name of a list of fonts, or a definition of a font: see Font.
	Font          any          `json:"font"`
	HeadingFont   any          `json:"headingFont,omitempty"`
	MonospaceFont any          `json:"monospaceFont"`
	Background    string       `json:"background"` // plain, match
	Icons         string       `json:"icons"`      // regular, solid, duotone, light, thin
	Sidebar       SidebarStyle `json:"sidebar"`
	Search        string       `json:"search"` // prominent, subtle
	CodeTheme     CodeThemes   `json:"codeTheme"`
}

// Font is a font that is not one of the list.
type Font struct {
	ID     string     `json:"id"`
	Custom bool       `json:"custom"`
	Family string     `json:"fontFamily"`
	Faces  []FontFace `json:"fontFaces"`
}

// FontFace is one weight of a font.
type FontFace struct {
	Weight  int          `json:"weight"`
	Sources []FontSource `json:"sources"`
}

// FontSource is a file of a font.
type FontSource struct {
	URL    string `json:"url"`
	Format string `json:"format,omitempty"` // woff2, woff
}

// FontOf returns which font a value of a Styling names: one of the list, or one with a definition.
func FontOf(value any) (name string, defined *Font) {
	if name, ok := value.(string); ok {
		return name, nil
	}
	encoded, err := json.Marshal(value)
	if err != nil || value == nil {
		return "", nil
	}
	if json.Unmarshal(encoded, &defined) != nil {
		return "", nil
	}
	return "", defined
}

// CodeThemes are the colours of code, by where it is.
type CodeThemes struct {
	Default ThemedCode `json:"default"`
	OpenAPI ThemedCode `json:"openapi"`
}

// ThemedCode names the colours of code in the light and in the dark theme.
type ThemedCode struct {
	Light string `json:"light"`
	Dark  string `json:"dark"`
}

// Tint colours the surfaces of a site.
type Tint struct {
	Color ThemedColor `json:"color"`
}

// SidebarStyle is the look of the sidebar.
type SidebarStyle struct {
	Background string `json:"background"` // default, filled
	List       string `json:"list"`       // default, pill, line
}

// Internationalization is the language of a site's own words.
type Internationalization struct {
	Locale string `json:"locale"` // en, fr, es, zh, ja, de, nl, no, pt-br, ru, ar, he, fa
}

// Favicon is the picture in a browser's tab: an icon, an emoji, or neither.
type Favicon struct {
	Icon  *ThemedURL `json:"icon,omitempty"`
	Emoji string     `json:"emoji,omitempty"`
}

// Header is the bar above the pages.
type Header struct {
	Preset string     `json:"preset"` // default, bold, contrast, custom, none
	Logo   *ThemedURL `json:"logo,omitempty"`
	// PrimaryLink is where the logo leads, nil for the site's first page.
	PrimaryLink     map[string]any `json:"primaryLink,omitempty"`
	BackgroundColor *ThemedColor   `json:"backgroundColor,omitempty"`
	LinkColor       *ThemedColor   `json:"linkColor,omitempty"`
	Links           []HeaderLink   `json:"links"`
}

// HeaderLink is a link, button or menu in the header. To is a content reference, nil for a menu.
type HeaderLink struct {
	Title          string         `json:"title"`
	LocalizedTitle Localized      `json:"localizedTitle,omitempty"`
	Style          string         `json:"style,omitempty"` // link, button-primary, button-secondary
	To             map[string]any `json:"to"`
	Links          []ContentLink  `json:"links"`
	Condition      string         `json:"condition,omitempty"`
}

// ContentLink is a link with a title to a content reference.
type ContentLink struct {
	Title          string         `json:"title"`
	LocalizedTitle Localized      `json:"localizedTitle,omitempty"`
	To             map[string]any `json:"to"`
}

// Footer is the part below the pages.
type Footer struct {
	Logo      *ThemedURL    `json:"logo,omitempty"`
	Groups    []FooterGroup `json:"groups"`
	Copyright string        `json:"copyright,omitempty"`
}

// FooterGroup is a column of links in the footer.
type FooterGroup struct {
	Title          string        `json:"title"`
	LocalizedTitle Localized     `json:"localizedTitle,omitempty"`
	Links          []ContentLink `json:"links"`
}

// Announcement is a banner above the pages.
type Announcement struct {
	Enabled          bool         `json:"enabled"`
	Message          string       `json:"message"`
	LocalizedMessage Localized    `json:"localizedMessage,omitempty"`
	Link             *ContentLink `json:"link,omitempty"`
	Style            string       `json:"style"` // info, warning, danger, success
}

// Themes says which theme a visitor gets, and whether they can choose. The spelling of the key is the API's.
type Themes struct {
	Default    string `json:"default"` // light, dark, system
	Toggleable bool   `json:"toggeable"`
}

// AI says what a site offers that needs a language model.
type AI struct {
	Mode              string    `json:"mode"` // none, search, assistant
	Greeting          string    `json:"greeting,omitempty"`
	LocalizedGreeting Localized `json:"localizedGreeting,omitempty"`
	Suggestions       []string  `json:"suggestions,omitzero"`
	Instructions      string    `json:"instructions,omitempty"`
	PageLinkSummaries Toggle    `json:"pageLinkSummaries"`
}

// GitCustomization says what pages show of a repository behind the content.
type GitCustomization struct {
	ShowEditLink bool `json:"showEditLink"`
}

// PageActions says what the menu of a page offers. Items says the same in other words, those of newer clients: it also
// has "git" when links to edit pages are on and "pdf" when PDFs are.
type PageActions struct {
	ExternalAI bool     `json:"externalAI"`
	Markdown   bool     `json:"markdown"`
	MCP        bool     `json:"mcp"`
	Items      []string `json:"items"`
}

// SocialAccount is an account of those who make the site, elsewhere.
type SocialAccount struct {
	Platform string        `json:"platform"`
	Handle   string        `json:"handle"`
	Display  SocialDisplay `json:"display"`
}

// SocialDisplay says where an account is shown.
type SocialDisplay struct {
	Footer bool `json:"footer"`
	Header bool `json:"header"`
}

// ExternalLinks says where links to other sites open.
type ExternalLinks struct {
	Target string `json:"target"` // self, blank
}

// InsightsCustomization says whether counting visitors may set a cookie.
type InsightsCustomization struct {
	TrackingCookie bool `json:"trackingCookie"`
}

// Default is how a site looks and behaves that nobody has customized: every key has a value that the API
// accepts, and features that need something which is not there are off.
func Default() Customization {
	return Customization{
		Styling: Styling{
			Theme:         "clean",
			PrimaryColor:  ThemedColor{Light: "#2f5fd0", Dark: "#8fb0ff"},
			InfoColor:     ThemedColor{Light: "#1f6feb", Dark: "#6cb0ff"},
			SuccessColor:  ThemedColor{Light: "#1a7f4b", Dark: "#5fd39a"},
			WarningColor:  ThemedColor{Light: "#9a5b00", Dark: "#f2b45a"},
			DangerColor:   ThemedColor{Light: "#c0283a", Dark: "#ff8f98"},
			Corners:       "rounded",
			Depth:         "subtle",
			Links:         "default",
			Font:          "Inter",
			MonospaceFont: "JetBrainsMono",
			Background:    "plain",
			Icons:         "regular",
			Sidebar:       SidebarStyle{Background: "default", List: "default"},
			Search:        "prominent",
			CodeTheme: CodeThemes{
				Default: ThemedCode{Light: "default-light", Dark: "default-dark"},
				OpenAPI: ThemedCode{Light: "default-light", Dark: "default-dark"},
			},
		},
		Internationalization: Internationalization{Locale: "en"},
		Header:               Header{Preset: "default", Links: []HeaderLink{}},
		Footer:               Footer{Groups: []FooterGroup{}},
		Themes:               Themes{Default: "light", Toggleable: true},
		AI:                   AI{Mode: "none"},
		PageActions:          PageActions{Markdown: true, Items: []string{"markdown"}},
		ExternalLinks:        ExternalLinks{Target: "self"},
		Pagination:           Toggle{Enabled: true},
		Trademark:            Toggle{Enabled: true},
		SocialAccounts:       []SocialAccount{},
		Insights:             InsightsCustomization{TrackingCookie: true},
		Synonyms:             []string{},
	}
}

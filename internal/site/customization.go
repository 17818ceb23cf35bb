package site

// Customization is how a site looks and behaves: the JSON document of the published profile. Its enumerations are those
// of the public API.
type Customization struct {
	Title                 string                `json:"title,omitempty"`
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
	Insights              InsightsCustomization `json:"insights"`
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
	Theme         string       `json:"theme"` // clean, muted, bold, gradient
	PrimaryColor  ThemedColor  `json:"primaryColor"`
	Tint          *Tint        `json:"tint,omitempty"`
	InfoColor     ThemedColor  `json:"infoColor"`
	SuccessColor  ThemedColor  `json:"successColor"`
	WarningColor  ThemedColor  `json:"warningColor"`
	DangerColor   ThemedColor  `json:"dangerColor"`
	Corners       string       `json:"corners"`       // straight, rounded, circular
	Depth         string       `json:"depth"`         // subtle, flat
	Links         string       `json:"links"`         // default, accent
	Font          string       `json:"font"`          // a name of the list of fonts
	MonospaceFont string       `json:"monospaceFont"` // a name of the list of monospaced fonts
	Background    string       `json:"background"`    // plain, match
	Icons         string       `json:"icons"`         // regular, solid, duotone, light, thin
	Sidebar       SidebarStyle `json:"sidebar"`
	Search        string       `json:"search"` // prominent, subtle
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
	Locale string `json:"locale"` // en, fr, es, zh, ja, de, nl, no, pt-br, ru
}

// Favicon is the picture in a browser's tab: an icon, an emoji, or neither.
type Favicon struct {
	Icon  *ThemedURL `json:"icon,omitempty"`
	Emoji string     `json:"emoji,omitempty"`
}

// Header is the bar above the pages.
type Header struct {
	Preset          string       `json:"preset"` // default, bold, contrast, custom, none
	Logo            *ThemedURL   `json:"logo,omitempty"`
	BackgroundColor *ThemedColor `json:"backgroundColor,omitempty"`
	LinkColor       *ThemedColor `json:"linkColor,omitempty"`
	Links           []HeaderLink `json:"links"`
}

// HeaderLink is a link, button or menu in the header. To is a content reference, nil for a menu.
type HeaderLink struct {
	Title     string         `json:"title"`
	Style     string         `json:"style,omitempty"` // link, button-primary, button-secondary
	To        map[string]any `json:"to"`
	Links     []ContentLink  `json:"links"`
	Condition string         `json:"condition,omitempty"`
}

// ContentLink is a link with a title to a content reference.
type ContentLink struct {
	Title string         `json:"title"`
	To    map[string]any `json:"to"`
}

// Footer is the part below the pages.
type Footer struct {
	Logo      *ThemedURL    `json:"logo,omitempty"`
	Groups    []FooterGroup `json:"groups"`
	Copyright string        `json:"copyright,omitempty"`
}

// FooterGroup is a column of links in the footer.
type FooterGroup struct {
	Title string        `json:"title"`
	Links []ContentLink `json:"links"`
}

// Announcement is a banner above the pages.
type Announcement struct {
	Enabled bool         `json:"enabled"`
	Message string       `json:"message"`
	Link    *ContentLink `json:"link,omitempty"`
	Style   string       `json:"style"` // info, warning, danger, success
}

// Themes says which theme a visitor gets, and whether they can choose. The spelling of the key is the API's.
type Themes struct {
	Default    string `json:"default"` // light, dark
	Toggleable bool   `json:"toggeable"`
}

// AI says what a site offers that needs a language model.
type AI struct {
	Mode              string `json:"mode"` // none, search, assistant
	PageLinkSummaries Toggle `json:"pageLinkSummaries"`
}

// GitCustomization says what pages show of a repository behind the content.
type GitCustomization struct {
	ShowEditLink bool `json:"showEditLink"`
}

// PageActions says what the menu of a page offers.
type PageActions struct {
	ExternalAI bool `json:"externalAI"`
	Markdown   bool `json:"markdown"`
	MCP        bool `json:"mcp"`
}

// ExternalLinks says where links to other sites open.
type ExternalLinks struct {
	Target string `json:"target"` // self, blank
}

// InsightsCustomization says whether counting visitors may set a cookie.
type InsightsCustomization struct {
	TrackingCookie bool `json:"trackingCookie"`
}

// DefaultCustomization is how a site looks and behaves that nobody has customized: every key has a value that the API
// accepts, and features that need something which is not there are off.
func DefaultCustomization() Customization {
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
		},
		Internationalization: Internationalization{Locale: "en"},
		Header:               Header{Preset: "default", Links: []HeaderLink{}},
		Footer:               Footer{Groups: []FooterGroup{}},
		Themes:               Themes{Default: "light", Toggleable: true},
		AI:                   AI{Mode: "none"},
		PageActions:          PageActions{Markdown: true},
		ExternalLinks:        ExternalLinks{Target: "self"},
		Pagination:           Toggle{Enabled: true},
		Trademark:            Toggle{Enabled: true},
		Insights:             InsightsCustomization{TrackingCookie: true},
	}
}

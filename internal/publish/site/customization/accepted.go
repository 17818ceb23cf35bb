package customization

import "strings"

// codeThemes are the names of colours of code.
const codeThemes = "default-light default-dark monochrome-light monochrome-dark andromeeda aurora-x ayu-dark " +
	"catppuccin-frappe " +
	"catppuccin-latte catppuccin-macchiato catppuccin-mocha dark-plus dracula dracula-soft everforest-dark " +
	"everforest-light " +
	"github-dark github-dark-default github-dark-dimmed github-dark-high-contrast github-light github-light-default " +
	"github-light-high-contrast gruvbox-dark-hard gruvbox-dark-medium gruvbox-dark-soft gruvbox-light-hard " +
	"gruvbox-light-medium gruvbox-light-soft houston kanagawa-dragon kanagawa-lotus kanagawa-wave laserwave " +
	"light-plus " +
	"material-theme material-theme-darker material-theme-lighter material-theme-ocean material-theme-palenight " +
	"min-dark " +
	"min-light monokai night-owl nord one-dark-pro one-light plastic poimandres red rose-pine rose-pine-dawn " +
	"rose-pine-moon " +
	"slack-dark slack-ochin snazzy-light solarized-dark solarized-light synthwave-84 tokyo-night vesper " +
	"vitesse-black " +
	"vitesse-dark vitesse-light"

// CodeThemeNames returns the names that a ThemedCode may have.
func CodeThemeNames() []string { return strings.Fields(codeThemes) }

// Names of the API's other lists.
const (
	textFonts = "ABCFavorit Inter Roboto RobotoSlab OpenSans SourceSansPro Lato Ubuntu Raleway Merriweather " +
		"Overpass NotoSans IBMPlexSerif Poppins FiraSans"
	monospaceFonts  = "FiraCode IBMPlexMono JetBrainsMono SourceCodePro RobotoMono SpaceMono DMMono Inconsolata"
	locales         = "en fr es zh ja de nl no pt-br ru ar he fa"
	socialPlatforms = "twitter instagram facebook linkedin github discord slack youtube tiktok reddit " +
		"bluesky mastodon threads medium"
	pageActions = "assistant external-ai markdown mcp git pdf"
)

// Bounds of the title of a site, in characters.
const (
	MinTitle = 2
	MaxTitle = 128
)

// Most things of a list, where the API sets no other bound.
const maxLinks = 60

// maxSynonyms is how many groups of words searches of a site may take for the same.
const maxSynonyms = 100

// Shapes that stand in several places.
var (
	themedColour = object(need("light", colourShape{}), need("dark", colourShape{}))
	themedURL    = object(need("light", urlShape{}), need("dark", urlShape{}))
	onOrOff      = object(need("enabled", flagShape{}))
	contentLink  = object(need("title", text(0, 64)), option("localizedTitle", localizedShape{64}),
		need("to", referenceShape{}))
	themedCode   = object(need("light", words(codeThemes)), need("dark", words(codeThemes)))
	optionalURL  = object(option("url", urlShape{}))
	announcement = object(
		need("enabled", flagShape{}), need("message", text(2, 128)), option("localizedMessage", localizedShape{128}),
		option("link", contentLink), need("style", words("info warning danger success")))
	headerLink = object(
		need("title", text(0, 128)), option("localizedTitle", localizedShape{128}),
		option("style", words("link button-primary button-secondary")),
		nullable("to", referenceShape{}), need("links", list(maxLinks, contentLink)),
		option("condition", conditionShape{}))
	footerGroup = object(need("title", text(0, 128)), option("localizedTitle", localizedShape{128}),
		need("links", list(maxLinks, contentLink)))
	social = object(
		need("platform", words(socialPlatforms)), need("handle", text(1, 128)),
		option("display", object(option("footer", flagShape{}), option("header", flagShape{}))))
)

// customizationShape is what a customization may hold. A member is needed when every description of the API needs it:
// the others keep what a site has by itself when they are left out.
var customizationShape = object(
	option("title", text(MinTitle, MaxTitle)),
	option("localizedTitle", localizedShape{128}),
	need("styling", object(
		need("theme", words("clean muted bold gradient")),
		need("primaryColor", themedColour),
		option("tint", object(need("color", themedColour))),
		need("infoColor", themedColour), need("successColor", themedColour), need("warningColor", themedColour),
		need("dangerColor", themedColour),
		need("corners", words("straight rounded circular")),
		need("depth", words("subtle flat")),
		need("links", words("default accent")),
		need("font", fontShape{textFonts}), option("headingFont", fontShape{textFonts}),
		need("monospaceFont", fontShape{monospaceFonts}),
		need("background", words("plain match")),
		need("icons", words("regular solid duotone light thin")),
		option("codeTheme", object(option("default", themedCode), option("openapi", themedCode))),
		need("sidebar", object(need("background", words("default filled")), need("list", words("default pill line")))),
		need("search", words("prominent subtle")))),
	need("internationalization", object(need("locale", words(locales)))),
	need("favicon", faviconShape{}),
	need("header", object(
		need("preset", words("default bold contrast custom none")),
		option("logo", themedURL), option("primaryLink", referenceShape{}),
		option("backgroundColor", themedColour), option("linkColor", themedColour),
		need("links", list(maxLinks, headerLink)))),
	need("footer", object(option("logo", themedURL), need("groups", list(20, footerGroup)),
		option("copyright", text(0, 512)))),
	option("announcement", announcement),
	need("themes", object(need("default", words("light dark system")), need("toggeable", flagShape{}))),
	option("pdf", onOrOff),
	need("feedback", onOrOff),
	option("aiSearch", onOrOff),
	need("ai", object(
		need("mode", words("none search assistant")), option("pageLinkSummaries", onOrOff),
		option("greeting", text(0, 256)), option("localizedGreeting", localizedShape{128}),
		option("suggestions", list(5, text(3, 64))), option("instructions", textShape{0, 10000, true}))),
	need("advancedCustomization", onOrOff),
	option("git", object(need("showEditLink", flagShape{}))),
	need("pageActions", object(
		option("externalAI", flagShape{}), option("markdown", flagShape{}), option("mcp", flagShape{}),
		option("items", list(6, words(pageActions))))),
	need("externalLinks", object(need("target", words("self blank")))),
	need("pagination", onOrOff),
	need("trademark", onOrOff),
	need("privacyPolicy", optionalURL),
	need("socialPreview", optionalURL),
	option("socialAccounts", list(10, social)),
	need("insights", object(need("trackingCookie", flagShape{}))),
	option("synonyms", list(maxSynonyms, text(3, 200))),
)

// overridable are the values that a space on a site may have of its own, each by the way to it.
var overridable = [][]string{
	{"title"}, {"localizedTitle"},
	{"styling", "theme"}, {"styling", "primaryColor"}, {"styling", "infoColor"}, {"styling", "successColor"},
	{"styling", "warningColor"},
	{"styling", "dangerColor"}, {"styling", "tint"}, {"styling", "corners"}, {"styling", "depth"}, {"styling", "links"},
	{"styling", "icons"},
	{"styling", "font"}, {"styling", "headingFont"}, {"styling", "monospaceFont"},
	{"styling", "sidebar", "background"}, {"styling", "sidebar", "list"}, {"styling", "search"},
	{"styling", "background"},
	{"styling", "codeTheme", "default"}, {"styling", "codeTheme", "openapi"},
	{"internationalization", "locale"}, {"favicon"}, {"announcement"},
	{"header", "preset"}, {"header", "logo"}, {"header", "primaryLink"}, {"header", "backgroundColor"},
	{"header", "linkColor"}, {"header", "links"},
	{"footer", "logo"}, {"footer", "groups"}, {"footer", "copyright"},
	{"themes", "default"}, {"themes", "toggeable"}, {"feedback", "enabled"}, {"externalLinks", "target"},
	{"pagination", "enabled"},
	{"trademark", "enabled"}, {"privacyPolicy", "url"}, {"socialPreview", "url"},
}

package page

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/engine/direction"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/site/customization"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
	"github.com/rectodocs/recto/internal/serve/pub/theme"
	"github.com/rectodocs/recto/internal/serve/pub/words"
)

//go:embed templates/*.html
var templateFiles embed.FS

// View is everything that a page of a site shows. Which fields are set depends on the template.
type View struct {
	Site     siteView
	Assets   assetView
	Words    *words.Words
	Language string
	// Direction is how text in the language runs, ArticleDirection how that of the article does where it differs.
	Direction, ArticleDirection string
	// Title is what the browser calls the page, Heading its own title, HeadingHTML that title with its code marked.
	Title       string
	Heading     string
	HeadingHTML template.HTML
	Icon        template.HTML
	Description string
	// Tags are those of the page, the primary ones first.
	Tags []string
	// Summary is the description for search engines and previews.
	Summary   string
	Kind      string // of Open Graph: article or website
	Canonical string
	// Social is the picture that stands for the page where somebody shows a link to it.
	Social      pictureView
	NoIndex     bool
	Breadcrumbs template.JS
	Markdown    string
	Frames      string
	// BlockFrames are the servers that blocks of integrations may show in frames, with spaces between.
	BlockFrames string
	// BlockPage is what these frames are told of the page, as JSON.
	BlockPage string
	// Structure is the menus of the site's sections and variants, nil for none; Alternates are the page in other
	// languages.
	Structure  *structureView
	Alternates []alternateView
	// Preview says what is shown instead of the live content.
	Preview string
	// Inspection is set for a member who looks at the site as a visitor, Choice and Reasons on the pages that go with
	// that.
	Inspection *scope.Inspection
	Choice     *ChoiceView
	Reasons    []ReasonView
	// Translation is a note on a translation that is behind its original.
	Translation *translationView

	Navigation                               template.HTML
	Crumbs                                   []linkView
	Cover                                    *coverView
	ShowTitle, ShowDescription, ShowMarkdown bool
	// Actions are what the menu of the page offers besides its Markdown.
	Actions []linkView
	// Edit leads to where the file that the page came from is edited, nil for none.
	Edit *linkView
	// Feedback is the id of a page whose readers are asked whether it helped.
	Feedback string
	Wide     bool
	// Reference says that the page describes operations of an API, with examples beside them.
	Reference      bool
	Outline        []outlineView
	Body           template.HTML
	Listing        []linkView
	Previous, Next *linkView
	Updated        string
	Modified       string

	// Of pages that are no articles.
	Suggestions []linkView
	Query       string
	Count       string
	Hits        []hitView
	// Closest is what is said when no page has all words; Meant leads to what may have been meant.
	Closest, MeantLabel string
	Meant               *linkView
	Pages               []linkView
	// Refresh asks for the page again after so many seconds.
	Refresh int
}

// siteView is what all pages of a site share.
type siteView struct {
	Title, Initial, Emoji, Logo, LogoDark string
	FooterLogo, FooterLogoDark            string
	Favicon                               template.URL
	FaviconDark                           string
	Home                                  string // of the space, with a slash at its end
	Root                                  string // of the site, likewise
	Brand                                 string // where the logo leads
	Search                                string
	// DefaultTheme is light, dark, or "" for the system's; FixedTheme is one that readers cannot change.
	DefaultTheme, FixedTheme string
	// NoSwitch says that readers cannot choose.
	NoSwitch bool
	Style    template.CSS
	// Classes name the choices of the look, BarLight and BarDark colour the browser's bar.
	Classes, BarLight, BarDark     string
	Links                          []linkView
	Footer                         []footerView
	Announcement                   *announcementView
	HeaderAccounts, FooterAccounts []socialView
	// Scripts are those of integrations, AskedScripts the addresses of those that a reader is asked about first, with
	// spaces between. Script is what our own says in another language than English, as JSON.
	Scripts              []string
	AskedScripts, Script string
	// ScriptAsks says that one of the Scripts asks readers about cookies itself.
	ScriptAsks bool
	// NoTracking says that the site wants no cookies to count visitors.
	NoTracking bool
	// BlockWords is what the script of blocks says, as JSON.
	BlockWords        string
	Copyright         string
	Logout            string // where visitors who have signed in sign out
	Privacy           string
	Agents, Trademark bool
}

// assetView is the addresses of the files that a page uses.
type assetView struct {
	Theme, Script, Style, Font string
	// Chosen are the style sheets of what the site has chosen: its look, its fonts.
	Chosen []string
	// Empty on pages without math or diagrams.
	Katex, KatexStyle, Diagram string
	// Blocks is the script of blocks of integrations, empty on pages without one.
	Blocks string
	// Readers is what scripts of integrations find, empty on pages without one.
	Readers string
}

type linkView struct {
	Title, URL, Description, Class string
	// External links lead to other servers; NoFollow asks robots to leave it alone.
	External, NewTab, NoFollow bool
	// Links make it a menu.
	Links []linkView
}

// pictureView is a picture for those who show links: its address with scheme and host, and its pixels where they are
// known.
type pictureView struct {
	URL           string
	Width, Height int
}

type coverView struct {
	URL, Dark, Class string
}

type outlineView struct {
	ID, Title string
	Sub       bool
	// Method is the badge of the operation that an entry leads to, "" for other entries.
	Method template.HTML
}

// hitView is one page among the results of a search; texts alternate between plain and highlighted.
type hitView struct {
	Title    []string
	URL      string
	Crumb    string
	Text     []string // of the page's opening
	Sections []hitSectionView
}

type hitSectionView struct {
	Title []string
	URL   string
	Text  []string
}

func loadTemplates() (*template.Template, error) {
	functions := template.FuncMap{
		"odd": func(i int) bool { return i%2 == 1 }, "in": words.Fill,
		"has": func(texts []string, text string) bool { return slices.Contains(texts, text) },
	}
	t, err := template.New("").Funcs(functions).ParseFS(templateFiles, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("parse templates: %w", err)
	}
	return t, nil
}

// write executes the template of a kind of page.
func (v *View) write(w io.Writer, t *template.Template, name string) error {
	if err := t.ExecuteTemplate(w, name, v); err != nil {
		return fmt.Errorf("write %s page: %w", name, err)
	}
	return nil
}

// Version identifies what pages are made with: the templates and the assets.
func Version(assets *theme.Assets) (string, error) {
	hash := sha256.New()
	err := fs.WalkDir(templateFiles, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := templateFiles.ReadFile(path)
		hash.Write(body)
		return err
	})
	if err != nil {
		return "", err
	}
	hash.Write([]byte(assets.Version()))
	return hex.EncodeToString(hash.Sum(nil)[:6]), nil
}

// view starts what a page of the site shows: everything that is not the page's own.
func NewView(s *scope.Scope) *View {
	settings, chosen, title := s.Customization(), s.Theme(), s.Title()
	v := &View{
		Words:    chosen.Words,
		Language: s.Language(),
		Kind:     "website",
		NoIndex:  s.Served.Site.Visibility != site.VisibilityPublic,
		Frames:   strings.Join(render.EmbedOrigins(), " "),
		Assets: assetView{Theme: assetURL(s, "theme.js"), Script: assetURL(s, "site.js"),
			Style: assetURL(s, "site.css")},
		Site: siteView{
			Title: title, Initial: initial(title), Emoji: emojiOf(s),
			Home: s.Home, Root: s.SiteHome(), Search: s.SearchPath(), Style: template.CSS(chosen.Style),
			Classes: chosen.Classes, BarLight: chosen.BarLight, BarDark: chosen.BarDark,
			Copyright: settings.Footer.Copyright, Agents: s.Served.Site.AgentsContext != site.AgentsExcluded,
			Trademark: settings.Trademark.Enabled,
			Script:    chosen.Words.ScriptJSON(), BlockWords: chosen.Words.Block.ScriptJSON(),
		},
	}
	if chosen.Fonts.Preload != "" {
		v.Assets.Font = assetURL(s, chosen.Fonts.Preload)
	}
	if chosen.Classes != "" {
		v.Assets.Chosen = append(v.Assets.Chosen, assetURL(s, "look.css"))
	}
	for _, sheet := range chosen.Fonts.Sheets {
		v.Assets.Chosen = append(v.Assets.Chosen, assetURL(s, sheet))
	}
	if s.Preview != nil {
		v.Preview, v.NoIndex = s.Preview.Label, true
	}
	if s.Inspection != nil {
		v.NoIndex, v.Inspection = true, s.Inspection
		as := chosen.Words.Visit.As(s.Inspection.Claims)
		if s.Preview != nil {
			as = s.Preview.Label + " · " + as
		}
		v.Preview = as
	}
	if v.Language == "" {
		v.Language = chosen.Words.Tag
	}
	v.Direction = direction.OfLanguage(v.Language)
	switch usual := settings.Themes.Default; {
	case !settings.Themes.Toggleable && usual == "system":
		v.Site.NoSwitch = true
	case !settings.Themes.Toggleable:
		v.Site.FixedTheme, v.Site.NoSwitch = usual, true
	case usual != "system":
		v.Site.DefaultTheme = usual
	}
	v.Site.Logo, v.Site.LogoDark = logoOf(settings.Header.Logo)
	v.Site.FooterLogo, v.Site.FooterLogoDark = logoOf(settings.Footer.Logo)
	v.Site.Brand = s.SiteHome()
	if to := settings.Header.PrimaryLink; to != nil {
		if target := targetOf(s, to); !target.Broken && response.Sendable(target.URL) {
			v.Site.Brand = target.URL
		}
	}
	if response.Sendable(settings.PrivacyPolicy.URL) {
		v.Site.Privacy = settings.PrivacyPolicy.URL
	}
	v.Site.Links, v.Site.Footer, v.Site.Announcement = headerLinks(s), footerGroups(s), announcement(s)
	v.Site.HeaderAccounts = socials(s, func(d customization.SocialDisplay) bool { return d.Header })
	v.Site.FooterAccounts = socials(s, func(d customization.SocialDisplay) bool { return d.Footer })
	if s.Preview == nil {
		free, asked, asks := scriptsOf(s.Served.Scripts)
		v.Site.Scripts, v.Site.ScriptAsks = free, asks
		if len(asked) > 0 {
			v.Site.AskedScripts = strings.Join(asked, " ")
		}
		if len(free)+len(asked) > 0 {
			v.Assets.Readers, v.Site.NoTracking = assetURL(s, "gitbook.js"), !settings.Insights.TrackingCookie
		}
	}
	if s.Served.Site.Visibility == site.VisibilityVisitorAuth && s.Inspection == nil {
		v.Site.Logout = s.Root + scope.SignOutPath
	}
	v.Structure = structure(context.Background(), s, nil)
	v.Site.Favicon = theme.Favicon(settings, v.Site.Emoji, v.Site.Initial)
	if icon := settings.Favicon.Icon; icon != nil && response.Sendable(icon.Light) {
		v.Site.Favicon = template.URL(icon.Light)
		if response.Sendable(icon.Dark) && icon.Dark != icon.Light {
			v.Site.FaviconDark = icon.Dark
		}
	}
	return v
}

// emojiOf is the emoji of the site, the same on all of its parts; "" for none.
func emojiOf(s *scope.Scope) string {
	if emoji := edition.EmojiText(s.Customization().Favicon.Emoji); emoji != "" {
		return emoji
	}
	first, _ := s.Served.Default()
	return edition.EmojiText(first.Emoji)
}

// logoOf returns the addresses of a picture in both themes; dark is "" where it is the same.
func logoOf(logo *customization.ThemedURL) (light, dark string) {
	if logo == nil || !response.Sendable(logo.Light) {
		return "", ""
	}
	if response.Sendable(logo.Dark) && logo.Dark != logo.Light {
		dark = logo.Dark
	}
	return logo.Light, dark
}

// sources are what pages of the site may load besides their own files.
func sources(s *scope.Scope) response.Sources {
	sources := response.Sources{Frames: frameOrigins(s), Fonts: s.Theme().Fonts.Origins}
	if s.Preview == nil {
		for _, script := range s.Served.Scripts {
			if origin := originOf(script); origin != "" && !slices.Contains(sources.Scripts, origin) {
				sources.Scripts = append(sources.Scripts, origin)
			}
		}
	}
	return sources
}

// assetURL is the address of a static file.
func assetURL(s *scope.Scope, name string) string {
	return s.Root + "~/assets/" + s.Services.Themes.Assets.File(name)
}

// initial is the first letter or digit of a title, in upper case.
func initial(title string) string {
	for _, r := range title {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return string(unicode.ToUpper(r))
		}
	}
	r, _ := utf8.DecodeRuneInString("§")
	return string(r)
}

package pub

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"slices"

	"github.com/rectodocs/recto/internal/serve/pub/theme"
	"github.com/rectodocs/recto/internal/serve/pub/words"
)

//go:embed templates/*.html
var templateFiles embed.FS

// view is everything that a page of a site shows. Which fields are set depends on the template.
type view struct {
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
	// Summary is the description for search engines and previews.
	Summary     string
	Kind        string // of Open Graph: article or website
	Canonical   string
	SocialImage string
	NoIndex     bool
	Breadcrumbs template.JS
	Markdown    string
	Frames      string
	// Structure is the menus of the site's sections and variants, nil for none; Alternates are the page in other
	// languages.
	Structure  *structureView
	Alternates []alternateView
	// Preview says what is shown instead of the live content.
	Preview string
	// Inspection is set for a member who looks at the site as a visitor, Choice and Reasons on the pages that go with
	// that.
	Inspection *inspection
	Choice     *choiceView
	Reasons    []reasonView
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
	Feedback       string
	Wide           bool
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
	Pages       []linkView
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
	Copyright            string
	Logout               string // where visitors who have signed in sign out
	Privacy              string
	Agents, Trademark    bool
}

// assetView is the addresses of the files that a page uses.
type assetView struct {
	Theme, Script, Style, Font string
	// Chosen are the style sheets of what the site has chosen: its look, its fonts.
	Chosen []string
	// Empty on pages without math or diagrams.
	Katex, KatexStyle, Diagram string
}

type linkView struct {
	Title, URL, Description, Class string
	// External links lead to other servers; NoFollow asks robots to leave it alone.
	External, NewTab, NoFollow bool
	// Links make it a menu.
	Links []linkView
}

type coverView struct {
	URL, Dark, Class string
}

type outlineView struct {
	ID, Title string
	Sub       bool
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
func (v *view) write(w io.Writer, t *template.Template, name string) error {
	if err := t.ExecuteTemplate(w, name, v); err != nil {
		return fmt.Errorf("write %s page: %w", name, err)
	}
	return nil
}

// programVersion identifies what pages are made with: the templates and the assets.
func programVersion(assets *theme.Assets) (string, error) {
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

package theme

import (
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/publish/site/customization"
)

// typeface is a font that a site may choose.
type typeface struct {
	// family is what style sheets call it, file how the names of its files begin. A face without files is drawn with
	// what the reader's system has, and else with what stands behind it.
	family, file string
	// behind is what is used until the font has come, and for letters that it has not.
	behind string
}

// What stands behind the fonts of each kind. Scripts that no bundled font has are the system's business.
const (
	behindSans  = `ui-sans-serif,system-ui,"PingFang SC","Hiragino Sans","Noto Sans CJK SC","Noto Sans SC","Microsoft YaHei","Yu Gothic UI","Malgun Gothic",sans-serif`
	behindSerif = `Georgia,"Times New Roman","Songti SC","Noto Serif CJK SC","Noto Serif SC",serif`
	behindMono  = `ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"Liberation Mono",monospace`
)

// typefaces are the fonts of the API's lists. ABC Favorit is sold, and the licence of Ubuntu is none of those that this
// program may carry: the first is Inter, the second is the system's Ubuntu or else Open Sans.
var typefaces = map[string]typeface{
	"ABCFavorit": {"Inter", "", behindSans}, "Inter": {"Inter", "", behindSans},
	"Roboto": {"Roboto", "roboto", behindSans}, "RobotoSlab": {"Roboto Slab", "roboto-slab", behindSerif},
	"OpenSans":      {"Open Sans", "open-sans", behindSans},
	"SourceSansPro": {"Source Sans 3", "source-sans-3", behindSans}, "Lato": {"Lato", "lato", behindSans},
	"Ubuntu":  {"Ubuntu", "open-sans", `"Open Sans",` + behindSans},
	"Raleway": {"Raleway", "raleway", behindSans}, "Merriweather": {"Merriweather", "merriweather", behindSerif},
	"Overpass": {"Overpass", "overpass", behindSans},
	"NotoSans": {"Noto Sans", "noto-sans", behindSans}, "IBMPlexSerif": {"IBM Plex Serif", "ibm-plex-serif",
		behindSerif}, "Poppins": {"Poppins", "poppins", behindSans},
	"FiraSans": {"Fira Sans", "fira-sans", behindSans},

	"JetBrainsMono": {"JetBrains Mono", "", behindMono}, "FiraCode": {"Fira Code", "fira-code", behindMono},
	"IBMPlexMono":   {"IBM Plex Mono", "ibm-plex-mono", behindMono},
	"SourceCodePro": {"Source Code Pro", "source-code-pro", behindMono}, "RobotoMono": {"Roboto Mono", "roboto-mono",
		behindMono},
	"SpaceMono": {"Space Mono", "space-mono", behindMono}, "DMMono": {"DM Mono", "dm-mono", behindMono},
	"Inconsolata": {"Inconsolata", "inconsolata", behindMono},
}

// subsets are the letters that the files of a subset have.
var subsets = map[string]string{
	"latin": "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F," +
		"U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD",
	"latin-ext": "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF," +
		"U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF",
	"cyrillic": "U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116",
}

// fontSheets makes the style sheet of each bundled font that is not in the site's own: a page loads the one that its
// site has chosen, and the browser the files whose letters are there.
func fontSheets(set *Assets) error {
	files, err := fs.Glob(embedded, "assets/fonts/*.woff2")
	if err != nil {
		return err
	}
	for _, face := range typefaces {
		name := "font-" + face.file + ".css"
		if face.file == "" || set.byName[name] != nil {
			continue
		}
		var sheet strings.Builder
		for _, file := range files {
			base := path.Base(file)
			rest, ours := strings.CutPrefix(base, face.file+"-")
			rest = strings.TrimSuffix(rest, "-normal.woff2")
			i := strings.LastIndexByte(rest, '-')
			if !ours || i < 0 || subsets[rest[:i]] == "" {
				continue
			}
			weight := rest[i+1:]
			if weight == "wght" {
				weight = "100 900"
			}
			fmt.Fprintf(&sheet,
				`@font-face{font-family:"%s";font-weight:%s;font-display:swap;src:url(asset:%s) format("woff2");unicode-range:%s}`+"\n",
				bundledFamily(face), weight, base, subsets[rest[:i]])
		}
		set.add(name, []byte(sheet.String()))
	}
	return nil
}

// bundledFamily is the name of the font in a face's files.
func bundledFamily(face typeface) string {
	if face.family == "Ubuntu" {
		return "Open Sans"
	}
	return face.family
}

// Fonts is what the fonts of a site come to.
type Fonts struct {
	// Sheets are the names of the style sheets to load, Preload that of a file that every page needs first.
	Sheets  []string
	Preload string
	// Origins is where fonts come from besides this server.
	Origins []string

	rules string // for the page's own style element
}

// fontsOf reads the fonts of a customization.
func fontsOf(set *Assets, styling customization.Styling) Fonts {
	chosen := Fonts{Preload: "inter-latin-wght-normal.woff2"}
	var rules, vars strings.Builder
	for _, each := range []struct {
		property string
		value    any
		usual    string
	}{{"font", styling.Font, "Inter"}, {"heading-font", styling.HeadingFont, ""}, {"mono", styling.MonospaceFont,
		"JetBrainsMono"}} {
		name, defined := customization.FontOf(each.value)
		switch face := typefaces[name]; {
		case defined != nil:
			rules.WriteString(chosen.define(defined))
			behind := behindSans
			if each.property == "mono" {
				behind = behindMono
			}
			vars.WriteString("--" + each.property + `:"` + defined.Family + `",` + behind + ";")
			if each.property == "font" {
				chosen.Preload = ""
			}
		case name == "" || name == each.usual || face.family == "":
		default:
			vars.WriteString("--" + each.property + `:"` + face.family + `",` + face.behind + ";")
			if face.file != "" {
				if sheet := "font-" + face.file + ".css"; !slices.Contains(chosen.Sheets, sheet) {
					chosen.Sheets = append(chosen.Sheets, sheet)
				}
				if each.property == "font" {
					chosen.Preload = firstFile(set, face.file)
				}
			}
		}
	}
	chosen.rules = rules.String()
	if vars.Len() > 0 {
		chosen.rules += ":root{" + strings.TrimSuffix(vars.String(), ";") + "}"
	}
	return chosen
}

// firstFile is the file with the letters of most pages in the weight of their text.
func firstFile(set *Assets, file string) string {
	for _, weight := range []string{"wght", "400"} {
		if name := file + "-latin-" + weight + "-normal.woff2"; set.byName[name] != nil {
			return name
		}
	}
	return ""
}

// define writes the faces of a font that is loaded from elsewhere. Package site lets nothing into its name and
// addresses that ends a text of a style sheet; what does is left out here all the same.
func (c *Fonts) define(font *customization.Font) string {
	var rules strings.Builder
	if strings.ContainsAny(font.Family, "\"\\;{}<>\n") {
		return ""
	}
	for _, face := range font.Faces {
		var sources []string
		for _, source := range face.Sources {
			address, err := url.Parse(source.URL)
			if err != nil || strings.ContainsAny(source.URL, "\"\\<>()' \n") || address.Scheme != "http" &&
				address.Scheme != "https" {
				continue
			}
			origin := address.Scheme + "://" + address.Host
			if !slices.Contains(c.Origins, origin) {
				c.Origins = append(c.Origins, origin)
			}
			text := `url("` + source.URL + `")`
			if source.Format != "" {
				text += ` format("` + source.Format + `")`
			}
			sources = append(sources, text)
		}
		if len(sources) > 0 {
			fmt.Fprintf(&rules, `@font-face{font-family:"%s";font-weight:%d;font-display:swap;src:%s}`, font.Family,
				face.Weight, strings.Join(sources, ","))
		}
	}
	return rules.String()
}

// FontFiles returns the font files of published sites by their names, for other pages of the product that look alike.
func FontFiles() fs.FS {
	fonts, err := fs.Sub(embedded, "assets/fonts")
	if err != nil {
		panic(err) // the name is a constant and valid
	}
	return fonts
}

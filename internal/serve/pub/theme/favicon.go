package theme

import (
	"html"
	"html/template"
	"image/color"
	"net/url"

	"github.com/rectodocs/recto/internal/publish/site/customization"
)

// Favicon is an SVG of a site's emoji, or of its initial on its colour, as a data address.
func Favicon(c *customization.Customization, emoji, initial string) template.URL {
	background, text := markOf(c)
	drawing :=
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="` +
			background.String() +
			`"/><text x="16" y="22.5" font-family="system-ui,sans-serif" font-size="19" font-weight="700" text-anchor="middle" fill="` + text.String() + `">` + html.EscapeString(initial) + `</text></svg>`
	if emoji != "" {
		drawing =
			`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><text x="16" y="27" font-size="28" text-anchor="middle">` + html.EscapeString(emoji) + `</text></svg>`
	}
	return template.URL("data:image/svg+xml," + url.PathEscape(drawing))
}

// Mark is the colours of a site's mark in the light theme: its own, as far as text is readable on it, and that of the
// text.
func Mark(c *customization.Customization) (background, text color.RGBA) {
	fill, ink := markOf(c)
	return fill.rgba(), ink.rgba()
}

func markOf(c *customization.Customization) (background, text colour) {
	primary, ok := parseColour(c.Styling.PrimaryColor.Light)
	if !ok {
		primary = defaultPrimary
	}
	return fill(primary)
}

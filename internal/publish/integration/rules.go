package integration

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
)

func (p *prepared) checkTexts() (err error) {
	if p.Runtime == "" {
		p.Runtime = RuntimeV1
	}
	if p.Visibility == "" {
		p.Visibility = Private
	}
	if p.Target == "" {
		p.Target = TargetAll
	}
	if err := field.OneOf("runtime", p.Runtime, RuntimeV1, RuntimeV2); err != nil {
		return err
	}
	if err := field.OneOf("visibility", p.Visibility, Public, Unlisted, Private); err != nil {
		return err
	}
	if err := field.OneOf("target", p.Target, TargetAll, TargetOrganization, TargetSite, TargetSpace); err != nil {
		return err
	}
	if p.Title, err = field.Text("title", p.Title, 2, 30); err != nil {
		return err
	}
	if p.Description, err = field.Text("description", p.Description, 0, 100); err != nil {
		return err
	}
	p.Summary, err = lines("summary", p.Summary, maxSummary)
	return err
}

// lines is field.Text for a text of many lines.
func lines(path, text string, most int) (string, error) {
	if !field.Storable(text) || strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t'
	}) {
		return "", errs.Invalidf(path, "has to be valid UTF-8 without control characters but line breaks and tabs")
	}
	if n := utf8.RuneCountInString(text); n > most {
		return "", errs.Invalidf(path, "has %d characters; up to %d are accepted", n, most)
	}
	return text, nil
}

func (p *prepared) checkLists() error {
	for i, scope := range p.Scopes {
		if err := field.OneOf(fmt.Sprintf("scopes[%d]", i), scope, Scopes...); err != nil {
			return err
		}
	}
	for i, category := range p.Categories {
		if err := field.OneOf(fmt.Sprintf("categories[%d]", i), category, Categories...); err != nil {
			return err
		}
	}
	p.Scopes, p.Categories = unique(p.Scopes), unique(p.Categories)
	return nil
}

// unique returns each word once, in the order of their first places.
func unique[T comparable](words []T) []T {
	out := make([]T, 0, len(words))
	for _, word := range words {
		if !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out
}

func (p *prepared) checkBlocks() error {
	if len(p.Blocks) > maxBlocks {
		return errs.Invalidf("blocks", "has %d blocks; up to %d are accepted", len(p.Blocks), maxBlocks)
	}
	p.Blocks = slices.Clone(p.Blocks)
	for i := range p.Blocks {
		b, path := &p.Blocks[i], fmt.Sprintf("blocks[%d]", i)
		if err := described(path, &b.ID, &b.Title, &b.Description, b.Icon); err != nil {
			return err
		}
		if slices.ContainsFunc(p.Blocks[:i], func(other Block) bool { return other.ID == b.ID }) {
			return errs.Invalidf(path+".id", "%q is the id of another block", b.ID)
		}
		if len(b.URLUnfurl) > maxUnfurls {
			return errs.Invalidf(path+".urlUnfurl", "has %d patterns; up to %d are accepted", len(b.URLUnfurl),
				maxUnfurls)
		}
		for j, pattern := range b.URLUnfurl {
			domains, err := domainsOf(fmt.Sprintf("%s.urlUnfurl[%d]", path, j), pattern)
			if err != nil {
				return err
			}
			p.domains = unique(append(p.domains, domains...))
		}
		if b.Markdown == nil {
			continue
		}
		markdown := *b.Markdown
		var err error
		if markdown.Codeblock, err = field.Text(path+".markdown.codeblock", markdown.Codeblock, 1,
			maxName); err != nil {
			return err
		}
		if markdown.Body, err = field.Text(path+".markdown.body", markdown.Body, 1, maxName); err != nil {
			return err
		}
		b.Markdown = &markdown
	}
	return nil
}

// described checks what blocks and content sources have in common.
func described(path string, key, title, description *string, icon string) (err error) {
	if *key, err = field.Text(path+".id", *key, 1, maxName); err != nil {
		return err
	}
	if *title, err = field.Text(path+".title", *title, 2, 40); err != nil {
		return err
	}
	if *description, err = field.Text(path+".description", *description, 0, 150); err != nil {
		return err
	}
	if icon == "" {
		return nil
	}
	if inlinePicture.MatchString(icon) && len(icon) <= maxInlinePic || isBase64(icon) {
		return nil
	}
	_, err = field.URL(path+".icon", icon)
	return err
}

// inlinePicture is the form of a picture that is its own address.
var inlinePicture = regexp.MustCompile(`^data:image/(?:png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$`)

// isBase64 reports whether an icon is the bytes of a picture, as clients of the API family send them, and not an
// address.
func isBase64(icon string) bool { return !strings.Contains(icon, ":") }

// hostPattern is the host of a pattern of links; an asterisk stands for any part of a name.
var hostPattern = regexp.MustCompile(`^(?:\*|[a-z0-9*-]+(?:\.[a-z0-9*-]+)*)(?::[0-9]{1,5})?$`)

// domainsOf returns the domains that a pattern of links is found by: that of its host and those above it, but for the
// last label alone.
func domainsOf(path, pattern string) ([]string, error) {
	refused := errs.Invalidf(path, "%.60q is no pattern of links; one like https://www.example.com/files/** is",
		pattern)
	if len(pattern) > maxUnfurl || !field.Storable(pattern) || strings.ContainsFunc(pattern, unicode.IsControl) {
		return nil, refused
	}
	rest, ok := strings.CutPrefix(pattern, "https://")
	if !ok {
		if rest, ok = strings.CutPrefix(pattern, "http://"); !ok {
			return nil, refused
		}
	}
	host, _, _ := strings.Cut(strings.ToLower(rest), "/")
	if !hostPattern.MatchString(host) {
		return nil, refused
	}
	host, _, _ = strings.Cut(host, ":")
	labels := strings.Split(host, ".")
	var domains []string
	for len(labels) > 1 {
		if domain := strings.Join(labels, "."); !strings.Contains(domain, "*") {
			domains = append(domains, domain)
		}
		labels = labels[1:]
	}
	if domains == nil && !strings.Contains(host, "*") {
		domains = []string{host}
	}
	return domains, nil
}

func (p *prepared) checkSources() error {
	if len(p.ContentSources) > maxBlocks {
		return errs.Invalidf("contentSources", "has %d sources; up to %d are accepted", len(p.ContentSources),
			maxBlocks)
	}
	p.ContentSources = slices.Clone(p.ContentSources)
	for i := range p.ContentSources {
		source, path := &p.ContentSources[i], fmt.Sprintf("contentSources[%d]", i)
		if err := described(path, &source.ID, &source.Title, &source.Description, source.Icon); err != nil {
			return err
		}
		if slices.ContainsFunc(p.ContentSources[:i], func(other ContentSource) bool { return other.ID == source.ID }) {
			return errs.Invalidf(path+".id", "%q is the id of another content source", source.ID)
		}
		var err error
		if source.ComponentID, err = field.Text(path+".configuration.componentId", source.ComponentID, 1,
			maxName); err != nil {
			return err
		}
	}
	return nil
}

func (p *prepared) checkLinks() error {
	if len(p.ExternalLinks) > maxLinks {
		return errs.Invalidf("externalLinks", "has %d links; up to %d are accepted", len(p.ExternalLinks), maxLinks)
	}
	p.ExternalLinks = slices.Clone(p.ExternalLinks)
	for i := range p.ExternalLinks {
		link, path := &p.ExternalLinks[i], fmt.Sprintf("externalLinks[%d]", i)
		var err error
		if link.URL, err = linkAddress(path+".url", link.URL); err != nil {
			return err
		}
		if link.Label, err = field.Text(path+".label", link.Label, 1, 100); err != nil {
			return err
		}
	}
	return nil
}

// linkAddress is field.URL that takes mailto as well, which is how integrations give an address for help.
func linkAddress(path, address string) (string, error) {
	if u, err := url.Parse(strings.TrimSpace(address)); err == nil && u.Scheme == "mailto" && strings.Contains(u.Opaque,
		"@") {
		return field.Text(path, address, 1, field.MaxURL)
	}
	return field.URL(path, address)
}

func (p *prepared) checkSecrets() error {
	if p.Secrets == nil {
		return nil
	}
	if len(p.Secrets) > maxSecrets {
		return errs.Invalidf("secrets", "has %d secrets; up to %d are accepted", len(p.Secrets), maxSecrets)
	}
	for name, value := range p.Secrets {
		if len(name) > maxName || !namePattern.MatchString(name) {
			return errs.Invalidf("secrets",
				"%.60q is no name of a secret; 1 to %d characters of a-z, A-Z, 0-9, hyphen, dot and underscore are",
				name, maxName)
		}
		if len(value) > maxSecret || !utf8.ValidString(value) {
			return errs.Invalidf("secrets."+name, "is longer than %d bytes or not valid UTF-8", maxSecret)
		}
	}
	encoded, err := json.Marshal(p.Secrets)
	if err != nil {
		return fmt.Errorf("encode secrets: %w", err)
	}
	p.secrets = string(encoded)
	return nil
}

func (p *prepared) checkScript() error {
	switch {
	case strings.TrimSpace(p.Script) == "":
		return errs.Invalidf("script", "is empty")
	case len(p.Script) > maxScript:
		return errs.New(errs.TooLarge, "The script has %d bytes; up to %d (5 MB) are accepted.", len(p.Script),
			maxScript)
	case !utf8.ValidString(p.Script):
		return errs.Invalidf("script", "has to be valid UTF-8")
	}
	return nil
}

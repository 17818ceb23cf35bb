package entity

import (
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
)

// Limits of an entry's fields, in characters unless they say otherwise.
const (
	MaxTitleLength         = 250
	MaxLinkTitleLength     = 100
	MaxDescriptionLength   = 300
	MaxEmojiLength         = 50
	MaxIconLength          = 50
	MaxConditionLength     = 1024
	MaxTagLength           = 100
	MaxTags                = 100
	MaxURLLength           = 2048
	MaxNameLength          = 255
	MaxPathLength          = 1024
	MaxContentTypeLength   = 255
	MaxVariableNameLength  = 100
	MaxVariableValueLength = 256
	MaxVariables           = 1000
)

// common lists the fields that every kind may have.
var common = []string{"kind", "createdAt", "updatedAt"}

// pageFields returns the fields that pages of every type may have beside the common ones, and some more.
func pageFields(more ...string) []string {
	names := []string{
		"type", "parent", "position", "slug", "title", "linkTitle", "emoji", "icon", "description", "layout", "cover",
		"tags", "condition", "owner", "extra", "variables", "frontMatter", "path", "git",
	}
	for _, flag := range pageFlags {
		names = append(names, flag.Name)
	}
	return append(names, more...)
}

// allowed lists the fields that an entry may have beside the common ones, by its kind and, for pages, type.
var allowed = map[string][]string{
	"page/document":  pageFields("body"),
	"page/group":     pageFields(),
	"page/link":      pageFields("target"),
	"page/computed":  pageFields("computed"),
	string(KindFile): {"name", "path", "contentType", "size", "width", "height", "blob", "git"},
	string(KindReusable): {"title", "emoji", "icon", "description", "tags", "extra", "frontMatter", "body", "name",
		"path", "git"},
	string(KindVariables): {"variables"},
	string(KindRedirect):  {"parent", "path", "target"},
}

// Has reports whether an entry of a kind and, for pages, type may have the field of a name.
func Has(kind Kind, page PageType, field string) bool {
	return slices.Contains(common, field) || slices.Contains(allowed[sortOf(kind, page)], field)
}

func sortOf(kind Kind, page PageType) string {
	if kind == KindPage {
		return string(kind) + "/" + string(page)
	}
	return string(kind)
}

// targetFields lists which references a target of each kind needs and may have; "?" marks what is optional.
var targetFields = map[doc.RefKind][]string{
	doc.RefURL:             {"url"},
	doc.RefFile:            {"file", "space?"},
	doc.RefPage:            {"page", "space?"},
	doc.RefAnchor:          {"anchor", "page?", "space?"},
	doc.RefUser:            {"user"},
	doc.RefCollection:      {"collection"},
	doc.RefSpace:           {"space"},
	doc.RefReusableContent: {"reusableContent", "space?"},
	doc.RefTag:             {"tag", "space?"},
	doc.RefOpenAPI:         {"spec"},
}

// Validate checks an entry by itself: the form of its id, the fields that its kind and type may have and must have,
// lengths and alphabets. It returns an errs.Invalid error that names the field, or nil. It cannot know whether what
// the entry refers to exists.
func (e *Entry) Validate() error {
	if err := e.validateID(); err != nil {
		return err
	}
	sort := sortOf(e.Kind, e.Type)
	names, known := allowed[sort]
	if !known {
		if e.Kind == KindPage {
			return errs.Invalidf("type", "page type %.40q is not known; use document, group, link or computed", e.Type)
		}
		return errs.Invalidf("kind", "kind %.40q is not known", e.Kind)
	}
	for _, f := range fields {
		if f.get(e) != nil && !slices.Contains(names, f.Name) && !slices.Contains(common, f.Name) {
			return errs.Invalidf(f.Name, "a %s cannot have this field", strings.Replace(sort, "page/", "page of type ",
				1))
		}
	}
	for _, check := range []func() error{e.validateTexts, e.validateKind, e.validateValues} {
		if err := check(); err != nil {
			return err
		}
	}
	if _, err := Encode(e); err != nil {
		return errs.Wrap(err, errs.Invalid,
			"the entry cannot be stored: keep it under %d bytes, its values text, finite numbers, booleans, lists or "+
				"objects",
			MaxSize)
	}
	return nil
}

// validateID checks the form of the id. Ids of pages, files and reusable contents are a prefix and 1 to 64 lower-case
// letters or digits; package id makes longer promises for those that it makes.
func (e *Entry) validateID() error {
	prefix := ""
	switch e.Kind {
	case KindPage:
		prefix = "page_"
	case KindFile:
		prefix = "file_"
	case KindReusable:
		prefix = "content_"
	case KindVariables:
		if e.ID != VariablesID {
			return errs.Invalidf("id", "the variables of a space have the id %q, not %.80q", VariablesID, e.ID)
		}
		return nil
	case KindRedirect:
		if want := RedirectID(e.Parent, e.Path); e.ID != want {
			return errs.Invalidf("id", "a redirect's id is made of its parent and path: want %s, not %.80q", want, e.ID)
		}
		return nil
	default:
		return errs.Invalidf("kind", "kind %.40q is not known", e.Kind)
	}
	if !validReference(prefix, e.ID) {
		return errs.Invalidf("id", "%.80q is not the id of a %s: want %s and lower-case letters and digits",
			e.ID, e.Kind, prefix)
	}
	return nil
}

func validReference(prefix, s string) bool {
	rest, ok := strings.CutPrefix(s, prefix)
	return ok && rest != "" && len(rest) <= 64 && !strings.ContainsFunc(rest, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z')
	})
}

// validateTexts checks the fields that are free text.
func (e *Entry) validateTexts() error {
	for _, field := range []struct {
		name, value string
		limit       int
	}{
		{"title", e.Title, MaxTitleLength},
		{"linkTitle", e.LinkTitle, MaxLinkTitleLength},
		{"description", e.Description, MaxDescriptionLength},
		{"emoji", e.Emoji, MaxEmojiLength},
		{"icon", e.Icon, MaxIconLength},
		{"condition", e.Condition, MaxConditionLength},
		{"name", e.Name, MaxNameLength},
		{"path", e.Path, MaxPathLength},
		{"contentType", e.ContentType, MaxContentTypeLength},
	} {
		if err := validateText(field.name, field.value, field.limit); err != nil {
			return err
		}
	}
	return nil
}

// validateText checks a text of one line. A description and a condition may have several.
func validateText(name, value string, limit int) error {
	if value == "" {
		return nil
	}
	if !utf8.ValidString(value) {
		return errs.Invalidf(name, "it is not UTF-8 text")
	}
	if n := utf8.RuneCountInString(value); n > limit {
		return errs.Invalidf(name, "it has %d characters, at most %d are allowed", n, limit)
	}
	lines := name == "description" || name == "condition"
	for _, r := range value {
		if unicode.IsControl(r) && (!lines || r != '\n' && r != '\r' && r != '\t') {
			return errs.Invalidf(name, "it has the control character %U; remove it", r)
		}
	}
	return nil
}

// validateKind checks what the kind and the type need.
func (e *Entry) validateKind() error {
	switch e.Kind {
	case KindPage:
		return e.validatePage()
	case KindFile:
		return e.validateFile()
	case KindRedirect:
		return e.validateRedirect()
	case KindReusable:
		return validateHash("body", e.Body)
	}
	return nil
}

func (e *Entry) validatePage() error {
	if e.Parent != "" && !validReference("page_", e.Parent) {
		return errs.Invalidf("parent", "%.80q is not the id of a page", e.Parent)
	}
	if e.Parent == e.ID {
		return errs.Invalidf("parent", "a page cannot be below itself")
	}
	if e.Owner != "" && !validReference("user_", e.Owner) {
		return errs.Invalidf("owner", "%.80q is not the id of a user", e.Owner)
	}
	if !ValidPosition(e.Position) || len(e.Position) > MaxPositionLength {
		return errs.Invalidf("position", "%.80q is not a position; they are made by the server", e.Position)
	}
	if e.Slug != "" && !ValidSlug(e.Slug) {
		return errs.Invalidf("slug", "%.120q cannot be part of a path: use 1 to %d letters, digits and -_.+",
			e.Slug, MaxSlugLength)
	}
	if e.Type == PageLink && e.Target == nil {
		return errs.Invalidf("target", "a page of type link needs a target")
	}
	if e.Type == PageComputed && (e.Computed == nil || e.Computed.Type == "") {
		return errs.Invalidf("computed", "a page of type computed needs to say what it is computed from")
	}
	return validateHash("body", e.Body)
}

func (e *Entry) validateFile() error {
	if e.Name == "" || strings.ContainsAny(e.Name, "/\\") || e.Name == "." || e.Name == ".." {
		return errs.Invalidf("name", "%.80q is not the name of a file; leave out folders", e.Name)
	}
	if e.Size < 0 || e.Width < 0 || e.Height < 0 {
		return errs.Invalidf("size", "sizes cannot be below zero")
	}
	if e.Blob == "" {
		return errs.Invalidf("blob", "a file needs its bytes")
	}
	return validateHash("blob", e.Blob)
}

func (e *Entry) validateRedirect() error {
	if e.Parent != "" && !validReference("page_", e.Parent) {
		return errs.Invalidf("parent", "%.80q is not the id of a page", e.Parent)
	}
	if e.Path == "" || strings.HasPrefix(e.Path, "/") || strings.HasSuffix(e.Path, "/") {
		return errs.Invalidf("path", "%.80q is not a redirect's path: leave out slashes at the ends", e.Path)
	}
	if e.Parent != "" && strings.Contains(e.Path, "/") {
		return errs.Invalidf("path", "a redirect below a page has a path of one segment, not %.80q", e.Path)
	}
	if e.Target == nil {
		return errs.Invalidf("target", "a redirect needs a target")
	}
	return nil
}

func validateHash(name, value string) error {
	if value == "" {
		return nil
	}
	if decoded, err := hex.DecodeString(value); err != nil || len(decoded) != 32 || strings.ToLower(value) != value {
		return errs.Invalidf(name, "%.80q is not a SHA-256 in lower-case hexadecimal digits", value)
	}
	return nil
}

// validateValues checks the fields that are made up of several values.
func (e *Entry) validateValues() error {
	if err := validateTarget("target", e.Target); err != nil {
		return err
	}
	if err := e.Layout.Check(); err != nil {
		return err
	}
	if err := e.validateCover(); err != nil {
		return err
	}
	if e.Computed != nil && len(e.Computed.Type) > MaxNameLength {
		return errs.Invalidf("computed.type", "it is too long: at most %d characters are allowed", MaxNameLength)
	}
	if err := e.validateTags(); err != nil {
		return err
	}
	if e.Git != nil {
		if err := e.Git.Check(); err != nil {
			return err
		}
	}
	return e.validateVariables()
}

// Check reports a word of a layout that means nothing. l may be nil.
func (l *Layout) Check() error {
	if l == nil {
		return nil
	}
	for _, choice := range []struct {
		name, value string
		values      []string
	}{
		{"layout.width", l.Width, []string{"", "default", "wide"}},
		{"layout.coverSize", l.CoverSize, []string{"", "hero", "full", "background"}},
		{"layout.coverMask", l.CoverMask, []string{"", "none", "radial"}},
	} {
		if !slices.Contains(choice.values, choice.value) {
			return errs.Invalidf(choice.name, "%.40q is not one of %s", choice.value, strings.Join(choice.values[1:],
				", "))
		}
	}
	return nil
}

func (e *Entry) validateCover() error {
	if e.Cover == nil || len(members(e.Cover)) == 0 {
		return nil
	}
	if e.Cover.Ref == nil {
		return errs.Invalidf("cover.ref", "a cover needs an image")
	}
	if err := validateTarget("cover.ref", e.Cover.Ref); err != nil {
		return err
	}
	return validateTarget("cover.refDark", e.Cover.RefDark)
}

func (e *Entry) validateTags() error {
	if len(e.Tags) > MaxTags {
		return errs.Invalidf("tags", "there are %d, at most %d are allowed", len(e.Tags), MaxTags)
	}
	seen := make(map[string]bool, len(e.Tags))
	for _, tag := range e.Tags {
		if tag.Tag == "" {
			return errs.Invalidf("tags", "a tag needs a name")
		}
		if err := validateText("tags", tag.Tag, MaxTagLength); err != nil {
			return err
		}
		if seen[tag.Tag] {
			return errs.Invalidf("tags", "%q is there twice", tag.Tag)
		}
		seen[tag.Tag] = true
	}
	return nil
}

func (e *Entry) validateVariables() error {
	if len(e.Variables) > MaxVariables {
		return errs.Invalidf("variables", "there are %d, at most %d are allowed", len(e.Variables), MaxVariables)
	}
	for name, value := range e.Variables {
		if !ValidVariableName(name) {
			return errs.Invalidf("variables",
				"%.120q cannot be a name: use a letter, then letters, digits and _, at most %d", name,
				MaxVariableNameLength)
		}
		p, err := Plain(value)
		if err != nil {
			return errs.Invalidf("variables."+name, "its value is not text, a number or a boolean")
		}
		switch v := p.(type) {
		case bool, float64:
		case string:
			if n := utf8.RuneCountInString(v); n > MaxVariableValueLength {
				return errs.Invalidf("variables."+name, "it has %d characters, at most %d are allowed", n,
					MaxVariableValueLength)
			}
		default:
			return errs.Invalidf("variables."+name, "its value is not text, a number or a boolean")
		}
	}
	return nil
}

// ValidVariableName reports whether s can be the name of a variable: a letter A to Z in either case, then such letters,
// digits and underscores.
func ValidVariableName(s string) bool {
	if s == "" || len(s) > MaxVariableNameLength {
		return false
	}
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return true
}

// validateTarget checks that a target has what its kind needs and nothing else.
func validateTarget(path string, target *doc.Ref) error {
	if target == nil {
		return nil
	}
	names, known := targetFields[target.Kind]
	if !known {
		return errs.Invalidf(path+".kind", "%.40q is not a kind of reference", target.Kind)
	}
	set := map[string]bool{}
	for _, m := range members(target) {
		set[m.name] = true
		value, _ := m.value.(string)
		if m.name != "kind" && !slices.Contains(names, m.name) && !slices.Contains(names, m.name+"?") {
			return errs.Invalidf(path+"."+m.name, "a reference of kind %s cannot have this field", target.Kind)
		}
		if err := validateText(path+"."+m.name, value, MaxURLLength); err != nil {
			return err
		}
	}
	for _, name := range names {
		if !strings.HasSuffix(name, "?") && !set[name] {
			return errs.Invalidf(path+"."+name, "a reference of kind %s needs it", target.Kind)
		}
	}
	if scheme := urlScheme(target.URL); slices.Contains([]string{"javascript", "vbscript", "data"}, scheme) {
		return errs.Invalidf(path+".url", "links of the scheme %s are not allowed", scheme)
	}
	return nil
}

// urlScheme returns the scheme of a URL as a browser reads it: lower case, without the white space and control
// characters that browsers skip. It returns "" when there is none.
func urlScheme(s string) string {
	scheme, _, found := strings.Cut(s, ":")
	if !found {
		return ""
	}
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0x7f {
			return -1
		}
		return r
	}, scheme))
}

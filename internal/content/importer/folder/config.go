package folder

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/folder/tags"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pagefile/frontmatter"
	"github.com/rectodocs/recto/internal/engine/treefile"
)

// Places in a tree of the dialect.
const (
	includesFolder = ".gitbook/includes/"
	varsFile       = ".gitbook/vars.yaml"
	tagsFile       = ".gitbook/tags.yaml"
)

// readConfig reads .gitbook.yaml: where the content is, its table of contents, and redirects.
func (r *reader) readConfig() error {
	if r.layout.config == nil {
		return nil
	}
	place := r.place(".gitbook.yaml")
	text, err := decode(place, r.layout.config)
	if err != nil {
		return err
	}
	config, err := treefile.ParseConfig([]byte(text))
	if err != nil {
		return inFile(place, err)
	}
	if config.Root != "." && config.Root != "" {
		sub := r.files.Sub(config.Root)
		if len(sub.Files()) == 0 {
			if r.dialect {
				return errs.Invalidf(".gitbook.yaml", "the root %q holds no files", config.Root)
			}
			r.tree.Report.NotUnderstood.Addf(place, "the root %q holds no files; all of the tree is read", config.Root)
			return nil
		}
		r.files = sub
		r.layout.prefix += config.Root + "/"
		r.dialect = r.dialect || hasFolder(sub, ".gitbook")
	}
	r.layout.readme = config.Readme
	if r.files.Has(config.Summary) {
		r.layout.summary = config.Summary
	}
	for _, from := range slices.Sorted(maps.Keys(config.Redirects)) {
		r.tree.Redirects = append(r.tree.Redirects, source.Redirect{
			Place: place, Base: ".gitbook.yaml", From: from, Destination: config.Redirects[from],
		})
	}
	return nil
}

// readAround reads what the dialect keeps beside the pages: reusable contents and variables.
func (r *reader) readAround() error {
	for _, file := range r.files.Files() {
		if strings.HasPrefix(file.Path, includesFolder) && IsPage(file.Path, ".md") {
			if err := r.readReusable(file.Path); err != nil {
				if err := r.leaveOut(context.Background(), file.Path, err); err != nil {
					return err
				}
			}
		}
	}
	r.readTags()
	if !r.files.Has(varsFile) {
		return nil
	}
	text, err := r.text(varsFile)
	if err != nil {
		return err
	}
	if r.tree.Variables, err = treefile.ParseVariables([]byte(text)); err != nil {
		return inFile(r.place(varsFile), err)
	}
	return nil
}

// readTags reads what tags are called, and reports what tags here do not have.
func (r *reader) readTags() {
	if !r.files.Has(tagsFile) {
		return
	}
	data, err := r.files.Read(tagsFile, maxConfig)
	others := 0
	if err == nil {
		r.labels, others, err = tags.Read(data)
	}
	if err != nil {
		r.tree.Report.NotUnderstood.Addf(r.place(tagsFile), "it is no list of tags")
	}
	if others > 0 {
		r.tree.Report.NotUnderstood.Addf(r.place(tagsFile), "colours and icons of %d tags are left out", others)
	}
}

func (r *reader) readReusable(file string) error {
	text, err := r.text(file)
	if err != nil {
		return err
	}
	text, lines := mendBody(text)
	parsed, err := treefile.ParsePage([]byte(text))
	if err != nil {
		return inFile(r.place(file), err)
	}
	made := &source.Reusable{Place: r.place(file), Base: file, OID: r.oids[file]}
	body := skipBlank(parsed.Body)
	if parsed.Title != "" && parsed.FrontMatter.Title != "" {
		// The title is in the front matter, so a first heading is part of the body.
		body = skipBlank([]byte(afterFrontMatter(text)))
	}
	if lines {
		made.FirstLine = 1 + strings.Count(text[:len(text)-len(body)], "\n")
	}
	made.Body = r.tree.Texts.Keep(r.labels.Updates(body))
	made.Entry.Kind = entity.KindReusable
	fields := frontmatter.Read(parsed.FrontMatter, &made.Entry)
	if fields.Refused != nil {
		return inFile(r.place(file), fields.Refused)
	}
	for _, problem := range fields.Problems {
		r.tree.Report.NotUnderstood.Addf(made.Place, "front matter: %s", problem)
	}
	name := strings.TrimSuffix(strings.TrimPrefix(file, includesFolder), path.Ext(file))
	made.Entry.Title = fields.Title
	if made.Entry.Title == "" {
		made.Entry.Title = parsed.Title
	}
	if made.Entry.Title == "" {
		made.Entry.Title = humanize(path.Base(name))
	}
	if name != entity.Slugify(made.Entry.Title) {
		made.Entry.Name = strings.ReplaceAll(name, "/", "-")
	}
	frontmatter.Keep(parsed.FrontMatter, &made.Entry)
	r.reusables[file] = made
	r.tree.Reusables = append(r.tree.Reusables, made)
	return nil
}

// afterFrontMatter returns what follows the front matter that a text starts with.
func afterFrontMatter(text string) string {
	rest := text
	for first := true; rest != ""; first = false {
		line := rest
		if end := strings.IndexByte(rest, '\n'); end >= 0 {
			line, rest = rest[:end], rest[end+1:]
		} else {
			rest = ""
		}
		line = strings.TrimRight(line, " \t\r")
		if !first && (line == "---" || line == "...") {
			break
		}
	}
	return rest
}

// parseSummary reads a table of contents of the dialect.
func parseSummary(text string) ([]*item, error) {
	summary, err := treefile.ParseSummary([]byte(text))
	if err != nil {
		return nil, inFile("SUMMARY.md", err)
	}
	return dialectItems(summary.Items), nil
}

func dialectItems(list []*treefile.SummaryItem) []*item {
	items := make([]*item, 0, len(list))
	for _, each := range list {
		made := &item{title: each.Title, slug: each.Slug, target: each.Target, linkTitle: each.LinkTitle,
			line: each.Line, children: dialectItems(each.Items)}
		switch each.Kind {
		case treefile.SummaryGroup:
			made.group = true
		case treefile.SummaryComputed:
			made.computed = &computed{}
			made.computed.kind, _ = each.Computed["type"].(string)
			made.computed.props, _ = each.Computed["props"].(map[string]any)
			made.computed.dependencies, _ = each.Computed["dependencies"].(map[string]any)
		default:
			made.draft = each.Target == ""
		}
		items = append(items, made)
	}
	return items
}

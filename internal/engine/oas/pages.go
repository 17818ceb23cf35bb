package oas

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// PageKind says what a page of a Site is about.
type PageKind string

// Kinds of pages.
const (
	InfoPage       PageKind = "info"       // the API as a whole
	OperationsPage PageKind = "operations" // the operations of a tag
	TagPage        PageKind = "tag"        // a tag whose operations have pages of their own
	OperationPage  PageKind = "operation"
	ModelsPage     PageKind = "models"
)

// Page is a page that a description stands for.
type Page struct {
	Kind PageKind
	// Seed names the page within the site; it stays when titles change.
	Seed string
	// Title, Slug and Description are those of a page of a space: Slug is unique among siblings.
	Title, Slug, Description, Icon string
	// Tag is the name of the tag; Operation is that of an operation's page.
	Tag       string
	Operation *Operation
	// Models are the names of those that the page describes.
	Models []string
	// Nodes is the body. It must not be changed.
	Nodes []*doc.Node
	Pages []*Page
}

// Layout says how a description becomes pages.
type Layout struct {
	// Spec is the slug of the specification, which the blocks refer to.
	Spec string
	// ByOperation gives every operation a page; otherwise those of a tag share one.
	ByOperation bool
	// Models adds a page with all models.
	Models bool
	// DownloadLink adds a link to the description to the first page.
	DownloadLink bool
}

// Site is a description as pages.
type Site struct {
	// Info is the page about the API as a whole; the others are in its Pages.
	Info *Page
}

// Len returns the number of pages.
func (s *Site) Len() int { return s.Info.len() }

func (p *Page) len() int {
	count := 1
	for _, below := range p.Pages {
		count += below.len()
	}
	return count
}

// Bounds of a site.
const (
	// pageOperations is the most operations on one page.
	pageOperations = 30
	// pageModels is the most models on one page.
	pageModels = 100
	// maxPages is the most pages of a site.
	maxPages = 3000
	// Lengths that a space's pages may have, in characters.
	maxTitle, maxDescription, maxPageSlug = 120, 300, 80
)

// Pages lays a description out: a first page about the API, one for each tag with its operations, one for webhooks, one
// for models.
func (d *Document) Pages(layout Layout) *Site {
	l := &layouter{document: d, Layout: layout, budget: NewBudget()}
	info := &Page{Kind: InfoPage, Seed: "info", Title: short(cmp.Or(d.Title(), "API"), maxTitle), Nodes: l.info()}
	info.Pages = l.tags()
	if webhooks := d.Webhooks(); len(webhooks) > 0 {
		info.Pages = append(info.Pages, l.group(Tag{Name: "webhooks", Title: "Webhooks"}, "webhooks", webhooks)...)
	}
	if schemas := d.Schemas(); layout.Models && len(schemas) > 0 {
		info.Pages = append(info.Pages, l.models(schemas)...)
	}
	name(info.Pages)
	return &Site{Info: info}
}

type layouter struct {
	Layout
	document *Document
	budget   *Budget
	pages    int
}

func (l *layouter) ref() doc.Ref { return doc.Ref{Kind: doc.RefOpenAPI, Spec: l.Spec} }

// info is the body of the first page.
func (l *layouter) info() []*doc.Node {
	d := l.document
	nodes := prose(d.Description(), l.budget)
	if version := d.Version(); version != "" {
		nodes = append(nodes, doc.NewParagraph(bold("Version"), doc.NewText(" "), code(version)))
	}
	if servers := d.Servers(); len(servers) > 0 {
		list := doc.NewBlock(doc.ListUnordered, nil)
		for _, server := range servers[:min(len(servers), 20)] {
			line := []*doc.Node{code(server.URL)}
			if about := clean(server.Description); about != "" {
				line = append(line, doc.NewText(" "+about))
			}
			item := []*doc.Node{doc.NewParagraph(line...)}
			list.Nodes = append(list.Nodes, doc.NewBlock(doc.ListItem, nil, append(item, server.choices()...)...))
		}
		nodes = append(nodes, doc.NewParagraph(bold("Servers")), list)
	}
	if l.DownloadLink {
		link := doc.NewInline(doc.Link, &doc.ContentRefData{Ref: l.ref()},
			doc.NewText("Download the OpenAPI description"))
		nodes = append(nodes, doc.NewParagraph(link))
	}
	return nodes
}

// choices lists what callers choose in the address of a server.
func (s Server) choices() []*doc.Node {
	if len(s.Variables) == 0 {
		return nil
	}
	list := doc.NewBlock(doc.ListUnordered, nil)
	for _, v := range s.Variables {
		line := []*doc.Node{code(v.Name)}
		if v.Default != "" {
			line = append(line, doc.NewText(", "), code(v.Default), doc.NewText(" unless said otherwise"))
		}
		for i, value := range v.Enum[:min(len(v.Enum), maxEnum)] {
			line = append(line, doc.NewText([]string{"; one of ", ", "}[min(i, 1)]), code(value))
		}
		if about := clean(v.Description); about != "" {
			line = append(line, doc.NewText(". "+about))
		}
		list.Nodes = append(list.Nodes, doc.NewBlock(doc.ListItem, nil, doc.NewParagraph(line...)))
	}
	return []*doc.Node{doc.NewParagraph(doc.NewText("As a template: "), code(s.Template)), list}
}

// tags makes the pages of the tags, those with a parent below it, and one for operations without a tag.
func (l *layouter) tags() []*Page {
	byTag := map[string][]*Operation{}
	for _, o := range l.document.Operations() {
		tag := ""
		if len(o.Tags) > 0 {
			tag = o.Tags[0] // one place for each operation
		}
		byTag[tag] = append(byTag[tag], o)
	}
	tags := l.document.Tags()
	parents := map[string]bool{}
	for _, tag := range tags {
		if tag.Parent != "" && len(byTag[tag.Name]) > 0 {
			parents[tag.Parent] = true
		}
	}
	made := map[string]*Page{}
	var roots []*Page
	for _, tag := range tags {
		operations := byTag[tag.Name]
		if len(operations) == 0 && !parents[tag.Name] {
			continue
		}
		pages := l.group(tag, "tag/"+tag.Name, operations)
		if len(pages) == 0 {
			continue
		}
		made[tag.Name] = pages[0]
		if parent := made[tag.Parent]; tag.Parent != "" && tag.Parent != tag.Name && parent != nil {
			parent.Pages = append(parent.Pages, pages...)
		} else {
			roots = append(roots, pages...)
		}
	}
	if rest := byTag[""]; len(rest) > 0 {
		title := "Operations"
		if len(roots) > 0 {
			title = "Other operations"
		}
		roots = append(roots, l.group(Tag{Title: title}, "untagged", rest)...)
	}
	return roots
}

// group makes the pages of a tag: one, or several when there are too many operations for one.
func (l *layouter) group(tag Tag, seed string, operations []*Operation) []*Page {
	first := &Page{
		Kind: OperationsPage, Seed: seed, Tag: cmp.Or(tag.Name, seed), Title: short(tag.Title, maxTitle),
		Icon:        tag.Icon,
		Description: l.summaryOf(tag.Description), Nodes: prose(tag.Description, l.budget),
	}
	if l.pages++; l.pages > maxPages {
		return nil
	}
	if l.ByOperation {
		first.Kind = TagPage
		for _, o := range operations {
			if l.pages++; l.pages > maxPages {
				break
			}
			first.Pages = append(first.Pages, &Page{
				Kind: OperationPage, Seed: "operation/" + o.Method + " " + o.Path, Tag: first.Tag, Operation: o,
				Title: short(o.Summary, maxTitle), Description: l.summaryOf(o.Description),
				Nodes: []*doc.Node{l.block(o)},
			})
		}
		return []*Page{first}
	}
	pages := []*Page{first}
	for i, o := range operations {
		page := pages[len(pages)-1]
		if i > 0 && i%pageOperations == 0 {
			if l.pages++; l.pages > maxPages {
				break
			}
			number := i/pageOperations + 1
			page = &Page{
				Kind: OperationsPage, Seed: seed + "#" + strconv.Itoa(number), Tag: first.Tag,
				Title: short(tag.Title, maxTitle-6) + " " + strconv.Itoa(number), Icon: tag.Icon,
			}
			pages = append(pages, page)
		}
		page.Nodes = append(page.Nodes, doc.NewBlock(doc.Heading1, &doc.HeadingData{ID: anchorOf(o)},
			doc.NewText(clean(o.Summary))), l.block(o))
	}
	return pages
}

// anchorOf is the anchor of an operation: it stays when the summary changes.
func anchorOf(o *Operation) string {
	return entity.Slugify(short(cmp.Or(o.ID, o.Method+" "+o.Path), maxPageSlug))
}

// block names an operation whose title stands above it.
func (l *layouter) block(o *Operation) *doc.Node {
	data := &doc.OpenAPIData{Ref: l.ref(), Method: o.Method, Headless: new(true)}
	if o.Webhook {
		data.Name = o.Path
		return doc.NewBlock(doc.OpenAPIWebhook, data)
	}
	data.Path = o.Path
	return doc.NewBlock(doc.OpenAPIOperation, data)
}

func (l *layouter) models(names []string) []*Page {
	var pages []*Page
	for i := 0; i < len(names) && l.pages < maxPages; i += pageModels {
		l.pages++
		title, seed := "Models", "models"
		if i > 0 {
			title, seed = "Models "+strconv.Itoa(i/pageModels+1), "models#"+strconv.Itoa(i/pageModels+1)
		}
		data := &doc.OpenAPIData{Ref: l.ref(), Schemas: names[i:min(i+pageModels, len(names))], Grouped: new(true)}
		pages = append(pages, &Page{Kind: ModelsPage, Seed: seed, Title: title, Models: data.Schemas,
			Nodes: []*doc.Node{doc.NewBlock(doc.OpenAPISchemas, data)}})
	}
	return pages
}

// ModelAnchor is the anchor of a model on its page.
func ModelAnchor(name string) string { return "model-" + anchorPart(name) }

// name gives pages their slugs: that of the title, with a number when a sibling has it.
func name(pages []*Page) {
	taken := map[string]bool{}
	for _, page := range pages {
		title := page.Title
		if page.Operation != nil {
			title = cmp.Or(page.Operation.ID, title)
		} else if page.Tag != "" && page.Tag != page.Seed {
			title = page.Tag
			if _, number, ok := strings.Cut(page.Seed[len("tag/"):], "#"); ok && strings.HasSuffix(page.Title,
				" "+number) {
				title += " " + number
			}
		}
		page.Slug = entity.UniqueSlug(short(title, maxPageSlug), func(slug string) bool { return taken[slug] })
		taken[page.Slug] = true
		name(page.Pages)
	}
}

// summaryOf is the first line of a Markdown text as plain text.
func (l *layouter) summaryOf(text string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	nodes := prose(first, l.budget)
	if len(nodes) == 0 {
		return ""
	}
	return short(nodes[0].PlainText(), maxDescription)
}

// short puts a text on one line and cuts it at a number of characters.
func short(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return strings.TrimRight(string([]rune(text)[:most-1]), " ") + "…"
}

package confluence

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/hypertext"
	"github.com/rectodocs/recto/internal/content/importer/markup"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/content/importer/xmlstream"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// object is one object of entities.xml: its properties by name, those that are references with the id they name.
type object struct {
	class, id  string
	properties map[string]string
	// elements are the ids in collections, by the collection's name.
	elements map[string][]string
}

// current reports whether an object is the newest state of something that is there.
func (o *object) current() bool {
	status := o.properties["contentStatus"]
	return (status == "" || status == "current") && o.properties["originalVersion"] == "" &&
		o.properties["originalVersionId"] == ""
}

// wanted are the classes of objects that are kept while entities.xml is read.
var wanted = map[string]bool{
	"Space": true, "Page": true, "BlogPost": true, "BodyContent": true, "Attachment": true, "ConfluenceUserImpl": true,
	"InternalUser": true, "User": true,
}

// xmlExport is an XML export while it is read.
type xmlExport struct {
	*export
	objects map[string][]*object // by class
	space   string               // its key
	pages   map[string]*source.Page
	order   map[*source.Page]string // position, for sorting
	byTitle map[string]*source.Page // by title in lower case
	ids     map[*source.Page]string
	users   map[string]string // names by key
	bodies  map[string]string // by page id
	old     map[string]bool   // pages whose body is wiki markup of old
	// attached are the files of a page by their names.
	attached map[string]map[string]*source.File
}

// readXML reads an XML export.
func (e *export) readXML() error {
	x := &xmlExport{
		export: e, objects: map[string][]*object{}, pages: map[string]*source.Page{}, order: map[*source.Page]string{},
		byTitle: map[string]*source.Page{}, ids: map[*source.Page]string{},
		users: map[string]string{}, bodies: map[string]string{}, old: map[string]bool{},
		attached: map[string]map[string]*source.File{},
	}
	if err := x.readObjects(); err != nil {
		return err
	}
	for _, space := range x.objects["Space"] {
		if x.space == "" {
			x.space = space.properties["key"]
		}
	}
	x.readUsers()
	parents := x.readPages()
	x.readBodies()
	x.readAttachments()
	x.arrange(parents)
	for _, id := range slices.Sorted(maps.Keys(x.pages)) {
		if err := x.fill(id); err != nil {
			return err
		}
	}
	return nil
}

// readObjects reads entities.xml.
func (x *xmlExport) readObjects() error {
	content, err := x.archive.Open(entities)
	if err != nil {
		return err
	}
	defer content.Close()
	r := xmlstream.New(x.ctx, content, entities)
	return r.Root(func(e xmlstream.Element) error {
		class := e.Attr("class")
		if e.Name != "object" || !wanted[class] {
			return r.Skip()
		}
		made := &object{class: class, properties: map[string]string{}, elements: map[string][]string{}}
		if err := r.Children(func(e xmlstream.Element) error { return readProperty(r, e, made) }); err != nil {
			return err
		}
		x.objects[class] = append(x.objects[class], made)
		return nil
	})
}

func readProperty(r *xmlstream.Reader, e xmlstream.Element, o *object) error {
	switch e.Name {
	case "id":
		text, err := r.Text()
		o.id = strings.TrimSpace(text)
		return err
	case "property":
		// A reference holds the id of what it names in an element; a value is the text itself.
		text, err := r.Text()
		if e.Has("class") {
			text = strings.TrimSpace(text)
		}
		o.properties[e.Attr("name")] = text
		return err
	case "collection":
		name := e.Attr("name")
		return r.Children(func(xmlstream.Element) error {
			text, err := r.Text()
			o.elements[name] = append(o.elements[name], strings.TrimSpace(text))
			return err
		})
	}
	return r.Skip()
}

// readUsers learns the names that mentions show.
func (x *xmlExport) readUsers() {
	full := map[string]string{}
	for _, class := range []string{"InternalUser", "User"} {
		for _, user := range x.objects[class] {
			full[user.properties["name"]] = cmp.Or(user.properties["displayName"], user.properties["fullName"])
		}
	}
	for _, user := range x.objects["ConfluenceUserImpl"] {
		name := cmp.Or(user.properties["name"], user.properties["lowerName"])
		shown := cmp.Or(full[name], user.properties["displayName"], name)
		x.users[user.id] = shown
		for _, key := range []string{"atlassianAccountId", "name", "lowerName"} {
			if value := user.properties[key]; value != "" {
				x.users[value] = shown
			}
		}
	}
}

// blogID is the id of the group that blog posts stand below.
const blogID = "blog"

// readPages makes the current pages and returns the id of each one's parent.
func (x *xmlExport) readPages() map[string]string {
	parents := map[string]string{}
	skipped := 0
	for _, class := range []string{"Page", "BlogPost"} {
		for _, o := range x.objects[class] {
			if !o.current() || o.id == "" {
				skipped++
				continue
			}
			page := &source.Page{Place: "page " + o.id}
			page.Entry.Type, page.Entry.Title = entity.PageDocument, strings.TrimSpace(o.properties["title"])
			if page.Entry.Title == "" {
				page.Entry.Title = "Untitled"
			}
			page.Place += " (" + page.Entry.Title + ")"
			x.pages[o.id], x.ids[page] = page, o.id
			x.order[page] = position(o.properties["position"])
			title := strings.ToLower(page.Entry.Title)
			if x.byTitle[title] == nil || class == "Page" {
				x.byTitle[title] = page
			}
			for _, body := range o.elements["bodyContents"] {
				x.bodies["of "+body] = o.id
			}
			parents[o.id] = o.properties["parent"]
			if class == "BlogPost" {
				x.order[page] = "0" + o.properties["creationDate"]
				parents[o.id] = blogID
			}
		}
	}
	if skipped > 0 {
		x.tree.Report.Skipped.Addf(entities, "%d older versions, drafts and deleted pages", skipped)
	}
	return parents
}

// position makes the number of a page among its siblings something that sorts as text; pages without one come last.
func position(written string) string {
	number, err := strconv.ParseInt(strings.TrimSpace(written), 10, 64)
	if err != nil || number < 0 {
		return "1"
	}
	return "0" + strings.Repeat("0", max(0, 20-len(strconv.FormatInt(number, 10)))) + strconv.FormatInt(number, 10)
}

// readBodies finds the text of each page.
func (x *xmlExport) readBodies() {
	for _, o := range x.objects["BodyContent"] {
		page := cmp.Or(o.properties["content"], x.bodies["of "+o.id])
		if x.pages[page] == nil {
			continue
		}
		x.bodies[page] = repairCDATA(o.properties["body"])
		x.old[page] = strings.TrimSpace(o.properties["bodyType"]) == "0"
	}
	x.objects["BodyContent"] = nil
}

// repairCDATA puts the ends of inner sections right: the export writes "]] >" for them.
func repairCDATA(body string) string { return strings.ReplaceAll(body, "]] >", "]]>") }

// readAttachments finds the newest version of each attachment.
func (x *xmlExport) readAttachments() {
	for _, o := range x.objects["Attachment"] {
		page := cmp.Or(o.properties["containerContent"], o.properties["content"])
		name := cmp.Or(o.properties["title"], o.properties["fileName"])
		if x.pages[page] == nil || name == "" || !o.current() {
			continue
		}
		folder := path.Join("attachments", page, o.id)
		version := cmp.Or(o.properties["version"], o.properties["attachmentVersion"], "1")
		file := x.file(path.Join(folder, strings.TrimSpace(version)))
		if file == nil {
			x.broken(x.pages[page].Place, name, "the export does not hold the attachment's bytes")
			continue
		}
		file.Name = path.Base(strings.ReplaceAll(name, `\`, "/"))
		file.ContentType = cmp.Or(o.properties["contentType"], o.properties["mediaType"])
		if x.attached[page] == nil {
			x.attached[page] = map[string]*source.File{}
		}
		x.attached[page][name] = file
	}
	for _, page := range slices.Sorted(maps.Keys(x.attached)) {
		for _, name := range slices.Sorted(maps.Keys(x.attached[page])) {
			x.take(x.attached[page][name])
		}
	}
}

// arrange hangs pages below their parents. One whose parent is missing, or that would be its own ancestor, goes to the
// root.
func (x *xmlExport) arrange(parents map[string]string) {
	ids := slices.SortedFunc(maps.Keys(x.pages), func(a, b string) int {
		p, q := x.pages[a], x.pages[b]
		return cmp.Or(cmp.Compare(x.order[p], x.order[q]), cmp.Compare(p.Entry.Title, q.Entry.Title), cmp.Compare(a, b))
	})
	blog := &source.Page{Place: "blog"}
	blog.Entry.Type, blog.Entry.Title = entity.PageDocument, "Blog"
	rooted := map[string]bool{"": true, blogID: true}
	for _, id := range ids {
		parent := parents[id]
		if x.pages[parent] == nil && parent != blogID || !x.reachesRoot(id, parents, rooted) {
			parents[id] = ""
		}
		switch parent = parents[id]; parent {
		case "":
			x.tree.Pages = append(x.tree.Pages, x.pages[id])
		case blogID:
			blog.Children = append(blog.Children, x.pages[id])
		default:
			x.pages[parent].Children = append(x.pages[parent].Children, x.pages[id])
		}
	}
	if len(blog.Children) > 0 {
		x.tree.Pages = append(x.tree.Pages, blog)
	}
}

// reachesRoot reports whether following parents ends, and remembers for whom it does.
func (x *xmlExport) reachesRoot(id string, parents map[string]string, rooted map[string]bool) bool {
	var way []string
	seen := map[string]bool{}
	for at := id; !rooted[at]; at = parents[at] {
		if seen[at] {
			return false
		}
		seen[at] = true
		way = append(way, at)
		if x.pages[at] == nil {
			break
		}
	}
	for _, at := range way {
		rooted[at] = true
	}
	return true
}

// fill converts the text of a page.
func (x *xmlExport) fill(id string) error {
	if err := x.check(); err != nil {
		return err
	}
	page, body := x.pages[id], x.bodies[id]
	if strings.TrimSpace(body) == "" {
		return nil
	}
	if len(body) > maxPageBytes {
		return errs.New(errs.TooLarge, "%s has %d bytes, at most %d are read", page.Place, len(body), maxPageBytes)
	}
	if x.old[id] {
		x.tree.Report.NotUnderstood.Addf(page.Place, "it is written in the wiki markup of old, which is kept as text")
		markup.Fill(page, markup.Append(markup.Element("div"), listing("", "", body)), hypertext.Options{}, x.tree)
		return nil
	}
	content, err := parseStorage(body, page.Place)
	if err != nil {
		return err
	}
	s := &storage{xmlExport: x, page: page, id: id}
	s.rewrite(content)
	x.losses.Report(page.Place, &x.tree.Report.NotUnderstood)
	markup.Fill(page, content, hypertext.Options{Link: s.link}, x.tree)
	return nil
}

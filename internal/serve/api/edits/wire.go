package edits

import (
	"cmp"
	"context"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/serve/api/failure"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// ContentChanges are changes of a space's content that are made together.
type ContentChanges struct {
	Changes  []ContentChange `json:"changes" minItems:"1" maxItems:"50" doc:"They are applied one after the other, all of them or none."`
	Revision id.Revision     `json:"revision,omitempty" maxLength:"100" doc:"The revision that the changes were made on. What has changed since is merged with them, or the answer is 409 with the conflicts. The newest when absent."`
	Message  string          `json:"message,omitempty" maxLength:"1000" doc:"What you say about the changes, for the history."`
}

// ContentChange is one change; Operation says which of the other fields count.
type ContentChange struct {
	Operation string `json:"operation" enum:"update_page,insert_page,delete_page,revert_page,insert_files,update_file,delete_file,revert_file,insert_reusable_content,update_reusable_content,delete_reusable_content,revert_reusable_content,update_variables,insert_redirect,delete_redirect"`
	Page      string `json:"page,omitempty" maxLength:"100" doc:"The page to change: its id, or the ref of one that a change before this one inserts."`
	File      string `json:"file,omitempty" maxLength:"100" doc:"The file to change, delete or set back: its id, or the ref of one of this request."`
	Reusable  string `json:"reusableContent,omitempty" maxLength:"100" doc:"The reusable content to change, delete or set back: its id, or the ref of one of this request."`
	Redirect  string `json:"redirect,omitempty" maxLength:"100" doc:"The redirect to delete, by its id."`
	Path      string `json:"path,omitempty" maxLength:"1024" doc:"The address that leads to the page from now on: a path in the space, such as old/place."`
	Ref       string `json:"ref,omitempty" maxLength:"100" doc:"A name for the inserted page or reusable content in this request: other changes name it so, and link to it as /pages/{ref} or /reusable-content/{ref}."`
	Type      string `json:"type,omitempty" enum:"document,group,link,computed" doc:"What to insert; a document when absent."`

	Title         wire.Patch[string]         `json:"title,omitzero" required:"false"`
	Slug          wire.Patch[string]         `json:"slug,omitzero" required:"false" doc:"Last segment of the path; empty or null makes it of the title."`
	LinkTitle     wire.Patch[string]         `json:"linkTitle,omitzero" required:"false" doc:"Short title for the navigation."`
	Emoji         wire.Patch[string]         `json:"emoji,omitzero" required:"false" doc:"The character, or its code points in hexadecimal."`
	Icon          wire.Patch[string]         `json:"icon,omitzero" required:"false" doc:"Name of an icon."`
	Description   wire.Patch[string]         `json:"description,omitzero" required:"false"`
	Condition     wire.Patch[string]         `json:"condition,omitzero" required:"false" doc:"An expression; the page shows where it holds."`
	Owner         wire.Patch[string]         `json:"owner,omitzero" required:"false" doc:"Who is asked about the page: the id of a user who may read the space; null is nobody."`
	Hidden        wire.Patch[bool]           `json:"hidden,omitzero" required:"false"`
	NoIndex       wire.Patch[bool]           `json:"noIndex,omitzero" required:"false"`
	NoRobotsIndex wire.Patch[bool]           `json:"noRobotsIndex,omitzero" required:"false"`
	Layout        wire.Patch[LayoutInput]    `json:"layout,omitzero" required:"false" doc:"Members that are given are set; null brings back the defaults."`
	Cover         wire.Patch[CoverInput]     `json:"cover,omitzero" required:"false"`
	Tags          wire.Patch[[]wire.PageTag] `json:"tags,omitzero" required:"false"`
	Variables     wire.Patch[map[string]any] `json:"variables,omitzero" required:"false" doc:"All variables of the page: texts, numbers and booleans by name. In update_variables those of the space to set; null takes one away, the others stay."`
	Target        wire.Patch[wire.Reference] `json:"target,omitzero" required:"false" doc:"Where a link leads."`
	Computed      wire.Patch[ComputedInput]  `json:"computed,omitzero" required:"false" doc:"What a computed page is made from."`

	Into     wire.Patch[string] `json:"into,omitzero" required:"false" doc:"The page to put the page into: an id or a ref; null is the root."`
	At       *int               `json:"at,omitempty" minimum:"0" doc:"Number of siblings before the page; the last place when absent."`
	Document *DocumentInput     `json:"document,omitempty" doc:"The body, as Markdown or as document JSON."`

	Revision id.Revision `json:"revision,omitempty" maxLength:"100" doc:"The revision that a page, file or reusable content is set back to. In a change request it may be absent: then it is what main has."`
	Block    []string    `json:"block,omitempty" maxItems:"1000" doc:"Keys of blocks to set back; the page as a whole when absent."`
	Files    []NewFile   `json:"files,omitempty" maxItems:"20"`

	Name        wire.Patch[string] `json:"name,omitzero" required:"false" doc:"What a file is called from now on."`
	Replacement *FileReplacement   `json:"replacement,omitempty" doc:"What takes the place of a file's bytes. The file keeps its id, so what links to it goes on doing so."`
}

// ComputedInput is what a computed page is made from.
type ComputedInput struct {
	Type         string         `json:"type" doc:"builtin:openapi, or integration:NAME:SOURCE for a source of an integration."`
	Props        map[string]any `json:"props,omitempty" doc:"Of builtin:openapi: models and downloadLink are booleans; grouping is by-tag or by-operation."`
	Dependencies map[string]any `json:"dependencies,omitempty" doc:"spec names the API specification: {ref: {kind: openapi, spec: its slug}}."`
}

// FileReplacement is the new bytes of a file, from an address or in base64.
type FileReplacement struct {
	URL         string  `json:"url,omitempty" maxLength:"2048" format:"uri"`
	Base64      *string `json:"base64,omitempty"`
	ContentType string  `json:"contentType,omitempty" maxLength:"255" doc:"Found out from the name and the bytes when absent."`
}

// DocumentInput is a body in one of its two forms. Neither leaves the body as it is.
type DocumentInput struct {
	Markdown *string         `json:"markdown,omitempty" doc:"The file of a page: front matter and a first-level heading at its start are fields of the page."`
	Complete bool            `json:"complete,omitempty" doc:"The Markdown is all of the file: a field that front matter can hold and this one leaves out is emptied. Otherwise it stays."`
	Document json.RawMessage `json:"document,omitempty" doc:"Document JSON."`
}

// LayoutInput is what a page shows around its body.
type LayoutInput struct {
	Width           string `json:"width,omitempty" enum:"default,wide"`
	CoverSize       string `json:"coverSize,omitempty" enum:"hero,full,background"`
	CoverMask       string `json:"coverMask,omitempty" enum:"none,radial"`
	Cover           *bool  `json:"cover,omitempty"`
	Title           *bool  `json:"title,omitempty"`
	Description     *bool  `json:"description,omitempty"`
	TableOfContents *bool  `json:"tableOfContents,omitempty"`
	Outline         *bool  `json:"outline,omitempty"`
	Pagination      *bool  `json:"pagination,omitempty"`
	Metadata        *bool  `json:"metadata,omitempty"`
	Tags            *bool  `json:"tags,omitempty"`
	Actions         *bool  `json:"actions,omitempty"`
	Anchors         *bool  `json:"anchors,omitempty"`
}

// CoverInput is the picture above a page.
type CoverInput struct {
	Ref     *wire.Reference `json:"ref,omitempty" doc:"A file or an address."`
	RefDark *wire.Reference `json:"refDark,omitempty"`
	YPos    float64         `json:"yPos,omitempty" doc:"How far it is moved down where it is cut: 0 shows its middle, 50 and more its upper part, 150 and more its top; below 0 the lower part and the bottom."`
	Height  float64         `json:"height,omitempty" doc:"In pixels, 10 to 700."`
}

// NewFile is a file to take in: from an address, or its bytes in base64.
type NewFile struct {
	URL         string  `json:"url,omitempty" maxLength:"2048" format:"uri"`
	Base64      *string `json:"base64,omitempty"`
	Ref         string  `json:"ref,omitempty" maxLength:"100" doc:"A name for the file in this request: bodies link to it as /files/{ref}."`
	Name        string  `json:"name" minLength:"1" maxLength:"256"`
	ContentType string  `json:"contentType,omitempty" maxLength:"255" doc:"Found out from the name and the bytes when absent."`
}

// ContentUpdate is what changes of a space's content have done.
type ContentUpdate struct {
	// Revision is the one that the changes made; the present one when they changed nothing.
	Revision id.Revision `json:"revision"`
	// Parents are as in ChangeRequestContentUpdate.
	Parents       []id.Revision         `json:"parents" doc:"What that revision was made on, and nothing when the changes made none. When it is not the revision of the request, others' changes are in it, too."`
	Changes       []ContentUpdateChange `json:"changes" doc:"What became of each page, in the order of the changes."`
	InsertedFiles []wire.File           `json:"insertedFiles,omitempty" doc:"In the order of the request."`
}

// ContentUpdateChange is what one change did. Page is a page, or the id of one that was deleted.
type ContentUpdateChange struct {
	Object          string        `json:"object" enum:"created_page,updated_page,deleted_page,updated_file,deleted_file,created_reusable_content,updated_reusable_content,deleted_reusable_content,updated_variables,created_redirect,deleted_redirect"`
	Ref             string        `json:"ref,omitempty"`
	Page            any           `json:"page,omitempty"`
	File            string        `json:"file,omitempty" doc:"Id of the file."`
	ReusableContent string        `json:"reusableContent,omitempty" doc:"Id of the reusable content."`
	Redirect        string        `json:"redirect,omitempty" doc:"Id of the redirect."`
	UsedBy          *DeletionUses `json:"usedBy,omitempty" doc:"What still leads to something that was deleted, and is broken now. Absent when nothing was deleted."`
}

// DeletionUses are the pages and reusable contents that lead to something that is gone.
type DeletionUses struct {
	Count int      `json:"count"`
	Items []string `json:"items" doc:"Ids of the first hundred."`
}

// ContentUpdatePage is a page that was made or changed.
type ContentUpdatePage struct {
	Object string            `json:"object" enum:"page"`
	ID     string            `json:"id"`
	URLs   ContentUpdateURLs `json:"urls"`
}

// ContentUpdateURLs are a page's addresses.
type ContentUpdateURLs struct {
	Location string `json:"location" format:"uri"`
}

// batch reads the changes of a request.
func (c ContentChanges) batch(space id.Space) (edit.Batch, error) {
	batch := edit.Batch{Space: space, Base: c.Revision, Message: c.Message}
	for i, change := range c.Changes {
		body, err := change.Document.body("body.changes[" + strconv.Itoa(i) + "].document")
		if err != nil {
			return edit.Batch{}, err
		}
		read := edit.Change{
			Operation: edit.Operation(change.Operation), Page: change.Page, Ref: change.Ref,
			Type:   entity.PageType(change.Type),
			Fields: change.fields(), Into: change.Into.Value, At: change.At, Body: body, Revision: change.Revision,
			Blocks: change.Block,
			File:   change.File, Reusable: change.Reusable, Redirect: change.Redirect, Path: change.Path,
			Name: change.Name.Value,
		}
		if read.Operation == edit.UpdateVariables {
			read.Variables, read.Fields.Variables = read.Fields.Variables, optional.Value[map[string]any]{}
		}
		if r := change.Replacement; r != nil {
			read.Replacement = &edit.NewFile{MediaType: r.ContentType, URL: r.URL, Base64: r.Base64}
		}
		for _, file := range change.Files {
			read.Files = append(read.Files, edit.NewFile{Ref: file.Ref, Name: file.Name, MediaType: file.ContentType,
				URL: file.URL, Base64: file.Base64})
		}
		batch.Changes = append(batch.Changes, read)
	}
	return batch, nil
}

func (c ContentChange) fields() edit.Fields {
	return edit.Fields{
		Title: c.Title.Value, Slug: c.Slug.Value, LinkTitle: c.LinkTitle.Value, Emoji: c.Emoji.Value,
		Icon:        c.Icon.Value,
		Description: c.Description.Value, Condition: c.Condition.Value, Owner: c.Owner.Value,
		Flags:  c.flags(),
		Layout: translated(c.Layout.Value, func(l LayoutInput) entity.Layout { return entity.Layout(l) }),
		Cover:  translated(c.Cover.Value, CoverInput.cover),
		Tags:   translated(c.Tags.Value, readTags),
		Computed: translated(c.Computed.Value, func(c ComputedInput) entity.Computed {
			return entity.Computed{Type: c.Type, Props: c.Props, Dependencies: c.Dependencies}
		}),
		Target:    translated(c.Target.Value, func(r wire.Reference) doc.Ref { return doc.Ref(r) }),
		Variables: c.Variables.Value,
	}
}

// changeMembers is where the rows of entity's table of flags are in a change.
var changeMembers = wire.MembersOf[ContentChange]()

// flags returns the switches that a change sets; null is off.
func (c ContentChange) flags() map[string]bool {
	set := map[string]bool{}
	members := reflect.ValueOf(c)
	for _, flag := range entity.PageFlags() {
		if value := members.FieldByIndex(changeMembers[flag.Name]).Interface().(wire.Patch[bool]); value.IsSet() {
			set[flag.Name] = value.Or(false)
		}
	}
	return set
}

// translated turns the value of an optional field into another.
func translated[T, U any](value optional.Value[T], turn func(T) U) optional.Value[U] {
	given, ok := value.Get()
	switch {
	case ok:
		return optional.Of(turn(given))
	case value.IsNull():
		return optional.Null[U]()
	}
	return optional.Value[U]{}
}

func (c CoverInput) cover() entity.Cover {
	return entity.Cover{Ref: readReference(c.Ref), RefDark: readReference(c.RefDark), YPos: c.YPos, Height: c.Height}
}

func readReference(reference *wire.Reference) *doc.Ref {
	if reference == nil {
		return nil
	}
	return new(doc.Ref(*reference))
}

func readTags(tags []wire.PageTag) []entity.Tag {
	read := make([]entity.Tag, len(tags))
	for i, tag := range tags {
		read[i] = entity.Tag{Tag: tag.Tag.Tag, Primary: tag.Primary}
	}
	return read
}

// body reads a body; the empty object and nil give none.
func (d *DocumentInput) body(path string) (edit.Body, error) {
	if d == nil {
		return edit.Body{}, nil
	}
	body := edit.Body{Markdown: d.Markdown, Complete: d.Complete}
	if len(d.Document) == 0 || string(d.Document) == "null" {
		return body, nil
	}
	document := &doc.Document{}
	if err := json.Unmarshal(d.Document, document); err != nil {
		return edit.Body{}, wire.AtPath(path+".document", err)
	}
	body.Document = document
	return body, nil
}

// outcomeObjects say what a change did, for those that are not updated pages.
var outcomeObjects = map[edit.Operation]string{
	edit.InsertPage: "created_page", edit.DeletePage: "deleted_page",
	edit.UpdateFile: "updated_file", edit.RevertFile: "updated_file", edit.DeleteFile: "deleted_file",
	edit.InsertReusable: "created_reusable_content", edit.UpdateReusable: "updated_reusable_content",
	edit.RevertReusable: "updated_reusable_content", edit.DeleteReusable: "deleted_reusable_content",
	edit.UpdateVariables: "updated_variables",
	edit.InsertRedirect:  "created_redirect", edit.DeleteRedirect: "deleted_redirect",
}

// wireOutcomes says what a batch did. pages is the address that the ids of pages are put behind.
func (h *Handlers) wireOutcomes(ctx context.Context, result edit.Result, pages string) []ContentUpdateChange {
	wire := make([]ContentUpdateChange, 0, len(result.Outcomes))
	for _, outcome := range result.Outcomes {
		change := ContentUpdateChange{Object: cmp.Or(outcomeObjects[outcome.Operation], "updated_page"),
			Ref: outcome.Ref}
		switch _, subject, _ := strings.Cut(change.Object, "_"); {
		case subject == "file":
			change.File = outcome.ID
		case subject == "reusable_content":
			change.ReusableContent = outcome.ID
		case subject == "redirect":
			change.Redirect = outcome.ID
		case outcome.Operation == edit.DeletePage:
			change.Page = outcome.ID
		case subject == "page":
			change.Page = ContentUpdatePage{Object: "page", ID: outcome.ID,
				URLs: ContentUpdateURLs{Location: pages + outcome.ID}}
		}
		if len(outcome.Deleted) > 0 {
			change.UsedBy = h.deletionUses(ctx, result.Revision, outcome.Deleted)
		}
		wire = append(wire, change)
	}
	return wire
}

// maxUses is how many users of what was deleted an answer names.
const maxUses = 100

// deletionUses says what of a revision still leads to what was deleted. The deletion has been made by now, so what goes
// wrong here is no reason to say that it has failed.
func (h *Handlers) deletionUses(ctx context.Context, revision store.Revision, deleted []string) *DeletionUses {
	view, err := h.Content.View(ctx, revision.ID)
	if err != nil {
		failure.Log(ctx, h.Log, "deletionUses", err)
		return nil
	}
	computed, err := h.computedPagesGone(ctx, view)
	if err != nil {
		failure.Log(ctx, h.Log, "deletionUses", err)
		return nil
	}
	users, err := h.Links.UsersOfAny(ctx, view, revision.Space, append(deleted[:len(deleted):len(deleted)],
		computed...))
	if err != nil {
		failure.Log(ctx, h.Log, "deletionUses", err)
		return nil
	}
	return &DeletionUses{Count: len(users), Items: users[:min(len(users), maxUses)]}
}

// computedPagesGone returns the ids of the pages that computed pages stood for in the revision before one, and do not
// any more.
func (h *Handlers) computedPagesGone(ctx context.Context, view *store.View) ([]string, error) {
	parents := view.Revision().Parents
	state, err := h.ComputedPages.State(ctx, view.Revision().Space)
	if err != nil || state == "" || len(parents) == 0 {
		return nil, err
	}
	earlier, err := h.Content.View(ctx, parents[0])
	if err != nil {
		return nil, err
	}
	before, err := h.ComputedPages.Expand(ctx, earlier)
	if err != nil || len(before.Pages) == 0 {
		return nil, err
	}
	after, err := h.ComputedPages.Expand(ctx, view)
	if err != nil {
		return nil, err
	}
	var gone []string
	for id := range before.Pages {
		if _, there := after.Pages[id]; !there {
			gone = append(gone, id)
		}
	}
	return gone, nil
}

func (h *Handlers) wireFiles(space id.Space, files []*entity.Entry) []wire.File {
	answer := make([]wire.File, 0, len(files))
	for _, file := range files {
		answer = append(answer, h.Wire.File(space, file))
	}
	return answer
}

package imports

import (
	"cmp"
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/content/importer/generator"
	"github.com/rectodocs/recto/internal/engine/git"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/serve/api/failure"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/upload"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Import is the record of an import.
type Import struct {
	Object       string          `json:"object" enum:"import"`
	ID           id.Import       `json:"id"`
	Organization id.Organization `json:"organization"`
	Space        id.Space        `json:"space"`
	Source       string          `json:"source,omitempty"`
	URL          string          `json:"url,omitempty"`
	Name         string          `json:"name,omitempty" doc:"File name of an upload."`
	// ChangeRequest and Page say where in the space the content goes; absent for the main content and its root.
	ChangeRequest id.ChangeRequest `json:"changeRequest,omitempty" doc:"Id of the change request that takes the content; absent for the main content."`
	Page          string           `json:"page,omitempty" doc:"Id of the page that the content goes into or below; absent for the root."`
	Mirror        bool             `json:"mirror" doc:"Pages that the source does not have are removed."`
	DryRun        bool             `json:"dryRun" doc:"Nothing is changed; the report says what would be."`
	State         string           `json:"state" enum:"pending,running,done,failed,cancelled"`
	Done          int              `json:"done" doc:"Pages and files that are done."`
	Total         int              `json:"total" doc:"All of them; 0 while that is not known."`
	Message       string           `json:"message" doc:"What happens now, or why the import failed."`
	// Revision is there once the import is done.
	Revision          id.Revision     `json:"revision,omitempty"`
	ImportedResources int             `json:"importedResources"`
	TotalResources    int             `json:"totalResources"`
	Report            importer.Report `json:"report"`
	CreatedAt         string          `json:"createdAt" format:"date-time"`
	UpdatedAt         string          `json:"updatedAt" format:"date-time"`
	URLs              ImportURLs      `json:"urls"`
}

// ImportURLs are an import's addresses.
type ImportURLs struct {
	Location string `json:"location" format:"uri"`
}

func (h *Handlers) wireImport(i importer.Import) Import {
	imported := i.Report.Pages + i.Report.Files + i.Report.ReusableContents
	return Import{
		Object: "import", ID: i.ID, Organization: i.Organization, Space: i.Space, ChangeRequest: i.ChangeRequest,
		Page: i.TargetPage, Source: string(i.Source), URL: i.URL, Name: i.Name, Mirror: i.Mirror, DryRun: i.DryRun,
		State: string(i.State), Done: i.Done, Total: i.Total, Message: i.Message, Revision: i.Revision,
		ImportedResources: imported, TotalResources: imported + i.Report.Skipped.Total, Report: i.Report,
		CreatedAt: wire.Timestamp(i.CreatedAt), UpdatedAt: wire.Timestamp(i.UpdatedAt),
		URLs: ImportURLs{Location: h.importURL(i.Organization, i.ID)},
	}
}

func (h *Handlers) importURL(organization id.Organization, id id.Import) string {
	return h.Wire.BaseURL + "/v1/org/" + string(organization) + "/imports/" + string(id)
}

// importOutput is the record of an import: 201 when it is done, 202 when it goes on in the background.
type importOutput struct {
	Status   int
	Location string `header:"Location"`
	Applied  string `header:"Preference-Applied"`
	Body     Import
}

// ImportAddress is the body of an import from an address.
type ImportAddress struct {
	URL    string `json:"url" maxLength:"2048" doc:"Address of the website, file, document or repository."`
	Source string `json:"source" enum:"website,docx,markdown,html,zip,confluence,github-wiki,notion,google-docs"`
	Limit  int    `json:"limit,omitempty" minimum:"1" doc:"Most pages to take from a website; all when absent."`
	From   string `json:"from,omitempty" enum:"folders,gitbook,mdbook,mkdocs,docusaurus,vitepress,hugo,starlight,mintlify,nextra,sphinx,jekyll,asciidoctor" doc:"Generator of sites that a ZIP of pages is of; found out when absent."`
	Mirror bool   `json:"mirror,omitempty" doc:"Remove pages that the source does not have, and let those move that have another path there; for archives and wikis. Files, reusable contents and variables stay."`
	DryRun bool   `json:"dryRun,omitempty" doc:"Change nothing; the report says what would be added, updated, moved and removed."`
}

type importContentInput struct {
	Space  id.Space `path:"spaceId"`
	Prefer string   `header:"Prefer" doc:"respond-async answers at once and imports in the background (RFC 7240)."`
	Body   ImportAddress
}

type importInChangeRequestInput struct {
	wire.ChangeRequestPath
	Prefer string `header:"Prefer" doc:"respond-async answers at once and imports in the background (RFC 7240)."`
	Body   ImportAddress
}

// importInChangeRequest imports from an address into a change request.
func (h *Handlers) importInChangeRequest(ctx context.Context, in *importInChangeRequestInput) (*importOutput, error) {
	return h.runImport(ctx, in.Prefer, importer.Request{
		Space: in.Space, ChangeRequest: in.ChangeRequest, Source: importer.Source(in.Body.Source), URL: in.Body.URL,
		Limit: in.Body.Limit, From: generator.Name(in.Body.From), Mirror: in.Body.Mirror, DryRun: in.Body.DryRun,
	})
}

type importInPageInput struct {
	Space  id.Space `path:"spaceId"`
	Page   string   `path:"pageId"`
	Prefer string   `header:"Prefer" doc:"respond-async answers at once and imports in the background (RFC 7240)."`
	Body   ImportAddress
}

// importInPage imports from an address into a page: a single document becomes its body, other sources go below it.
func (h *Handlers) importInPage(ctx context.Context, in *importInPageInput) (*importOutput, error) {
	request := importer.Request{
		Space: in.Space, TargetPage: in.Page, Source: importer.Source(in.Body.Source), URL: in.Body.URL,
		Limit: in.Body.Limit, From: generator.Name(in.Body.From), Mirror: in.Body.Mirror, DryRun: in.Body.DryRun,
	}
	if !id.Valid("page", in.Page) {
		if _, err := h.Access.RequireSpace(ctx, operation.Caller(ctx), in.Space, access.ViewSpace); err != nil {
			return nil, err
		}
		return nil, errs.NotFoundf("There is no such page in this space.")
	}
	return h.runImport(ctx, in.Prefer, request)
}

// importContent imports from an address.
func (h *Handlers) importContent(ctx context.Context, in *importContentInput) (*importOutput, error) {
	return h.runImport(ctx, in.Prefer, importer.Request{
		Space: in.Space, Source: importer.Source(in.Body.Source), URL: in.Body.URL, Limit: in.Body.Limit,
		From: generator.Name(in.Body.From), Mirror: in.Body.Mirror, DryRun: in.Body.DryRun,
	})
}

type uploadContentInput struct {
	Space  id.Space `path:"spaceId"`
	Prefer string   `header:"Prefer" doc:"respond-async answers at once and imports in the background (RFC 7240)."`
	Source string   `query:"source" enum:"docx,markdown,html,zip,confluence,notion" doc:"What the body is; found out from the name and the bytes when absent."`
	Name   string   `query:"name" maxLength:"255" doc:"File name of the body."`
	From   string   `query:"from" enum:"folders,gitbook,mdbook,mkdocs,docusaurus,vitepress,hugo,starlight,mintlify,nextra,sphinx,jekyll,asciidoctor" doc:"Generator of sites that a ZIP of pages is of; found out from its files when absent. The report says what was found."`

	ChangeRequest id.ChangeRequest `query:"changeRequest" maxLength:"100" doc:"Id or number of the change request that takes the content; the main content when absent."`
	Page          string           `query:"page" maxLength:"100" doc:"Id of the page that takes the content: a single document becomes its body, others go below it."`

	Mirror bool `query:"mirror" doc:"Remove pages that the body does not have, and let those move that have another path there: for an archive. Files, reusable contents and variables stay."`
	DryRun bool `query:"dryRun" doc:"Change nothing; the report says what would be added, updated, moved and removed."`

	Repository string `query:"repository" maxLength:"1000" doc:"Address of the Git repository that the body is a folder or page of, such as https://github.com/acme/docs, without a user name or password. Pages, files and reusable contents then remember their files in it."`
	Ref        string `query:"ref" maxLength:"250" doc:"Branch of that repository; without one, sites have no links to edit a page there."`
	Folder     string `query:"folder" maxLength:"1024" doc:"Folder in that repository that the root of the body is; its own root when absent."`
	Commit     string `query:"commit" maxLength:"40" doc:"Commit of that repository, in 40 hexadecimal digits."`

	body io.Reader
	// form is set for a form, as browsers and curl -F send a file.
	form *multipart.Reader
}

// ReadRequest keeps the body as a stream: an upload may be larger than memory.
func (in *uploadContentInput) ReadRequest(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, importer.MaxArchive)
	in.body = r.Body
	if form, err := r.MultipartReader(); err == nil {
		in.form = form
	}
}

// open finds the file of a form.
func (in *uploadContentInput) open() error {
	if in.form == nil {
		return nil
	}
	file, err := upload.FilesOf(in.form).Next()
	if errors.Is(err, io.EOF) {
		return errs.Invalidf("body", "has no file; send one part with a file name, or the file alone as the body")
	}
	in.body, in.Name = file.Content, cmp.Or(in.Name, file.Name)
	return err
}

// origin is the state of a repository that an upload says it is, nil for none.
func (in *uploadContentInput) origin() *git.Source {
	said := git.Source{Repository: in.Repository, Ref: in.Ref, Folder: in.Folder, Commit: in.Commit}
	if said == (git.Source{}) {
		return nil
	}
	return &said
}

// uploadContent imports the request's body, or the first file of a form.
func (h *Handlers) uploadContent(ctx context.Context, in *uploadContentInput) (*importOutput, error) {
	if err := in.open(); err != nil {
		return nil, err
	}
	return h.runImport(ctx, in.Prefer, importer.Request{
		Space: in.Space, ChangeRequest: in.ChangeRequest, TargetPage: in.Page, Source: importer.Source(in.Source),
		Name: in.Name, Upload: in.body, From: generator.Name(in.From),
		Mirror: in.Mirror, DryRun: in.DryRun, Origin: in.origin(),
	})
}

// runImport imports now or in the background, as the client prefers.
func (h *Handlers) runImport(ctx context.Context, prefer string, request importer.Request) (*importOutput, error) {
	caller := operation.Caller(ctx)
	if asynchronous(prefer) {
		started, err := h.Imports.Start(ctx, caller, request)
		if err != nil {
			return nil, err
		}
		wire := h.wireImport(started)
		return &importOutput{Status: http.StatusAccepted, Location: wire.URLs.Location, Applied: "respond-async",
			Body: wire}, nil
	}
	result, err := h.Imports.Import(ctx, caller, request, nil)
	if err != nil {
		return nil, err
	}
	allowed, err := h.Access.Space(ctx, caller, request.Space)
	if err != nil {
		return nil, err
	}
	record, err := h.Imports.Get(ctx, caller, allowed.Organization, result.Import)
	if err != nil {
		return nil, err
	}
	wire := h.wireImport(record)
	return &importOutput{Status: http.StatusCreated, Location: wire.URLs.Location, Body: wire}, nil
}

// asynchronous reports whether a Prefer header asks for an answer before the work is done.
func asynchronous(prefer string) bool {
	for preference := range strings.SplitSeq(prefer, ",") {
		name, _, _ := strings.Cut(preference, ";")
		if strings.EqualFold(strings.TrimSpace(name), "respond-async") {
			return true
		}
	}
	return false
}

type listImportsInput struct {
	wire.PageParams
	Organization id.Organization `path:"organizationId"`
}

// listImports lists the imports that the caller started; admins see all.
func (h *Handlers) listImports(ctx context.Context, in *listImportsInput) (*operation.Body[wire.List[Import]], error) {
	caller := operation.Caller(ctx)
	name := "imports/" + string(in.Organization) + "/" + string(caller.User.ID)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	imports, err := h.Imports.List(ctx, caller, in.Organization, request)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[Import]]{Body: *wire.Listed(h.Lists, name, imports, h.wireImport)}, nil
}

type importInput struct {
	Organization id.Organization `path:"organizationId"`
	Import       id.Import       `path:"importId"`
}

// getImport answers the record of one import.
func (h *Handlers) getImport(ctx context.Context, in *importInput) (*operation.Body[Import], error) {
	record, err := h.Imports.Get(ctx, operation.Caller(ctx), in.Organization, in.Import)
	if err != nil {
		return nil, err
	}
	return &operation.Body[Import]{Body: h.wireImport(record)}, nil
}

// cancelImport ends an import that runs or waits.
func (h *Handlers) cancelImport(ctx context.Context, in *importInput) (*operation.Nothing, error) {
	if err := h.Imports.Cancel(ctx, operation.Caller(ctx), in.Organization, in.Import); err != nil {
		return nil, err
	}
	return &operation.Nothing{}, nil
}

// exportContent streams the current revision as a ZIP.
func (h *Handlers) exportContent(ctx context.Context, in *wire.SpacePath) (*huma.StreamResponse, error) {
	if _, err := h.Access.RequireSpace(ctx, operation.Caller(ctx), in.Space, access.ViewSpace); err != nil {
		return nil, err
	}
	view, err := h.Content.Head(ctx, in.Space)
	if errs.Is(err, errs.NotFound) {
		return nil, errs.NotFoundf("The space has no content.")
	}
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		_, w := humago.Unwrap(ctx)
		httpx.SetFileHeaders(w.Header(), string(in.Space)+".zip")
		archive := importer.NewZIPSink(w)
		_, err := h.Imports.Export(ctx.Context(), view, archive)
		if err = errors.Join(err, archive.Close()); err != nil {
			failure.Log(ctx.Context(), h.Log, "exportContent", err)
			// The status is sent: cutting the connection is the only way left to say that the archive is not whole.
			panic(http.ErrAbortHandler)
		}
	}}, nil
}

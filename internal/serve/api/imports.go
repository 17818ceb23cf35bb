package api

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
	"github.com/rectodocs/recto/internal/engine/git"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/platform/httpx"
)

// Import is the record of an import.
type Import struct {
	Object       string `json:"object" enum:"import"`
	ID           string `json:"id"`
	Organization string `json:"organization"`
	Space        string `json:"space"`
	Source       string `json:"source,omitempty"`
	URL          string `json:"url,omitempty"`
	Name         string `json:"name,omitempty" doc:"File name of an upload."`
	// ChangeRequest and Page say where in the space the content goes; absent for the main content and its root.
	ChangeRequest string `json:"changeRequest,omitempty" doc:"Id of the change request that takes the content; absent for the main content."`
	Page          string `json:"page,omitempty" doc:"Id of the page that the content goes into or below; absent for the root."`
	State         string `json:"state" enum:"pending,running,done,failed,cancelled"`
	Done          int    `json:"done" doc:"Pages and files that are done."`
	Total         int    `json:"total" doc:"All of them; 0 while that is not known."`
	Message       string `json:"message" doc:"What happens now, or why the import failed."`
	// Revision is there once the import is done.
	Revision          string          `json:"revision,omitempty"`
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

func (a *API) wireImport(i importer.Import) Import {
	imported := i.Report.Pages + i.Report.Files + i.Report.ReusableContents
	return Import{
		Object: "import", ID: i.ID, Organization: i.Organization, Space: i.Space, ChangeRequest: i.ChangeRequest,
		Page: i.TargetPage, Source: string(i.Source), URL: i.URL, Name: i.Name,
		State: string(i.State), Done: i.Done, Total: i.Total, Message: i.Message, Revision: i.Revision,
		ImportedResources: imported, TotalResources: imported + i.Report.Skipped.Total, Report: i.Report,
		CreatedAt: timestamp(i.CreatedAt), UpdatedAt: timestamp(i.UpdatedAt),
		URLs: ImportURLs{Location: a.importURL(i.Organization, i.ID)},
	}
}

func (a *API) importURL(organization, id string) string {
	return a.BaseURL + "/v1/org/" + organization + "/imports/" + id
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
}

type importContentInput struct {
	Space  string `path:"spaceId"`
	Prefer string `header:"Prefer" doc:"respond-async answers at once and imports in the background (RFC 7240)."`
	Body   ImportAddress
}

type importInChangeRequestInput struct {
	ChangeRequestPath
	Prefer string `header:"Prefer" doc:"respond-async answers at once and imports in the background (RFC 7240)."`
	Body   ImportAddress
}

// importInChangeRequest imports from an address into a change request.
func (a *API) importInChangeRequest(ctx context.Context, in *importInChangeRequestInput) (*importOutput, error) {
	return a.runImport(ctx, in.Prefer, importer.Request{
		Space: in.Space, ChangeRequest: in.ChangeRequest, Source: importer.Source(in.Body.Source), URL: in.Body.URL,
		Limit: in.Body.Limit,
	})
}

type importInPageInput struct {
	Space  string `path:"spaceId"`
	Page   string `path:"pageId"`
	Prefer string `header:"Prefer" doc:"respond-async answers at once and imports in the background (RFC 7240)."`
	Body   ImportAddress
}

// importInPage imports from an address into a page: a single document becomes its body, other sources go below it.
func (a *API) importInPage(ctx context.Context, in *importInPageInput) (*importOutput, error) {
	request := importer.Request{
		Space: in.Space, TargetPage: in.Page, Source: importer.Source(in.Body.Source), URL: in.Body.URL,
		Limit: in.Body.Limit,
	}
	if !id.Valid("page", in.Page) {
		if _, err := a.Access.RequireSpace(ctx, callerOf(ctx), in.Space, access.ViewSpace); err != nil {
			return nil, err
		}
		return nil, errs.NotFoundf("There is no such page in this space.")
	}
	return a.runImport(ctx, in.Prefer, request)
}

// importContent imports from an address.
func (a *API) importContent(ctx context.Context, in *importContentInput) (*importOutput, error) {
	return a.runImport(ctx, in.Prefer, importer.Request{
		Space: in.Space, Source: importer.Source(in.Body.Source), URL: in.Body.URL, Limit: in.Body.Limit,
	})
}

type uploadContentInput struct {
	Space  string `path:"spaceId"`
	Prefer string `header:"Prefer" doc:"respond-async answers at once and imports in the background (RFC 7240)."`
	Source string `query:"source" enum:"docx,markdown,html,zip,confluence,notion" doc:"What the body is; found out from the name and the bytes when absent."`
	Name   string `query:"name" maxLength:"255" doc:"File name of the body."`

	ChangeRequest string `query:"changeRequest" maxLength:"100" doc:"Id or number of the change request that takes the content; the main content when absent."`
	Page          string `query:"page" maxLength:"100" doc:"Id of the page that takes the content: a single document becomes its body, others go below it."`

	Repository string `query:"repository" maxLength:"1000" doc:"Address of the Git repository that the body is a folder or page of, such as https://github.com/acme/docs, without a user name or password. Pages, files and reusable contents then remember their files in it."`
	Ref        string `query:"ref" maxLength:"250" doc:"Branch of that repository; without one, sites have no links to edit a page there."`
	Folder     string `query:"folder" maxLength:"1024" doc:"Folder in that repository that the root of the body is; its own root when absent."`
	Commit     string `query:"commit" maxLength:"40" doc:"Commit of that repository, in 40 hexadecimal digits."`

	body io.Reader
	// form is set for a form, as browsers and curl -F send a file.
	form *multipart.Reader
}

// takeRequest keeps the body as a stream: an upload may be larger than memory.
func (in *uploadContentInput) takeRequest(w http.ResponseWriter, r *http.Request) {
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
	file, err := (&MultipartBody{parts: in.form}).next()
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
func (a *API) uploadContent(ctx context.Context, in *uploadContentInput) (*importOutput, error) {
	if err := in.open(); err != nil {
		return nil, err
	}
	return a.runImport(ctx, in.Prefer, importer.Request{
		Space: in.Space, ChangeRequest: in.ChangeRequest, TargetPage: in.Page, Source: importer.Source(in.Source),
		Name: in.Name, Upload: in.body,
		Origin: in.origin(),
	})
}

// runImport imports now or in the background, as the client prefers.
func (a *API) runImport(ctx context.Context, prefer string, request importer.Request) (*importOutput, error) {
	caller := callerOf(ctx)
	if asynchronous(prefer) {
		started, err := a.Imports.Start(ctx, caller, request)
		if err != nil {
			return nil, err
		}
		wire := a.wireImport(started)
		return &importOutput{Status: http.StatusAccepted, Location: wire.URLs.Location, Applied: "respond-async",
			Body: wire}, nil
	}
	result, err := a.Imports.Import(ctx, caller, request, nil)
	if err != nil {
		return nil, err
	}
	allowed, err := a.Access.Space(ctx, caller, request.Space)
	if err != nil {
		return nil, err
	}
	record, err := a.Imports.Get(ctx, caller, allowed.Organization, result.Import)
	if err != nil {
		return nil, err
	}
	wire := a.wireImport(record)
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
	PageParams
	Organization string `path:"organizationId"`
}

// listImports lists the imports that the caller started; admins see all.
func (a *API) listImports(ctx context.Context, in *listImportsInput) (*body[List[Import]], error) {
	caller := callerOf(ctx)
	name := "imports/" + in.Organization + "/" + caller.User.ID
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	imports, err := a.Imports.List(ctx, caller, in.Organization, request)
	if err != nil {
		return nil, err
	}
	return &body[List[Import]]{Body: *listed(a, name, imports, a.wireImport)}, nil
}

type importInput struct {
	Organization string `path:"organizationId"`
	Import       string `path:"importId"`
}

// getImport answers the record of one import.
func (a *API) getImport(ctx context.Context, in *importInput) (*body[Import], error) {
	record, err := a.Imports.Get(ctx, callerOf(ctx), in.Organization, in.Import)
	if err != nil {
		return nil, err
	}
	return &body[Import]{Body: a.wireImport(record)}, nil
}

// cancelImport ends an import that runs or waits.
func (a *API) cancelImport(ctx context.Context, in *importInput) (*nothing, error) {
	if err := a.Imports.Cancel(ctx, callerOf(ctx), in.Organization, in.Import); err != nil {
		return nil, err
	}
	return &nothing{}, nil
}

// exportContent streams the current revision as a ZIP.
func (a *API) exportContent(ctx context.Context, in *spaceInput) (*huma.StreamResponse, error) {
	if _, err := a.Access.RequireSpace(ctx, callerOf(ctx), in.Space, access.ViewSpace); err != nil {
		return nil, err
	}
	view, err := a.Content.Head(ctx, in.Space)
	if errs.Is(err, errs.NotFound) {
		return nil, errs.NotFoundf("The space has no content.")
	}
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		_, w := humago.Unwrap(ctx)
		httpx.SetFileHeaders(w.Header(), in.Space+".zip")
		archive := importer.NewZIPSink(w)
		_, err := a.Imports.Export(ctx.Context(), view, archive)
		if err = errors.Join(err, archive.Close()); err != nil {
			a.logDefect(ctx.Context(), "exportContent", err)
			// The status is sent: cutting the connection is the only way left to say that the archive is not whole.
			panic(http.ErrAbortHandler)
		}
	}}, nil
}

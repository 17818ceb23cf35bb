package prints

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/print"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/serve/api/failure"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// PDFScope says what is printed.
type PDFScope struct {
	Only bool   `query:"only" doc:"Print the page alone, without those below it. Needs page."`
	Page string `query:"page" maxLength:"100" doc:"Id of the page to print; everything when absent."`
}

func (s PDFScope) scope() print.Scope { return print.Scope{Page: s.Page, Only: s.Only} }

// PDFURL is where a PDF is.
type PDFURL struct {
	URL string `json:"url" format:"uri" doc:"Signed address of the PDF. It works for one hour and needs no token."`
}

type getSpacePDFInput struct {
	PDFScope
	Space id.Space `path:"spaceId"`
}

// getSpacePDF orders a PDF of the current content.
func (h *Handlers) getSpacePDF(ctx context.Context, in *getSpacePDFInput) (*operation.Body[PDFURL], error) {
	return h.pdfAnswer(h.Prints.Order(ctx, operation.Caller(ctx), in.Space, in.scope()))
}

type getChangeRequestPDFInput struct {
	wire.ChangeRequestPath
	PDFScope
}

// getChangeRequestPDF orders a PDF of what a change request proposes.
func (h *Handlers) getChangeRequestPDF(ctx context.Context,
	in *getChangeRequestPDFInput) (*operation.Body[PDFURL], error) {
	return h.pdfAnswer(h.Prints.OrderChange(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest, in.scope()))
}

func (h *Handlers) pdfAnswer(ordered print.PDF, err error) (*operation.Body[PDFURL], error) {
	if err != nil {
		return nil, err
	}
	expires := strconv.FormatInt(h.Wire.Downloads.Now().Add(print.Life).Unix(), 10)
	name := entity.Slugify(ordered.Title)
	if name == "" {
		name = "document"
	}
	query := url.Values{"expires": {expires}, "signature": {h.Wire.Downloads.Sign("pdf", ordered.ID, expires)}}
	return &operation.Body[PDFURL]{Body: PDFURL{URL: h.Wire.BaseURL + "/v1/pdfs/" + ordered.ID + "/" +
		url.PathEscape(name) + ".pdf?" +
		query.Encode()}}, nil
}

// pdfWait is how long an address waits for its PDF.
const pdfWait = 30 * time.Second

type downloadPDFInput struct {
	PDF       string `path:"pdfId" maxLength:"100"`
	Name      string `path:"name" doc:"File name; any will do."`
	Expires   string `query:"expires" maxLength:"20"`
	Signature string `query:"signature" maxLength:"64"`
}

// downloadPDF sends a PDF to whoever has its signed address, as soon as it is made.
func (h *Handlers) downloadPDF(ctx context.Context, in *downloadPDFInput) (*huma.StreamResponse, error) {
	genuine, live := h.Wire.Downloads.Check(in.Signature, in.Expires, "pdf", in.PDF)
	if !genuine {
		return nil, errs.Forbiddenf("The address is not one that this server made. Ask for the PDF again.")
	}
	if !live {
		return nil, errs.NotFoundf("The address has expired. Ask for the PDF again.")
	}
	pdf, err := h.Prints.Await(ctx, in.PDF, pdfWait)
	switch {
	case err != nil:
		return nil, err
	case pdf.State == print.Failed && pdf.Mendable:
		return nil, errs.New(errs.TooLarge, "%s", pdf.Message)
	case pdf.State == print.Failed:
		return nil, fmt.Errorf("making PDF %s failed", pdf.ID)
	case pdf.State != print.Done:
		body := failure.New(http.StatusServiceUnavailable,
			fmt.Sprintf("The PDF is being made: %d of %d pages are done. Ask again in a few seconds.", pdf.Done,
				pdf.Total))
		body.Header.Set("Retry-After", "3")
		return nil, body
	}
	file, _, err := h.Prints.Open(ctx, pdf)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		defer file.Close()
		r, w := humago.Unwrap(ctx)
		httpx.SetFileHeaders(w.Header(), in.Name)
		w.Header().Set("Content-Type", "application/pdf")
		w.Header().Set("ETag", httpx.ETag(pdf.ID+"/"+strconv.FormatInt(pdf.Size, 10)))
		w.Header().Set("Cache-Control", "private, max-age=600")
		http.ServeContent(w, r, "", time.Time{}, file)
	}}, nil
}

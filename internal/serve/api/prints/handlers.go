// Package prints owns the operations that order and send PDFs.
//
// The address of a PDF is signed: whoever has it may read the PDF for an hour.
package prints

import (
	"github.com/rectodocs/recto/internal/content/print"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations on PDFs. Every field is required.
type Handlers struct {
	Prints *print.Service

	Wire wire.Writer
}

package api

import (
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// ignoredField is something that the family's public client may send and that has no meaning here: it is passed over
// where any other unknown name is refused.
type ignoredField struct {
	// operation is the id of the operation.
	operation string
	// path is the field or parameter as errors name it, such as "body.template" or "query.brokenContext".
	path string
	// why it is ignored, for people.
	why string
}

// ignoredFields is all that is passed over. A field stays here only while the client has it and the operation does not:
// the tests of the client hold the list against the client's own document.
var ignoredFields = []ignoredField{
	{"createSpace", "body.template", "There are no templates of spaces: the space starts empty."},
	{"createSpace", "body.computedSource",
		"Content that integrations compute comes with the integration: the space starts empty."},
	{"listChangeRequestLinks", "query.brokenContext",
		"All links are listed; their status and the statistics tell which are broken by the change request."},
}

// ignore takes what an operation ignores from the table and documents it.
func ignore(op *operation.Operation) map[string]bool {
	ignored := map[string]bool{}
	var documented []map[string]string
	for _, each := range ignoredFields {
		if each.operation == op.OperationID {
			ignored[each.path] = true
			documented = append(documented, map[string]string{"field": each.path, "why": each.why})
		}
	}
	if documented != nil {
		if op.Extensions == nil {
			op.Extensions = map[string]any{}
		}
		op.Extensions["x-ignored"] = documented
	}
	return ignored
}

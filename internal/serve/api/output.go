package api

import (
	"bytes"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/serve/api/failure"
)

// outputBinding knows how values of one output type become responses. It is made once for each operation.
type outputBinding struct {
	// status and body are fields of the output, -1 when it has none.
	status, body int
	headers      []outputHeader
	// normally is the status of an output that has none.
	normally int
}

// outputHeader is a field that becomes a header; an empty one is left out.
type outputHeader struct {
	field int
	name  string
}

// bindOutput reads the fields of a struct type and documents them in op. It panics on a type that makes no response,
// which is a defect in the table that newDocument shows.
//
// Status is the HTTP status where it is not always the same. Strings with the tag header are headers. Body is the body:
// bytes as they are, a function that writes it, or anything else as JSON.
func bindOutput(op *huma.Operation, registry huma.Registry, of reflect.Type) *outputBinding {
	b := &outputBinding{status: -1, body: -1, normally: op.DefaultStatus}
	for i := range of.NumField() {
		field := of.Field(i)
		switch name := field.Tag.Get("header"); {
		case field.Name == "Status" && field.Type.Kind() == reflect.Int:
			b.status = i
		case field.Name == "Body":
			b.body = i
		case name != "" && field.Type.Kind() == reflect.String:
			b.headers = append(b.headers, outputHeader{field: i, name: name})
		default:
			panic(fmt.Sprintf("api: field %s of the output of %s is no part of a response", field.Name, op.OperationID))
		}
	}
	if b.normally == 0 {
		b.normally = http.StatusNoContent
		if b.body >= 0 {
			b.normally = http.StatusOK
		}
	}
	op.DefaultStatus = b.normally
	b.document(op, registry, of)
	return b
}

// document describes the successful response, unless the operation's row has done so.
func (b *outputBinding) document(op *huma.Operation, registry huma.Registry, of reflect.Type) {
	if op.Responses == nil {
		op.Responses = map[string]*huma.Response{}
	}
	status := strconv.Itoa(b.normally)
	response := op.Responses[status]
	if response == nil {
		response = &huma.Response{Description: http.StatusText(b.normally)}
		op.Responses[status] = response
	}
	if b.body >= 0 && of.Field(b.body).Type.Kind() != reflect.Func {
		field := of.Field(b.body)
		hint := op.OperationID + "Response"
		if of.Name() != "" {
			hint = of.Name() + field.Name
		}
		schema := huma.SchemaFromField(registry, field, hint)
		if response.Content == nil {
			response.Content = map[string]*huma.MediaType{"application/json": {Schema: schema}}
		}
	}
	for _, header := range b.headers {
		if response.Headers == nil {
			response.Headers = map[string]*huma.Param{}
		}
		response.Headers[header.name] = &huma.Header{Schema: huma.SchemaFromField(registry, of.Field(header.field), "")}
	}
}

// documentErrors describes the answers to requests that fail.
func documentErrors(op *huma.Operation, registry huma.Registry) {
	schema := registry.Schema(reflect.TypeFor[failure.ErrorBody](), true, "ErrorBody")
	codes := append(slices.Clone(op.Errors), http.StatusInternalServerError)
	for _, code := range codes {
		op.Responses[strconv.Itoa(code)] = &huma.Response{
			Description: http.StatusText(code),
			Content:     map[string]*huma.MediaType{"application/json": {Schema: schema}},
		}
	}
}

// write answers with an output, a pointer to the type that the binding is of.
func (b *outputBinding) write(a *API, ctx huma.Context, output any) {
	value := reflect.ValueOf(output).Elem()
	contentType := ""
	for _, header := range b.headers {
		text := value.Field(header.field).String()
		if text == "" {
			continue
		}
		ctx.SetHeader(header.name, text)
		if header.name == "Content-Type" {
			contentType = text
		}
	}
	status := b.normally
	if b.status >= 0 {
		status = int(value.Field(b.status).Int())
	}
	if b.body < 0 {
		ctx.SetStatus(status)
		return
	}
	switch body := value.Field(b.body).Interface().(type) {
	case func(huma.Context):
		body(ctx)
	case []byte:
		ctx.SetStatus(status)
		// An error means that the client is gone.
		_, _ = ctx.BodyWriter().Write(body)
	default:
		if status == http.StatusNoContent || status == http.StatusNotModified {
			ctx.SetStatus(status)
			return
		}
		// Written only when it is whole, so that a value that is no JSON becomes a proper failure.
		var encoded bytes.Buffer
		if err := a.huma.Marshal(&encoded, "application/json", body); err != nil {
			a.fail(ctx, err)
			return
		}
		if contentType == "" {
			ctx.SetHeader("Content-Type", "application/json")
		}
		ctx.SetStatus(status)
		_, _ = ctx.BodyWriter().Write(encoded.Bytes())
	}
}

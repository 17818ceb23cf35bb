package api

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/danielgtaylor/huma/v2/validation"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/serve/api/failure"
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// This file makes a handler's input of a request. The types, tags, schemas and their validation are huma's; what is its
// own is the way between them, because huma.Register is generic: the compiler writes it anew for each operation (ADR
// 37).

// inputBinding knows how requests become values of one input type. It is made once for each operation.
type inputBinding struct {
	registry   huma.Registry
	of         reflect.Type
	parameters []parameter
	// body is the field Body, a JSON value, and raw the field RawBody, its bytes; nil when the input has none.
	body, raw []int
	schema    *huma.Schema // of body
	required  bool         // whether there has to be a body
	streams   bool         // whether the input takes the body as it comes
	limit     int64        // of the body, in bytes
	// ignored are paths of fields and parameters that are passed over, see ignoredFields.
	ignored map[string]bool
}

// parameter is a field that comes from the path, the query or a header.
type parameter struct {
	index    []int
	in, name string
	required bool
	// fallback is what an absent parameter stands for; empty when it stands for nothing.
	fallback string
	// repeats says that each value of the query is one of the list, rather than a list with commas.
	repeats bool
	schema  *huma.Schema
}

var timeType = reflect.TypeFor[time.Time]()

// bindInput reads the fields of a struct type and documents them in op. It panics on a type that it cannot fill, which
// is a defect in the table that newDocument shows.
//
// Fields are parameters by their tag path, query or header. Body is the JSON of the body; a pointer may be absent.
// RawBody is its bytes. Exported embedded structs count as if their fields stood in their place.
func bindInput(op *huma.Operation, registry huma.Registry, of reflect.Type) *inputBinding {
	b := &inputBinding{registry: registry, of: of, limit: op.MaxBodyBytes}
	_, b.streams = reflect.New(of).Interface().(operation.RequestReader)
	b.bindFields(op, of, nil)
	if b.body == nil && b.raw == nil {
		b.limit = noBody
	}
	return b
}

func (b *inputBinding) bindFields(op *huma.Operation, of reflect.Type, parent []int) {
	for i := range of.NumField() {
		field := of.Field(i)
		index := append(slices.Clone(parent), i)
		switch {
		case !field.IsExported():
		case field.Anonymous:
			b.bindFields(op, field.Type, index)
		case field.Name == "Body":
			b.body = index
			b.bindBody(op, field)
		case field.Name == "RawBody":
			b.raw, b.required = index, true
			op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
				"application/octet-stream": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}},
			}}
		default:
			b.bindParameter(op, field, index)
		}
	}
}

// bindBody documents the JSON body.
func (b *inputBinding) bindBody(op *huma.Operation, field reflect.StructField) {
	hint := op.OperationID + "Request"
	if b.of.Name() != "" {
		hint = b.of.Name() + field.Name
	}
	b.schema = huma.SchemaFromField(b.registry, field, hint)
	b.schema.PrecomputeMessages()
	b.required = field.Type.Kind() != reflect.Pointer
	op.RequestBody = &huma.RequestBody{Required: b.required,
		Content: map[string]*huma.MediaType{"application/json": {Schema: b.schema}}}
}

// bindParameter documents one parameter.
func (b *inputBinding) bindParameter(op *huma.Operation, field reflect.StructField, index []int) {
	p := parameter{index: index, fallback: field.Tag.Get("default")}
	var explode *bool
	switch {
	case field.Tag.Get("path") != "":
		p.in, p.name, p.required = "path", field.Tag.Get("path"), true
	case field.Tag.Get("query") != "":
		name, how, _ := strings.Cut(field.Tag.Get("query"), ",")
		p.in, p.name, p.repeats = "query", name, how == "explode"
		p.required = field.Tag.Get("required") == "true"
		explode = &p.repeats
	case field.Tag.Get("header") != "":
		p.in, p.name = "header", field.Tag.Get("header")
	default:
		panic(fmt.Sprintf("api: field %s of the input of %s is in no part of a request", field.Name, op.OperationID))
	}
	if _, err := parseParameter(reflect.New(field.Type).Elem(), "", nil); errors.Is(err, errUnsupportedParameter) {
		panic(fmt.Sprintf("api: parameter %s of %s has type %s, which no text becomes", p.name, op.OperationID,
			field.Type))
	}
	p.schema = huma.SchemaFromField(b.registry, field, "")
	b.parameters = append(b.parameters, p)
	op.Parameters = append(op.Parameters, &huma.Param{
		Name: p.name, Description: p.schema.Description, In: p.in, Explode: explode, Required: p.required,
		Schema: p.schema,
	})
}

// read makes a pointer to an input of a request. A failure names every part of the request that is not valid.
func (b *inputBinding) read(api huma.API, ctx huma.Context) (any, *failure.ErrorBody) {
	input := reflect.New(b.of)
	path, problems := huma.NewPathBuffer(make([]byte, 0, 64), 0), new(huma.ValidateResult)
	query := b.readQuery(ctx, problems)
	for i := range b.parameters {
		b.readParameter(ctx, &b.parameters[i], query, input.Elem(), path, problems)
	}
	var refusal *failure.ErrorBody
	switch {
	case b.body != nil || b.raw != nil:
		refusal = b.readBody(api, ctx, input.Elem(), path, problems)
	case !b.streams:
		refusal = b.refuseBody(ctx)
	}
	if refusal != nil {
		return nil, refusal
	}
	if len(problems.Errors) > 0 {
		return nil, invalidRequest(problems.Errors)
	}
	if reader, ok := input.Interface().(operation.RequestReader); ok {
		r, w := humago.Unwrap(ctx)
		reader.ReadRequest(w, r)
	}
	return input.Interface(), nil
}

func (b *inputBinding) readParameter(
	ctx huma.Context, p *parameter, query url.Values, input reflect.Value, path *huma.PathBuffer,
	problems *huma.ValidateResult,
) {
	path.Reset()
	path.Push(p.in)
	path.Push(p.name)
	text := p.fallback
	var values []string
	switch p.in {
	case "path":
		text = ctx.Param(p.name)
	case "header":
		if given := ctx.Header(p.name); given != "" {
			text = given
		}
	case "query":
		if given := query.Get(p.name); given != "" {
			text = given
		}
		if p.repeats {
			values = query[p.name]
		}
	}
	if text == "" {
		if p.required {
			problems.Add(path, "", "required "+p.in+" parameter is missing")
		}
		return
	}
	parsed, err := parseParameter(input.FieldByIndex(p.index), text, values)
	if err != nil {
		problems.Add(path, text, err.Error())
		return
	}
	huma.Validate(b.registry, p.schema, path, huma.ModeWriteToServer, parsed, problems)
}

var errUnsupportedParameter = errors.New("no text becomes this type")

// parseParameter sets a field to what text says and returns what a schema validates. values are a list's, when each
// came for itself.
func parseParameter(field reflect.Value, text string, values []string) (any, error) {
	switch {
	case field.Kind() == reflect.String:
		field.SetString(text)
		return text, nil
	case field.Kind() == reflect.Bool:
		value, err := strconv.ParseBool(text)
		if err != nil {
			return nil, errors.New("must be true or false")
		}
		field.SetBool(value)
		return value, nil
	case field.Kind() == reflect.Int:
		value, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, errors.New("must be a whole number")
		}
		field.SetInt(value)
		return value, nil
	case field.Kind() == reflect.Slice && field.Type().Elem().Kind() == reflect.String:
		if values == nil {
			values = strings.Split(text, ",")
		}
		field.Set(reflect.MakeSlice(field.Type(), len(values), len(values)))
		for i, value := range values {
			field.Index(i).SetString(value)
		}
		return values, nil
	case field.Type() == timeType:
		value, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return nil, errors.New("must be a date and time such as 2026-01-31T09:30:00Z")
		}
		field.Set(reflect.ValueOf(value))
		return text, nil
	}
	return nil, errUnsupportedParameter
}

// readBody reads, validates and decodes the body.
func (b *inputBinding) readBody(api huma.API, ctx huma.Context, input reflect.Value, path *huma.PathBuffer,
	problems *huma.ValidateResult) *failure.ErrorBody {
	data, refusal := b.readBytes(ctx)
	switch {
	case refusal != nil:
		return refusal
	case len(data) == 0 && b.required:
		problems.Errors = append(problems.Errors, &huma.ErrorDetail{Location: "body",
			Message: "this operation needs a body, and the request has none"})
		return nil
	case len(data) == 0:
		return nil
	case b.raw != nil:
		input.FieldByIndex(b.raw).SetBytes(data)
		return nil
	}
	contentType := ctx.Header("Content-Type")
	var decoded any
	if err := api.Unmarshal(contentType, data, &decoded); err != nil {
		if errors.Is(err, huma.ErrUnknownContentType) {
			return failure.New(http.StatusUnsupportedMediaType,
				fmt.Sprintf("The body is sent as %s. Send JSON, with the header Content-Type: application/json.",
					contentType))
		}
		problems.Errors = append(problems.Errors, &huma.ErrorDetail{Location: "body", Message: err.Error()})
		return nil
	}
	path.Reset()
	path.Push("body")
	before := len(problems.Errors)
	b.refuseUnknown(decoded, problems)
	huma.Validate(b.registry, b.schema, path, huma.ModeWriteToServer, decoded, problems)
	if len(problems.Errors) > before {
		return nil
	}
	// Decoded once more: a value of the right type is made faster from the text than from what was validated.
	if err := api.Unmarshal(contentType, data, input.FieldByIndex(b.body).Addr().Interface()); err != nil {
		problems.Errors = append(problems.Errors, &huma.ErrorDetail{Location: "body", Message: err.Error()})
	}
	return nil
}

// readBytes reads the whole body.
func (b *inputBinding) readBytes(ctx huma.Context) ([]byte, *failure.ErrorBody) {
	data, err := io.ReadAll(io.LimitReader(ctx.BodyReader(), b.limit+1))
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return nil, failure.New(http.StatusRequestTimeout, "The body of the request came too slowly. Send it again.")
	}
	if err != nil {
		return nil, failure.New(http.StatusBadRequest, "The body did not arrive whole. Send it again.")
	}
	if int64(len(data)) > b.limit {
		return nil, failure.New(http.StatusRequestEntityTooLarge,
			fmt.Sprintf("The body is larger than the %d bytes that this operation takes.", b.limit))
	}
	return data, nil
}

// invalidRequest says what is not valid, in full in the details and in one sentence, since many clients show the
// message alone.
func invalidRequest(problems []error) *failure.ErrorBody {
	details := make([]errs.Detail, len(problems))
	parts := make([]string, len(problems))
	for i, problem := range problems {
		details[i] = errs.Detail{Path: "body", Message: problem.Error()}
		if named, ok := errors.AsType[*huma.ErrorDetail](problem); ok {
			details[i] = errs.Detail{Path: named.Location, Message: named.Message}
			if named.Message == validation.MsgExpectedMatchExactlyOneSchema {
				details[i].
					Message = "has none of the forms that are accepted here; the description of the operation at " +
					"/v1/docs has them"
			}
		}
		parts[i] = details[i].Path + ": " + details[i].Message
	}
	return failure.New(http.StatusBadRequest, "The request is not valid. "+strings.Join(parts, "; ")+".", details...)
}

// readQuery parses the query of a request, and refuses parameters that the operation does not have and ones that come
// twice but are no list.
func (b *inputBinding) readQuery(ctx huma.Context, problems *huma.ValidateResult) url.Values {
	address := ctx.URL()
	if address.RawQuery == "" {
		return nil // as most of the time
	}
	values, err := url.ParseQuery(address.RawQuery)
	if err != nil {
		problems.Errors = append(problems.Errors, &huma.ErrorDetail{Location: "query",
			Message: "cannot be read: parameters are separated by &, and other characters than letters and digits " +
				"are percent-encoded"})
		return values
	}
	var known []string
	repeats := map[string]bool{}
	for _, p := range b.parameters {
		if p.in == "query" {
			known = append(known, p.name)
			repeats[p.name] = p.repeats
		}
	}
	told := 0
	for _, name := range slices.Sorted(maps.Keys(values)) {
		message := ""
		switch repeat, ok := repeats[name]; {
		case b.ignored["query."+name]:
		case !ok:
			message = parameterAdvice(name, known, repeats)
		case !repeat && len(values[name]) > 1:
			message = "is there more than once; send one value"
		}
		if message != "" && told < mostUnknown {
			told++
			problems.Errors = append(problems.Errors, &huma.ErrorDetail{Location: "query." + failure.Shorten(name),
				Message: message})
		}
	}
	return values
}

// refuseUnknown tells the fields of a decoded body that its schema does not have and takes them out of it, with those
// that are ignored.
func (b *inputBinding) refuseUnknown(decoded any, problems *huma.ValidateResult) {
	u := unknownFields{binding: b, problems: problems}
	u.walk([]*huma.Schema{b.schema}, decoded, "body")
}

// refuseBody refuses the body of a request to an operation that takes none, unless it says nothing.
func (b *inputBinding) refuseBody(ctx huma.Context) *failure.ErrorBody {
	if method := ctx.Method(); method == http.MethodGet || method == http.MethodHead {
		return nil
	}
	data, refusal := b.readBytes(ctx)
	if refusal != nil && refusal.Info.Code != http.StatusRequestEntityTooLarge {
		return refusal
	}
	if refusal == nil {
		switch strings.TrimSpace(string(data)) {
		case "", "{}", "null":
			return nil
		}
	}
	return failure.New(http.StatusBadRequest,
		"This operation takes no body, and the request has one. Leave it out, or "+
			"look up at /v1/docs where its fields belong.",
		errs.Detail{Path: "body", Message: "is not taken here"})
}

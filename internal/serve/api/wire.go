package api

import (
	"time"

	"github.com/rectodocs/recto/internal/base/paging"
)

// timeFormat is how every time appears: RFC 3339, UTC, milliseconds.
const timeFormat = "2006-01-02T15:04:05.000Z07:00"

// timestamp formats a time for the wire.
func timestamp(t time.Time) string { return t.UTC().Format(timeFormat) }

// microTimestamp formats microseconds since 1970, and gives "" for none.
func microTimestamp(micros int64) string {
	if micros == 0 {
		return ""
	}
	return timestamp(time.UnixMicro(micros))
}

// List is the envelope of every list.
type List[T any] struct {
	Items []T `json:"items"`
	// Count is the number of items under the same filter on all pages together.
	Count int   `json:"count" doc:"Number of items on all pages together, under the same filter."`
	Next  *Next `json:"next,omitempty" doc:"Absent on the last page."`
}

// Next points to the page after this one.
type Next struct {
	Page string `json:"page" doc:"Send this back as the page parameter."`
}

// PageParams are the parameters of every list.
type PageParams struct {
	Page  string `query:"page" maxLength:"6144" doc:"The next.page of the answer before."`
	Limit int    `query:"limit" minimum:"0" maximum:"1000" doc:"Items in the answer, 50 unless said otherwise, 1000 at most."`
}

// request opens the page cursor. list names the list and its filter, so that a cursor of another list is refused.
func (a *API) request(list string, params PageParams) (paging.Request, error) {
	request := paging.Request{Limit: params.Limit}
	if request.Limit == 0 {
		request.Limit = paging.DefaultLimit
	}
	if params.Page == "" {
		return request, nil
	}
	cursor, err := a.Cursors.Decode(list, params.Page)
	if err != nil {
		return request, err
	}
	request.After = cursor.Keys
	return request, nil
}

// listed makes the envelope of one page of a list.
func listed[D, W any](a *API, list string, page paging.Page[D], wire func(D) W) *List[W] {
	out := &List[W]{Items: make([]W, 0, len(page.Items)), Count: page.Count}
	for _, item := range page.Items {
		out.Items = append(out.Items, wire(item))
	}
	if page.Next != nil {
		out.Next = &Next{Page: a.Cursors.Encode(paging.Cursor{List: list, Keys: page.Next})}
	}
	return out
}

// body is the output of an operation with a JSON body.
type body[T any] struct{ Body T }

// created is the output of an operation that made something: 201 with its address.
type created[T any] struct {
	Location string `header:"Location"`
	Body     T
}

// nothing is the output of an operation without a body.
type nothing struct{}

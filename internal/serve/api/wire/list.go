package wire

import (
	"github.com/rectodocs/recto/internal/base/paging"
)

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

// Lists opens and makes the cursors of lists.
type Lists struct {
	// Cursors signs the cursors.
	Cursors *paging.Signer
}

// Request opens the page cursor. list names the list and its filter, so that a cursor of another list is refused.
func (l Lists) Request(list string, params PageParams) (paging.Request, error) {
	request := paging.Request{Limit: params.Limit}
	if request.Limit == 0 {
		request.Limit = paging.DefaultLimit
	}
	if params.Page == "" {
		return request, nil
	}
	cursor, err := l.Cursors.Decode(list, params.Page)
	if err != nil {
		return request, err
	}
	request.After = cursor.Keys
	return request, nil
}

// NextPage is where a list goes on; nil at its end.
func (l Lists) NextPage(list string, keys []string) *Next {
	if keys == nil {
		return nil
	}
	return &Next{Page: l.Cursors.Encode(paging.Cursor{List: list, Keys: keys})}
}

// Listed makes the envelope of one page of a list.
func Listed[D, W any](l Lists, list string, page paging.Page[D], wire func(D) W) *List[W] {
	out := &List[W]{Items: make([]W, 0, len(page.Items)), Count: page.Count}
	for _, item := range page.Items {
		out.Items = append(out.Items, wire(item))
	}
	if page.Next != nil {
		out.Next = &Next{Page: l.Cursors.Encode(paging.Cursor{List: list, Keys: page.Next})}
	}
	return out
}

// ListInput is the input of a list that needs no other.
type ListInput struct{ PageParams }

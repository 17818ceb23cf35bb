package operation

// Encoded is the output of an operation that answers with ready-made JSON of a revision.
type Encoded struct {
	Status       int
	ETag         string `header:"ETag"`
	CacheControl string `header:"Cache-Control"`
	ContentType  string `header:"Content-Type"`
	// ContentLength spares a long body the chunks that HTTP cuts an answer of unknown length into.
	ContentLength string `header:"Content-Length"`
	Body          []byte
}

// Done answers an operation without a body.
func Done(err error) (*Nothing, error) {
	if err != nil {
		return nil, err
	}
	return &Nothing{}, nil
}

// Body is the output of an operation with a JSON body.
type Body[T any] struct{ Body T }

// Created is the output of an operation that made something: 201 with its address.
type Created[T any] struct {
	Location string `header:"Location"`
	Body     T
}

// Nothing is the output of an operation without a body.
type Nothing struct{}

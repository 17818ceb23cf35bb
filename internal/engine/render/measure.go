package render

import (
	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
)

// measure refuses a document that is too large or too deep before anything recurses into it.
func measure(d *doc.Document, limits Limits) error {
	count := 0
	return measureNodes(d.Nodes, 1, &count, limits)
}

func measureNodes(nodes []*doc.Node, depth int, count *int, limits Limits) error {
	if len(nodes) > 0 && depth > limits.Depth {
		return errs.New(errs.TooLarge, "the document nests deeper than %d levels", limits.Depth)
	}
	*count += len(nodes)
	if *count > limits.Nodes {
		return errs.New(errs.TooLarge, "the document has more than %d nodes; split the page", limits.Nodes)
	}
	for _, n := range nodes {
		if n == nil {
			return errs.New(errs.Invalid, "the document holds an empty node")
		}
		if err := measureNodes(n.Nodes, depth+1, count, limits); err != nil {
			return err
		}
		if err := measureNodes(n.Fragments, depth+1, count, limits); err != nil {
			return err
		}
	}
	return nil
}

// acceptable is measure for the walks that return no error: a document that HTML refuses is empty to them.
func acceptable(d *doc.Document) bool {
	return d != nil && measure(d, Limits{}.withDefaults()) == nil
}

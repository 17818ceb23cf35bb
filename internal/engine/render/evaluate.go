package render

import (
	"context"
	"fmt"
	"slices"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/expr"
)

// expressionBudget is what all expressions of one document may cost together, in units of expr.Limits.Shared: about a
// tenth of a second.
const expressionBudget = 20_000_000

// Evaluate returns the document with its conditions, expressions and reusable contents resolved: the content of an
// {% if %} that holds takes its place, one that does not or that fails goes away, an expression becomes the text of
// its value, a reusable content becomes its blocks. What cannot be resolved stays: an expression that fails, a
// reusable content that is missing or includes itself.
//
// Anchors of reusable contents that the document has already get a number, and their keys the key of the place that
// includes them, so that both stay unique. The given document is not changed, and the result shares the nodes that
// stay: clone it before changing it. Errors are those of Options.Reusable, and TooLarge.
func Evaluate(ctx context.Context, d *doc.Document, options Options) (*doc.Document, error) {
	options.Limits = options.Limits.withDefaults()
	if err := measure(d, options.Limits); err != nil {
		return nil, err
	}
	budget := expressionBudget
	e := &evaluation{ctx: ctx, options: options, anchors: anchorsOf(d), values: map[string]*value{}, budget: &budget}
	nodes, err := e.list(d.Nodes)
	if err != nil {
		return nil, err
	}
	return &doc.Document{Nodes: nodes}, nil
}

// evaluation is the state of one Evaluate call.
type evaluation struct {
	ctx     context.Context
	options Options
	// anchors are the ids that are taken.
	anchors anchors
	// including are the reusable contents around the current place.
	including []doc.Ref
	// reused are the reusable contents that were loaded, added counts the nodes that they brought, and included how
	// often one did. cut says that there were more than the limits allow.
	reused          map[doc.Ref]reused
	added, included int
	cut             bool
	// values are what expressions gave: the context is the same for all.
	values map[string]*value
	budget *int
}

// value is the outcome of one expression.
type value struct {
	result any
	err    error
	// visitor says that it can differ between visitors.
	visitor bool
	// told says as what Options.Used has heard of it.
	told struct{ condition, value bool }
}

// Use is a condition or value that depends on the visitor.
type Use struct {
	Source string
	// Condition says that it decides about blocks; else it is printed.
	Condition bool
	// Outcome is what came of it, as Outcome returns it.
	Outcome string
}

// Outcome is what comes of a condition or value for the visitor in the variables: two visitors with the same one see
// the same. A condition on something that is missing in something that is missing does not hold.
func Outcome(ctx context.Context, program *expr.Program, condition bool, variables map[string]any) string {
	v := value{}
	v.result, v.err = program.Eval(ctx, variables, expr.Limits{})
	return v.outcome(condition)
}

// Outcomes of conditions.
const (
	Holds = "1"
	Fails = "0"
)

func (v *value) outcome(condition bool) string {
	switch {
	case condition && v.holds():
		return Holds
	case condition:
		return Fails
	case v.err != nil:
		return "!"
	}
	return "=" + expr.Format(v.result)
}

// dynamic reports whether a document holds anything to resolve.
func dynamic(d *doc.Document) bool {
	for n := range d.All() {
		switch n.Type {
		case doc.If, doc.Expression, doc.ReusableContent:
			return true
		}
	}
	return false
}

// list resolves a list of nodes. A list without changes is returned as it is.
func (e *evaluation) list(nodes []*doc.Node) ([]*doc.Node, error) {
	var out []*doc.Node
	changed := false
	for i, n := range nodes {
		replaced, same, err := e.node(n)
		if err != nil {
			return nil, err
		}
		if !same && !changed {
			out = append(make([]*doc.Node, 0, len(nodes)), nodes[:i]...)
			changed = true
		}
		if changed {
			out = append(out, replaced...)
		}
	}
	if !changed {
		return nodes, nil
	}
	return out, nil
}

// node resolves one node; same says that it stays.
func (e *evaluation) node(n *doc.Node) (replaced []*doc.Node, same bool, err error) {
	if err := e.ctx.Err(); err != nil {
		return nil, false, err
	}
	switch {
	case n.Type == doc.ReusableContent:
		return e.reusable(n)
	case e.options.OnlyReusable:
		return e.children(n)
	}
	switch n.Type {
	case doc.If:
		return e.condition(n)
	case doc.Expression:
		source := dataOf[doc.ExpressionData](n).Expression
		v := e.value(source)
		if v.visitor && e.options.BlankVisitor {
			return nil, false, nil
		}
		e.tell(source, v, false)
		if v.err != nil || v.visitor && e.options.KeepVisitor {
			return []*doc.Node{n}, true, nil
		}
		return []*doc.Node{doc.NewText(expr.Format(v.result))}, false, nil
	case doc.Swagger, doc.OpenAPIOperation, doc.OpenAPISchemas, doc.OpenAPIWebhook:
		return e.openAPI(n)
	}
	return e.children(n)
}

// openAPI puts what describes an API below the block that names it. The given blocks hold nothing to resolve.
func (e *evaluation) openAPI(n *doc.Node) ([]*doc.Node, bool, error) {
	if dataOf[doc.OpenAPIData](n).IsInline() {
		return e.children(n)
	}
	if e.options.OpenAPI == nil || len(n.Nodes) > 0 {
		return []*doc.Node{n}, true, nil
	}
	nodes, err := e.options.OpenAPI(e.ctx, n.Type, dataOf[doc.OpenAPIData](n))
	if err != nil {
		return nil, false, fmt.Errorf("describe API: %w", err)
	}
	if len(nodes) == 0 {
		return []*doc.Node{n}, true, nil
	}
	description := &doc.Document{Nodes: nodes}
	count := 0
	for range description.All() {
		count++
	}
	if e.added+count > e.options.Limits.Nodes/2 {
		return []*doc.Node{n}, true, nil // the page names it, and shows what fits
	}
	e.added += count
	described := *n
	described.Nodes = nodes
	for inner := range description.All() {
		if id := wantedID(inner); id != "" {
			inner.ID = e.anchors.take(id)
		}
	}
	return []*doc.Node{&described}, false, nil
}

func (e *evaluation) children(n *doc.Node) ([]*doc.Node, bool, error) {
	nodes, err := e.list(n.Nodes)
	if err != nil {
		return nil, false, err
	}
	fragments, err := e.list(n.Fragments)
	if err != nil {
		return nil, false, err
	}
	if sameList(nodes, n.Nodes) && sameList(fragments, n.Fragments) {
		return []*doc.Node{n}, true, nil
	}
	copied := *n
	copied.Nodes, copied.Fragments = nodes, fragments
	if id := e.anchors.ids[n]; id != "" {
		e.anchors.ids[&copied] = id
	}
	return []*doc.Node{&copied}, false, nil
}

// sameList reports whether two slices are one.
func sameList(a, b []*doc.Node) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func (e *evaluation) condition(n *doc.Node) ([]*doc.Node, bool, error) {
	source := dataOf[doc.ExpressionData](n).Expression
	v := e.value(source)
	if v.visitor && e.options.KeepVisitor {
		return e.children(n)
	}
	e.tell(source, v, true)
	if !v.holds() {
		return nil, false, nil
	}
	nodes, err := e.list(n.Nodes)
	return nodes, false, err
}

// value computes an expression once for the document.
func (e *evaluation) value(source string) *value {
	if v, known := e.values[source]; known {
		return v
	}
	v := &value{}
	var program *expr.Program
	if program, v.err = expr.Parse(source); v.err == nil {
		v.visitor = program.UsesVisitor()
		v.result, v.err = program.Eval(e.ctx, e.options.Context, expr.Limits{Shared: e.budget})
	}
	e.values[source] = v
	return v
}

// tell reports the use of an expression that depends on the visitor, the first time.
func (e *evaluation) tell(source string, v *value, condition bool) {
	told := &v.told.value
	if condition {
		told = &v.told.condition
	}
	if e.options.Used == nil || !v.visitor || *told {
		return
	}
	*told = true
	e.options.Used(Use{Source: source, Condition: condition, Outcome: v.outcome(condition)})
}

func (v *value) holds() bool { return v.err == nil && expr.Holds(v.result) }

// reusable replaces a reusable content by its blocks.
func (e *evaluation) reusable(n *doc.Node) ([]*doc.Node, bool, error) {
	keep := []*doc.Node{n}
	ref := dataOf[doc.ReusableContentData](n).Ref
	if e.options.Reusable == nil || len(e.including) >= e.options.Limits.Reusable {
		return keep, true, nil
	}
	if slices.Contains(e.including, ref) {
		return keep, true, nil
	}
	found, err := e.load(ref)
	if err != nil {
		return nil, false, err
	}
	if found.document == nil {
		return keep, true, nil
	}
	limits := e.options.Limits
	if e.cut || e.included >= limits.Includes || e.added+found.nodes > limits.ReusedNodes {
		return e.leaveOut(), false, nil
	}
	e.included++
	e.added += found.nodes
	content := found.document.Clone()
	for inner := range content.All() {
		if inner.Key != "" {
			inner.Key = n.Key + "." + inner.Key
		}
		if id := wantedID(inner); id != "" {
			inner.ID = e.anchors.take(id)
		}
	}
	e.including = append(e.including, ref)
	nodes, err := e.list(content.Nodes)
	e.including = e.including[:len(e.including)-1]
	return nodes, false, err
}

// reused is a reusable content as it was loaded; document is nil when there is none.
type reused struct {
	document *doc.Document
	nodes    int
}

// load returns a reusable content. It is read once, however often it is included.
func (e *evaluation) load(ref doc.Ref) (reused, error) {
	if found, known := e.reused[ref]; known {
		return found, nil
	}
	content, err := e.options.Reusable(e.ctx, ref)
	if err != nil {
		return reused{}, fmt.Errorf("load reusable content %s: %w", ref.Destination(), err)
	}
	found := reused{document: content}
	if content != nil {
		if err := measure(content, e.options.Limits); err != nil {
			return reused{}, err
		}
		for range content.All() {
			found.nodes++
		}
	}
	if e.reused == nil {
		e.reused = map[doc.Ref]reused{}
	}
	e.reused[ref] = found
	return found, nil
}

// leaveOut stands for a reusable content that is one too many: a note for the first of them, and nothing for the
// others.
func (e *evaluation) leaveOut() []*doc.Node {
	if e.cut {
		return nil
	}
	e.cut = true
	said := doc.NewParagraph(doc.NewText(e.options.Labels.withDefaults().TooMuchReused))
	return []*doc.Node{doc.NewBlock(doc.Hint, &doc.HintData{Style: "warning"}, said)}
}

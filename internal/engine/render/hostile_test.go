package render

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
)

func repeat(n *doc.Node, count int) []*doc.Node {
	nodes := make([]*doc.Node, count)
	for i := range nodes {
		nodes[i] = n
	}
	return nodes
}

func nest(kind doc.Type, depth int) []*doc.Node {
	n := para("deep")
	for range depth {
		n = block(kind, nil, n)
	}
	return []*doc.Node{n}
}

func bigTable(rows, columns int) *doc.Node {
	data := &doc.TableData{View: doc.TableView{Type: "grid"}, Definition: map[string]*doc.TableDefinition{},
		Records: map[string]doc.TableRecord{}}
	for c := range columns {
		id := fmt.Sprint("c", c)
		data.View.Columns = append(data.View.Columns, id)
		data.Definition[id] = &doc.TableDefinition{ID: id, Title: id, Type: "text"}
	}
	for r := range rows {
		id := fmt.Sprintf("r%05d", r)
		values := map[string]any{}
		for c := range columns {
			values[fmt.Sprint("c", c)] = "cell"
		}
		data.Records[id] = doc.TableRecord{OrderIndex: id, Values: values}
		data.CellMerges = append(data.CellMerges, doc.CellMerge{Anchor: doc.CellAnchor{Record: id, Column: "c0"},
			RowSpan: 50, ColSpan: 50})
	}
	return withFragments(block(doc.Table, data), doc.NewFragment("cell", para("x")))
}

func codeOf(language, line string, count int) *doc.Node {
	return doc.NewCode(&doc.CodeData{Syntax: language}, strings.Split(strings.Repeat(line+"\n", count), "\n")...)
}

// hostileDocuments cost a naive renderer its stack, its memory or its time.
func hostileDocuments() map[string][]*doc.Node {
	cycle := block(doc.Blockquote, nil)
	cycle.Nodes = []*doc.Node{cycle}
	marks := make([]doc.Mark, 1000)
	for i := range marks {
		marks[i] = mark(doc.Bold)
	}
	leaves := &doc.Node{Object: doc.ObjectText}
	for i := range 20_000 {
		leaves.Leaves = append(leaves.Leaves,
			doc.Leaf{Text: "x", Marks: []doc.Mark{mark([]doc.MarkType{doc.Bold, doc.Italic, doc.CodeMark}[i%3])}})
	}
	big := bigTable(200, 100)
	big.Data.(*doc.TableData).CellMerges = nil
	big.Fragments[0] = doc.NewFragment("cell", repeat(para(strings.Repeat("x", 1000)), 300)...)
	annotated := withFragments(inline(doc.Annotation, nil, text("a")), doc.NewFragment(doc.FragmentAnnotationBody,
		para("b")))
	unclosed := inline(doc.RawInline, &doc.RawData{Syntax: "html", Source: "<b>"})
	expressions := make([]*doc.Node, 5000)
	for i := range expressions {
		expressions[i] = inline(doc.Expression,
			&doc.ExpressionData{Expression: fmt.Sprintf(
				`%d + "a".repeat(500).split("").map(x => "b".repeat(9)).join("").length`, i)})
	}
	return map[string][]*doc.Node{
		"paragraphs":        repeat(para("text"), 10_000),
		"equal headings":    headings(10_000),
		"deep quotes":       nest(doc.Blockquote, 110),
		"too deep":          nest(doc.Blockquote, 100_000),
		"cycle":             {cycle},
		"too many":          repeat(para("x"), 300_000),
		"long text":         {para(strings.Repeat(`"<&>'`, 200_000))},
		"line breaks":       {para(strings.Repeat("\n", 500_000))},
		"leaves":            {doc.NewParagraph(leaves)},
		"marks":             {doc.NewParagraph(text("x", marks...))},
		"table":             {bigTable(1000, 10)},
		"table too large":   {bigTable(10_000, 10)},
		"wide table":        {bigTable(10, 1000)},
		"repeated cell":     {big},
		"code lines":        {codeOf("", "x", 100_000)},
		"code blocks":       repeat(codeOf("go", "func main() {}", 3), 10_000),
		"unknown languages": repeat(codeOf("nonesuch", "x", 1), 10_000),
		"python":            {codeOf("python", "${`([", 10_000)},
		"markdown":          {codeOf("markdown", "${`([", 5_000)},
		"bash":              {codeOf("bash", "${`([${`([${`([", 2_000)},
		"c++ brackets":      {codeOf("c++", strings.Repeat("[", 900), 30)},
		"c# blanks":         {codeOf("csharp", "\t", 15_000)},
		"one long line":     {codeOf("c++", strings.Repeat("[[[[", 8000), 1)},
		"raw nesting":       {block(doc.Raw, &doc.RawData{Syntax: "html", Source: strings.Repeat("<div>", 100_000)})},
		"raw formatting": {block(doc.Raw, &doc.RawData{Syntax: "html", Source: strings.Repeat("<b><i><a href=x>",
			30_000)})},
		"raw attributes": {block(doc.Raw, &doc.RawData{Syntax: "html", Source: "<p " + strings.Repeat("a=b ",
			200_000) + ">x"})},
		"raw tables": {block(doc.Raw, &doc.RawData{Syntax: "html", Source: strings.Repeat("<table><tr><td>",
			20_000)})},
		"raw unclosed": {doc.NewParagraph(repeat(unclosed, 50_000)...)},
		"raw blocks":   repeat(block(doc.Raw, &doc.RawData{Syntax: "html", Source: "<p>x</p>"}), 10_000),
		"annotations":  {doc.NewParagraph(repeat(annotated, 50_000)...)},
		"expressions":  {doc.NewParagraph(expressions...)},
		"conditions": repeat(
			block(doc.If, &doc.ExpressionData{Expression: `/(a+)+\1$/.test("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!")`},
				para("x")), 10_000),
		"diff markers": {codeOf("", strings.Repeat("// [!code ++] ", 60), 1000)},
		"deep lists":   nestedLists(55),
		"expandable summary": repeat(withFragments(block(doc.Expandable, nil),
			doc.NewFragment(doc.FragmentExpandableTitle, para("t")), doc.NewFragment(doc.FragmentExpandableBody,
				para("b"))), 10_000),
		"empty nodes": {nil},
	}
}

func headings(count int) []*doc.Node {
	nodes := make([]*doc.Node, count)
	for i := range nodes {
		nodes[i] = heading(doc.Heading1, "Same")
	}
	return nodes
}

func nestedLists(depth int) []*doc.Node {
	n := para(strings.Repeat("line\n", 2000))
	for range depth {
		n = block(doc.ListUnordered, nil, item(n))
	}
	return []*doc.Node{n}
}

// TestHostile holds that such documents are rendered, or refused by name, in a second and 64 MB. The time allowed here
// is longer, for machines that do other things.
func TestHostile(t *testing.T) {
	for name, nodes := range hostileDocuments() {
		t.Run(name, func(t *testing.T) {
			d := &doc.Document{Nodes: nodes}
			var out bytes.Buffer
			var err error
			var took time.Duration
			peak := heapPeak(func() {
				start := time.Now()
				err = HTML(t.Context(), &out, d, Options{})
				took = time.Since(start)
			})
			if took > 4*time.Second {
				t.Errorf("took %v", took)
			}
			if peak > 64<<20 {
				t.Errorf("took %d MB", peak>>20)
			}
			t.Logf("%s: %v, %d MB, %d KB of HTML, %v", name, took.Round(time.Millisecond), peak>>20, out.Len()>>10, err)
			if kind := errs.KindOf(err); err != nil && kind != errs.TooLarge && kind != errs.Invalid {
				t.Errorf("error %v of kind %d", err, kind)
			}
			if err == nil && out.Len() < 1<<20 {
				for _, problem := range problems(out.String()) {
					t.Error(problem)
				}
			}
			start := time.Now()
			Text(d)
			Sections(d)
			Outline(d, nil)
			Links(d)
			took = time.Since(start)
			t.Logf("the other walks: %v", took.Round(time.Millisecond))
			if took > 4*time.Second {
				t.Errorf("the other walks took %v", took)
			}
		})
	}
}

// heapPeak runs a function and returns by how many bytes the heap grew at most, looked at every other millisecond with
// an eager collector.
func heapPeak(run func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	before, peak := stats.HeapAlloc, stats.HeapAlloc
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		ticks := time.NewTicker(2 * time.Millisecond)
		defer ticks.Stop()
		for {
			var stats runtime.MemStats
			runtime.ReadMemStats(&stats)
			peak = max(peak, stats.HeapAlloc)
			select {
			case <-done:
				return
			case <-ticks.C:
			}
		}
	}()
	run()
	close(done)
	<-stopped
	return peak - before
}

// TestPlainBeyondLimits holds that code over a limit of highlighting is printed without colours.
func TestPlainBeyondLimits(t *testing.T) {
	line := "func main() { println(1) }"
	for name, test := range map[string]struct {
		code    *doc.Node
		options Options
		colours bool
	}{
		"within":      {codeOf("go", line, 10), Options{Limits: Limits{CodeTime: time.Minute}}, true},
		"block":       {codeOf("go", line, 10), Options{Limits: Limits{CodeBlock: 100}}, false},
		"page":        {codeOf("go", line, 10), Options{Limits: Limits{CodePage: 100}}, false},
		"time":        {codeOf("go", line, 10), Options{Limits: Limits{CodeTime: 1}}, false},
		"long line":   {codeOf("go", strings.Repeat("x", 1001), 1), Options{}, false},
		"no language": {codeOf("", line, 10), Options{}, false},
		"many lines":  {codeOf("go", "x", maxLines+1), Options{}, false},
	} {
		var out bytes.Buffer
		if err := HTML(t.Context(), &out, &doc.Document{Nodes: []*doc.Node{test.code}}, test.options); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := strings.Contains(out.String(), `<span class="kd">`); got != test.colours {
			t.Errorf("%s: colours %v", name, got)
		}
	}
}

func TestLimits(t *testing.T) {
	for name, test := range map[string]struct {
		nodes  []*doc.Node
		limits Limits
	}{
		"nodes":  {repeat(para("x"), 10), Limits{Nodes: 5}},
		"depth":  {nest(doc.Blockquote, 10), Limits{Depth: 5}},
		"output": {[]*doc.Node{para(strings.Repeat("x", 100))}, Limits{Output: 50}},
		"cells":  {[]*doc.Node{bigTable(3, 3)}, Limits{Cells: 8}},
	} {
		var out bytes.Buffer
		err := HTML(t.Context(), &out, &doc.Document{Nodes: test.nodes}, Options{Limits: test.limits})
		if !errs.Is(err, errs.TooLarge) || out.Len() > 0 {
			t.Errorf("%s: %v, %d bytes written", name, err, out.Len())
		}
	}
}

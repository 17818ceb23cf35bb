package oas

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/snippet"
)

// maxExampleTabs bounds the examples of one kind that an operation shows.
const maxExampleTabs = 12

// exampleBlocks is an example request in several languages, and examples of what is sent and answered.
func (o *Operation) exampleBlocks(body *Body, responses []Response, b *Budget) []*doc.Node {
	var nodes []*doc.Node
	if !o.Webhook {
		nodes = append(nodes, heading("Example request"), sampleTabs(o.Samples(b)))
	}
	if body != nil {
		if tabs := bodyExamples(body, o.Webhook); len(tabs.Nodes) > 0 {
			nodes = append(nodes, heading("Example body"), tabs)
		}
	}
	answers := doc.NewBlock(doc.Tabs, nil)
	for _, response := range responses {
		for _, media := range response.Content {
			addExamples(answers, response.Status, media, len(response.Content) > 1)
		}
	}
	if len(answers.Nodes) > 0 {
		nodes = append(nodes, heading("Example response"), answers)
	}
	return nodes
}

// bodyExamples is examples of a body beyond the one that a sample of a request has; all tells to leave out none.
func bodyExamples(body *Body, all bool) *doc.Node {
	tabs := doc.NewBlock(doc.Tabs, nil)
	first := preferred(body.Content)
	for i := range body.Content {
		media := body.Content[i]
		inSample := &body.Content[i] == first && len(media.Examples) <= 1
		if inSample && !all || len(media.Examples) == 0 && &body.Content[i] != first {
			continue
		}
		addExamples(tabs, "", media, len(body.Content) > 1)
	}
	return tabs
}

// addExamples adds the examples of one form of a body, each as a tab.
func addExamples(tabs *doc.Node, title string, media Media, severalForms bool) {
	examples := media.Examples
	if len(examples) == 0 && isJSON(media.Type) {
		if sample := sampleOf(media); sample != nil && sample.Kind != Null {
			examples = []Example{{Value: sample}}
		}
	}
	for _, example := range examples {
		if len(tabs.Nodes) >= maxExampleTabs {
			return
		}
		syntax, text := exampleText(media.Type, example.Value)
		if text == "" {
			continue
		}
		name := short(cmp.Or(example.Summary, example.Name), 40)
		if len(examples) == 1 {
			name = ""
		}
		parts := []string{title, name}
		if severalForms || title == "" && name == "" {
			parts = append(parts, media.Type)
		}
		parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
		block := doc.NewCode(&doc.CodeData{Syntax: syntax}, strings.Split(text, "\n")...)
		tabs.Nodes = append(tabs.Nodes, doc.NewBlock(doc.TabsItem,
			&doc.TabsItemData{Title: clean(strings.Join(parts, " · "))}, block))
	}
}

// exampleText is a value as its media type writes it, and the syntax of that.
func exampleText(media string, value *Node) (syntax, text string) {
	if value.Kind == String && !isJSON(media) {
		text = value.Text
		if len(text) > maxExample {
			text = strings.ToValidUTF8(text[:maxExample], "") + "…"
		}
		if strings.Contains(media, "xml") {
			return "xml", strings.TrimRight(text, "\n")
		}
		return "", strings.TrimRight(text, "\n")
	}
	return "json", indented(value)
}

func sampleTabs(samples []snippet.Sample) *doc.Node {
	tabs := doc.NewBlock(doc.Tabs, nil)
	for _, sample := range samples {
		block := doc.NewCode(&doc.CodeData{Syntax: sample.Syntax}, strings.Split(sample.Code, "\n")...)
		tabs.Nodes = append(tabs.Nodes, doc.NewBlock(doc.TabsItem, &doc.TabsItemData{Title: sample.Title}, block))
	}
	return tabs
}

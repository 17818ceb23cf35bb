package translation

import "context"

// Batch is what a machine is asked to translate at once.
type Batch struct {
	// From and To are codes of languages, with their names in English.
	From, To         string
	FromName, ToName string
	// Instructions and Glossary are those of the settings, as text and for the language.
	Instructions string
	Glossary     []GlossaryEntry
	// Texts have placeholders as package segment writes them. Codes say what those stand for, in Markdown.
	Texts []BatchText
}

// GlossaryEntry is how a word has to be translated; To is the word itself where it stays.
type GlossaryEntry struct{ From, To string }

// BatchText is one text of a batch.
type BatchText struct {
	Text  string
	Codes []string
}

// Provider translates by machine.
type Provider interface {
	// Translate returns a translation for each text of a batch, "" for one that it did not manage. An error of the kind
	// errs.Unavailable is tried again.
	Translate(ctx context.Context, batch Batch) ([]string, error)
}

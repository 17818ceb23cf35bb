package doc

// DataFor returns a pointer to the empty attributes of a type, or nil when there is no such type.
func DataFor(t Type) any {
	switch t {
	case Paragraph:
		return &ParagraphData{}
	case Heading1, Heading2, Heading3:
		return &HeadingData{}
	case ListOrdered, ListUnordered, ListTasks:
		return &ListData{}
	case ListItem:
		return &ListItemData{}
	case Divider, Blockquote, Stepper, Annotation:
		return &EmptyData{}
	case Hint:
		return &HintData{}
	case Code:
		return &CodeData{}
	case CodeLine:
		return &CodeLineData{}
	case Math, InlineMath:
		return &FormulaData{}
	case Images:
		return &ImagesData{}
	case Image:
		return &ImageData{}
	case File, Drawing:
		return &FileData{}
	case Embed:
		return &EmbedData{}
	case Expandable:
		return &ExpandableData{}
	case Tabs, Columns:
		return &TabsData{}
	case TabsItem:
		return &TabsItemData{}
	case StepperStep:
		return &StepperStepData{}
	case Column:
		return &ColumnData{}
	case Updates:
		return &UpdatesData{}
	case Update:
		return &UpdateData{}
	case Prompt:
		return &PromptData{}
	case If, Expression:
		return &ExpressionData{}
	case Table:
		return &TableData{}
	case ContentRefBlock, Link, Mention:
		return &ContentRefData{}
	case ReusableContent:
		return &ReusableContentData{}
	case Integration:
		return &IntegrationData{}
	case Swagger, OpenAPIOperation, OpenAPISchemas, OpenAPIWebhook:
		return &OpenAPIData{}
	case Raw, RawInline:
		return &RawData{}
	case Emoji:
		return &EmojiData{}
	case Icon:
		return &IconData{}
	case InlineImage:
		return &InlineImageData{}
	case Button:
		return &ButtonData{}
	}
	return nil
}

// IsInline reports whether a type is an inline's.
func IsInline(t Type) bool {
	switch t {
	case Link, Annotation, Emoji, Icon, Expression, InlineMath, InlineImage, Mention, Button, RawInline:
		return true
	}
	return false
}

// IsVoid reports whether nodes of a type have no children of their own (fragments apart).
func IsVoid(t Type) bool {
	switch t {
	case Divider, Math, Image, File, Drawing, Embed, Expandable, Table, ContentRefBlock, ReusableContent, Integration,
		Swagger, OpenAPIOperation, OpenAPISchemas, OpenAPIWebhook, Raw,
		Emoji, Icon, Expression, InlineMath, InlineImage, Mention, Button, RawInline:
		return true
	}
	return false
}

// HoldsText reports whether blocks of a type have texts and inlines as children instead of blocks.
func HoldsText(t Type) bool {
	switch t {
	case Paragraph, Heading1, Heading2, Heading3, CodeLine:
		return true
	}
	return false
}

// HasFragments reports whether the schema of a type requires a list of fragments, be it empty.
func HasFragments(t Type) bool {
	switch t {
	case Image, Expandable, Table, Annotation:
		return true
	}
	return false
}

// HasAnchor reports whether nodes of a type carry meta.id.
func HasAnchor(t Type) bool {
	switch t {
	case Heading1, Heading2, Heading3, Expandable, TabsItem, Swagger, OpenAPIOperation, OpenAPISchemas, OpenAPIWebhook:
		return true
	}
	return false
}

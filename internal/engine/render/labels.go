package render

// Labels are the words that the renderer adds to a document. An empty field means the English word of its comment.
// A %s in the comment stands for what is put in; a label without it is used as it is.
type Labels struct {
	Info           string // "Info"
	Success        string // "Success"
	Warning        string // "Warning"
	Danger         string // "Danger"
	LinkTo         string // "Link to “%s”"
	Done           string // "Done"
	NotDone        string // "Not done"
	Yes            string // "Yes"
	No             string // "No"
	Rating         string // "%s of %s"
	Table          string // "Table"
	Tab            string // "Tab %s"
	ShowLines      string // "Show all %s lines"
	ShowLess       string // "Show less"
	ShowPrompt     string // "Show the prompt"
	Notes          string // "Notes"
	Note           string // "Note %s"
	BackToText     string // "Back to the text"
	NotAvailable   string // "This content is not available."
	TooMuchReused  string // "More content is included here than can be shown on one page."
	Drawing        string // "Drawing"
	File           string // "File"
	Video          string // "%s video"
	Embedded       string // "Embedded content from %s"
	OpenAPIPending string // "The API description is not shown here yet."
	OpenAPISource  string // "Open the description"
	ShowMembers    string // "Members (%s)"
}

// withDefaults fills the empty labels.
func (l Labels) withDefaults() Labels {
	set := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	set(&l.Info, "Info")
	set(&l.Success, "Success")
	set(&l.Warning, "Warning")
	set(&l.Danger, "Danger")
	set(&l.LinkTo, "Link to “%s”")
	set(&l.Done, "Done")
	set(&l.NotDone, "Not done")
	set(&l.Yes, "Yes")
	set(&l.No, "No")
	set(&l.Rating, "%s of %s")
	set(&l.Table, "Table")
	set(&l.Tab, "Tab %s")
	set(&l.ShowLines, "Show all %s lines")
	set(&l.ShowLess, "Show less")
	set(&l.ShowPrompt, "Show the prompt")
	set(&l.Notes, "Notes")
	set(&l.Note, "Note %s")
	set(&l.BackToText, "Back to the text")
	set(&l.NotAvailable, "This content is not available.")
	set(&l.TooMuchReused, "More content is included here than can be shown on one page.")
	set(&l.Drawing, "Drawing")
	set(&l.File, "File")
	set(&l.Video, "%s video")
	set(&l.Embedded, "Embedded content from %s")
	set(&l.OpenAPIPending, "The API description is not shown here yet.")
	set(&l.OpenAPISource, "Open the description")
	set(&l.ShowMembers, "Members (%s)")
	return l
}

package space

// ParseEmoji returns the character of the emoji that s names: the character itself, which may be several code points,
// or its code points in hexadecimal joined by "-". Anything else is an errs.Invalid error for the input at path.
func ParseEmoji(path, s string) (string, error) { return parseEmoji(path, s) }

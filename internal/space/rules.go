package space

import (
	"github.com/rectodocs/recto/internal/access"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/field"
)

// maxTitle is the greatest length of a title, in characters.
const maxTitle = 50

// untitled is the title of a space that was made without one.
const untitled = "Untitled"

// checkLanguage refuses a code that is not among the languages which content can be written in and translated to.
func checkLanguage(path, language string) error {
	return field.OneOf(path, language,
		"en", "fr", "de", "es", "it", "pt", "pt-br", "ru", "ja", "zh", "yue", "ko", "ar", "hi", "nl", "pl", "tr", "sv", "no", "da", "fi",
		"el", "cs", "hu", "ro", "th", "vi", "id", "ms", "he", "uk", "sk", "bg", "hr", "lt", "lv", "et", "sl")
}

func (n NewSpace) check() (NewSpace, error) {
	var err error
	if n.Title, err = field.Text("title", n.Title, 0, maxTitle); err != nil {
		return n, err
	}
	if n.Title == "" {
		n.Title = untitled
	}
	if n.Emoji != "" {
		if n.Emoji, err = parseEmoji("emoji", n.Emoji); err != nil {
			return n, err
		}
	}
	if n.Parent != "" {
		return n, errs.NotFoundf("There is no such collection, or you may not see it; leave parent out to put the space at the top.")
	}
	if n.Language != "" {
		if err = checkLanguage("language", n.Language); err != nil {
			return n, err
		}
	}
	if n.EditMode == "" {
		n.EditMode = EditModeLive
	}
	return n, checkEditMode(n.EditMode)
}

func checkEditMode(mode EditMode) error {
	return field.OneOf("editMode", mode, EditModeLive, EditModeLocked)
}

// apply returns the space as the change makes it, and whether that is another one.
func (c Change) apply(before Space) (after Space, changed bool, err error) {
	after = before
	if err = c.checkNulls(); err != nil {
		return before, false, err
	}
	if title, ok := c.Title.Get(); ok {
		if after.Title, err = field.Text("title", title, 1, maxTitle); err != nil {
			return before, false, err
		}
	}
	if after, err = c.applyPicture(after); err != nil {
		return before, false, err
	}
	if mode, ok := c.EditMode.Get(); ok {
		if err = checkEditMode(mode); err != nil {
			return before, false, err
		}
		after.EditMode = mode
	}
	if c.DefaultLevel.IsSet() {
		after.DefaultLevel = c.DefaultLevel.Or(access.NoAccess)
		if c.DefaultLevel.IsNull() != (after.DefaultLevel == access.NoAccess) {
			return before, false, errs.Invalidf("defaultLevel", "may not be empty; a role, inherit or null is accepted")
		}
		if err = access.CheckLevel("defaultLevel", after.DefaultLevel); err != nil {
			return before, false, err
		}
	}
	if c.Language.IsSet() {
		after.Language = c.Language.Or("")
		if !c.Language.IsNull() {
			if err = checkLanguage("language", after.Language); err != nil {
				return before, false, err
			}
		}
	}
	return after, after != before, nil
}

// applyPicture sets the emoji or the icon; each takes the other's place.
func (c Change) applyPicture(space Space) (Space, error) {
	emoji, hasEmoji := c.Emoji.Get()
	icon, hasIcon := c.Icon.Get()
	if hasEmoji && hasIcon {
		return space, errs.Invalidf("icon", "cannot be set together with emoji; send one of the two")
	}
	var err error
	switch {
	case hasEmoji:
		space.Icon = ""
		space.Emoji, err = parseEmoji("emoji", emoji)
	case hasIcon:
		space.Emoji = ""
		space.Icon, err = field.URL("icon", icon)
	}
	if c.Emoji.IsNull() {
		space.Emoji = ""
	}
	if c.Icon.IsNull() {
		space.Icon = ""
	}
	return space, err
}

// checkNulls refuses null for the fields that always have a value.
func (c Change) checkNulls() error {
	const refused = "may not be null; leave it out to keep it as it is"
	if c.Title.IsNull() {
		return errs.Invalidf("title", refused)
	}
	if c.EditMode.IsNull() {
		return errs.Invalidf("editMode", refused)
	}
	return nil
}

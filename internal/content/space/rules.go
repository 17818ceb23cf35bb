package space

import (
	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/access"
)

// maxTitle is the greatest length of a title, in characters.
const maxTitle = 50

// untitled is the title of a space that was made without one.
const untitled = "Untitled"

// checkLanguage refuses a code that is not among the languages which content can be written in and translated to.
func checkLanguage(path, language string) error {
	return field.OneOf(path, language,
		"en", "fr", "de", "es", "it", "pt", "pt-br", "ru", "ja", "zh", "yue", "ko", "ar", "hi", "nl", "pl", "tr", "sv",
		"no", "da", "fi",
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
	if n.Icon != "" {
		if n.Emoji != "" {
			return n, errs.Invalidf("icon", "cannot be set together with emoji; send one of the two")
		}
		if n.Icon, err = field.URL("icon", n.Icon); err != nil {
			return n, err
		}
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
	if after.DefaultLevel, err = applyLevel(c.DefaultLevel, before.DefaultLevel); err != nil {
		return before, false, err
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

// applyLevel returns the default level as a change makes it.
func applyLevel(wanted optional.Value[access.Level], before access.Level) (access.Level, error) {
	if !wanted.IsSet() {
		return before, nil
	}
	after := wanted.Or(access.NoAccess)
	if wanted.IsNull() != (after == access.NoAccess) {
		return before, errs.Invalidf("defaultLevel", "may not be empty; a role, inherit or null is accepted")
	}
	return after, access.CheckLevel("defaultLevel", after)
}

// applyPicture sets the emoji or the icon; each takes the other's place.
func (c Change) applyPicture(space Space) (Space, error) {
	c.Emoji, c.Icon = noneIfEmpty(c.Emoji), noneIfEmpty(c.Icon)
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

// noneIfEmpty takes "" for null: a space without an emoji answers with "", which may be sent back.
func noneIfEmpty(sent optional.Value[string]) optional.Value[string] {
	if text, ok := sent.Get(); ok && text == "" {
		return optional.Null[string]()
	}
	return sent
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

// CheckLanguage is the rule for the code of a language that content is written in or translated to.
func CheckLanguage(path, language string) error { return checkLanguage(path, language) }

package script

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"strings"
)

// maxParts is how many parts a form may have.
const maxParts = 1000

// part is one entry of a form: a text, or a file with its name, its type and its bytes.
type part struct {
	Name string  `json:"name"`
	Text *string `json:"text,omitempty"`
	File *string `json:"file,omitempty"`
	Type string  `json:"type,omitempty"`
	Data string  `json:"data,omitempty"`
}

// readForm reads a body of multipart/form-data.
func readForm(_ *Instance, v values) (any, error) {
	contentType, err := v.text(0)
	if err != nil {
		return nil, err
	}
	body, err := v.bytes(1)
	if err != nil {
		return nil, err
	}
	_, parameters, err := mime.ParseMediaType(contentType)
	if err != nil || parameters["boundary"] == "" {
		return nil, fmt.Errorf("TypeError: the type of the form names no boundary")
	}
	reader := multipart.NewReader(bytes.NewReader(body), parameters["boundary"])
	found := []part{}
	for {
		next, err := reader.NextRawPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("TypeError: the form cannot be read")
		}
		if len(found) == maxParts {
			return nil, fmt.Errorf("TypeError: the form has more than %d parts", maxParts)
		}
		each, err := readPart(next)
		if err != nil {
			return nil, err
		}
		found = append(found, each)
	}
	text, err := json.Marshal(found)
	return string(text), err
}

var unquote = strings.NewReplacer("%0A", "\n", "%0D", "\r", "%22", `"`)

func readPart(from *multipart.Part) (part, error) {
	_, parameters, err := mime.ParseMediaType(from.Header.Get("Content-Disposition"))
	name, named := parameters["name"]
	if err != nil || !named {
		return part{}, fmt.Errorf("TypeError: a part of the form has no name")
	}
	content, err := io.ReadAll(from)
	if err != nil {
		return part{}, fmt.Errorf("TypeError: the form ends within a part")
	}
	read := part{Name: unquote.Replace(name)}
	file, isFile := parameters["filename"]
	if !isFile {
		text, _, _ := decodeUTF8(content, false, false)
		text = strings.TrimPrefix(text, "\ufeff")
		read.Text = &text
		return read, nil
	}
	file = unquote.Replace(file)
	read.File, read.Data = &file, base64.StdEncoding.EncodeToString(content)
	if read.Type = from.Header.Get("Content-Type"); read.Type == "" {
		read.Type = "text/plain"
	}
	return read, nil
}

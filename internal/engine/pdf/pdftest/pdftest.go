// Package pdftest reads PDFs back for tests, by other means than they are written.
package pdftest

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
)

// File is a PDF as far as tests read it back.
type File struct {
	t       testing.TB
	objects map[int]string
	// Kids are the numbers of the pages in order.
	Kids []int
}

var (
	objectHead  = regexp.MustCompile(`(?m)^(\d+) 0 obj\n`)
	reference   = regexp.MustCompile(`(\d+) 0 R`)
	destination = regexp.MustCompile(`/Dest <([0-9A-F]+)>`)
	named       = regexp.MustCompile(`<([0-9A-F]+)> \[(\d+) 0 R /XYZ null ([\d.]+) null\]`)
	shown       = regexp.MustCompile(`BT /(F\d+) .* ([\d.-]+) ([\d.-]+) Tm (.*) ET`)
	operand     = regexp.MustCompile(`/ActualText <FEFF([0-9A-F]*)>>> BDC|(EMC)|<([0-9A-F]+)>`)
	mapped      = regexp.MustCompile(`(?m)^<([0-9A-F]{4})> <([0-9A-F]+)>$`)
)

// Read parses a PDF by its table of objects, and holds that the table is right.
func Read(t testing.TB, data []byte) *File {
	t.Helper()
	f := &File{t: t, objects: map[int]string{}}
	start, err := strconv.Atoi(strings.TrimSpace(string(between(t, data, "startxref\n", "%%EOF"))))
	if err != nil || !bytes.HasPrefix(data[start:], []byte("xref\n")) {
		t.Fatalf("startxref leads to %.20q, %v", data[start:], err)
	}
	lines := strings.Split(string(data[start:]), "\n")
	for number, line := range lines[3:] {
		if !strings.HasSuffix(line, " 00000 n ") {
			break
		}
		offset, err := strconv.Atoi(line[:10])
		if err != nil {
			t.Fatal(err)
		}
		head := objectHead.FindSubmatch(data[offset:min(offset+30, len(data))])
		if head == nil || string(head[1]) != strconv.Itoa(number+1) {
			t.Fatalf("object %d is said to be at %d, where is %.30q", number+1, offset, data[offset:])
		}
		body := data[offset+len(head[0]):]
		f.objects[number+1] = string(body[:bytes.Index(body, []byte("\nendobj\n"))])
	}
	for _, kid := range reference.FindAllStringSubmatch(string(between(t, []byte(f.Only("/Type /Pages")), "/Kids [",
		"]")), -1) {
		number, _ := strconv.Atoi(kid[1])
		if !strings.Contains(f.objects[number], "/Type /Page ") {
			t.Fatalf("object %d is no page: %.100s", number, f.objects[number])
		}
		f.Kids = append(f.Kids, number)
	}
	return f
}

func between(t testing.TB, data []byte, start, end string) []byte {
	t.Helper()
	at := bytes.LastIndex(data, []byte(start))
	if at < 0 {
		t.Fatalf("there is no %q", start)
	}
	rest := data[at+len(start):]
	return rest[:max(bytes.Index(rest, []byte(end)), 0)]
}

// All returns the objects that contain a text.
func (f *File) All(text string) []string {
	var found []string
	for number := range len(f.objects) {
		if strings.Contains(f.objects[number+1], text) {
			found = append(found, f.objects[number+1])
		}
	}
	return found
}

// Only returns the one object that contains a text; any other number fails the test.
func (f *File) Only(text string) string {
	f.t.Helper()
	found := f.All(text)
	if len(found) != 1 {
		f.t.Fatalf("%d objects have %q", len(found), text)
	}
	return found[0]
}

// Pointed returns the object that a key of another leads to.
func (f *File) Pointed(object, key string) string {
	f.t.Helper()
	match := regexp.MustCompile(key + ` \[?(\d+) 0 R`).FindStringSubmatch(object)
	if match == nil {
		f.t.Fatalf("no %s in %.200s", key, object)
	}
	number, _ := strconv.Atoi(match[1])
	return f.objects[number]
}

// Unpacked returns the bytes of a stream.
func (f *File) Unpacked(object string) []byte {
	f.t.Helper()
	_, data, ok := strings.Cut(object, "\nstream\n")
	if !ok {
		f.t.Fatalf("no stream: %.100s", object)
	}
	reader, err := zlib.NewReader(strings.NewReader(data))
	if err != nil {
		f.t.Fatal(err)
	}
	out, err := io.ReadAll(reader)
	if err != nil {
		f.t.Fatal(err)
	}
	return out
}

func decode(t testing.TB, digits string) string {
	t.Helper()
	raw, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func decode16(t testing.TB, digits string) string {
	raw := decode(t, digits)
	var units []uint16
	for i := 0; i+1 < len(raw); i += 2 {
		units = append(units, uint16(raw[i])<<8|uint16(raw[i+1]))
	}
	return string(utf16.Decode(units))
}

// Outline returns the titles of the outline in order, indented by their levels.
func (f *File) Outline() []string {
	var titles []string
	var walk func(object string, depth int)
	walk = func(object string, depth int) {
		for {
			title := regexp.MustCompile(`/Title <FEFF([0-9A-F]*)>`).FindStringSubmatch(object)
			if title == nil {
				f.t.Fatalf("an entry without a title: %s", object)
			}
			titles = append(titles, strings.Repeat("  ", depth)+decode16(f.t, title[1]))
			if strings.Contains(object, "/First") {
				walk(f.Pointed(object, "/First"), depth+1)
			}
			if !strings.Contains(object, "/Next") {
				return
			}
			object = f.Pointed(object, "/Next")
		}
	}
	walk(f.Pointed(f.Only("/Type /Outlines"), "/First"), 0)
	return titles
}

// Links returns the places and addresses that links of a page lead to, places as "PAGE name" with the number of the
// page in the file, from 1.
func (f *File) Links(page int) (inside, outside []string) {
	f.t.Helper()
	places := map[string]int{}
	for _, object := range f.All("/XYZ null") {
		for _, match := range named.FindAllStringSubmatch(object, -1) {
			number, _ := strconv.Atoi(match[2])
			places[match[1]] = slices.Index(f.Kids, number) + 1
		}
	}
	object := f.objects[f.Kids[page-1]]
	for _, match := range destination.FindAllStringSubmatch(object, -1) {
		at, ok := places[match[1]]
		if !ok {
			f.t.Errorf("page %d: a link to %q leads nowhere", page, decode(f.t, match[1]))
		}
		inside = append(inside, strconv.Itoa(at)+" "+decode(f.t, match[1]))
	}
	for _, match := range regexp.MustCompile(`/URI <([0-9A-F]+)>`).FindAllStringSubmatch(object, -1) {
		outside = append(outside, decode(f.t, match[1]))
	}
	return inside, outside
}

// Shown is text that one operation shows, in the order in which it stands: what stands beside glyphs as their text, and
// else what the maps of the fonts say. A box for a missing character is U+FFFD.
type Shown struct {
	Text string
	// X and Y are where it begins, in points from the lower left corner.
	X, Y float64
}

// Text returns what a reader can copy from a page, in the order in which it stands.
func (f *File) Text(page int) string {
	f.t.Helper()
	var out strings.Builder
	for _, each := range f.Shown(page) {
		out.WriteString(each.Text)
	}
	return out.String()
}

// Shown returns the texts of a page with their places.
func (f *File) Shown(page int) []Shown {
	f.t.Helper()
	fonts := map[string]map[string]string{}
	resources := f.Only("/ProcSet")
	for _, match := range regexp.MustCompile(`/(F\d+) (\d+) 0 R`).FindAllStringSubmatch(resources, -1) {
		number, _ := strconv.Atoi(match[2])
		characters := map[string]string{"0000": "\uFFFD"}
		toUnicode := string(f.Unpacked(f.Pointed(f.objects[number], "/ToUnicode")))
		for _, pair := range mapped.FindAllStringSubmatch(toUnicode, -1) {
			characters[pair[1]] = decode16(f.t, pair[2])
		}
		fonts[match[1]] = characters
	}
	var out []Shown
	content := string(f.Unpacked(f.Pointed(f.objects[f.Kids[page-1]], "/Contents")))
	for _, operation := range shown.FindAllStringSubmatch(content, -1) {
		characters := fonts[operation[1]]
		x, _ := strconv.ParseFloat(operation[2], 64)
		y, _ := strconv.ParseFloat(operation[3], 64)
		var text strings.Builder
		told := false
		for _, match := range operand.FindAllStringSubmatch(operation[4], -1) {
			switch {
			case match[1] != "":
				text.WriteString(decode16(f.t, match[1]))
				told = true
			case match[2] != "":
				told = false
			case !told:
				for i := 0; i < len(match[3]); i += 4 {
					text.WriteString(characters[match[3][i:i+4]])
				}
			}
		}
		out = append(out, Shown{text.String(), x, y})
	}
	return out
}

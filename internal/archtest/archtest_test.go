package archtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// listed is what `go list -json` says about a package.
type listed struct {
	ImportPath, Dir   string
	GoFiles, CgoFiles []string
	TestGoFiles       []string
	XTestGoFiles      []string
	Imports           []string
}

// listPackages returns all packages of the module.
func listPackages(t *testing.T) []listed {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "list", "-e", "-json=ImportPath,Dir,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Imports", "./...")
	command.Dir = "../.."
	var problems bytes.Buffer
	command.Stderr = &problems
	output, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, problems.String())
	}
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var each listed
		err := decoder.Decode(&each)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, each)
	}
	if len(packages) < 10 {
		t.Fatalf("go list found only %d packages", len(packages))
	}
	return packages
}

func TestImportTable(t *testing.T) {
	var packages []Package
	for _, each := range listPackages(t) {
		packages = append(packages, Package{Path: each.ImportPath, Imports: each.Imports})
	}
	for _, violation := range Violations(Table(), packages) {
		t.Error(violation)
	}
}

// TestViolationsFindsWhatIsWrong shows that the check can fail.
func TestViolationsFindsWhatIsWrong(t *testing.T) {
	tests := []struct {
		name    string
		imports string // "a -> b c", paths below the module's internal folder unless they begin with a slash or hold a dot
		want    string // empty for none
	}{
		{"leaf and errs", "paging -> errs", ""},
		{"leaf and a library", "errs -> github.com/google/uuid", "leaves import the standard library only"},
		{"leaf and platform", "id -> db", "may not import the layer platform"},
		{"engine and leaf", "markdown -> doc errs", ""},
		{"engines in order", "render -> markdown doc expr", ""},
		{"engines against the order", "doc -> markdown", "does not let this one"},
		{"engine and database", "merge -> db", "may not import the layer platform"},
		{"engine and HTTP", "expr -> /net/http", "engines know no HTTP"},
		{"engine and HTTP by a detour", "render -> doc|doc -> errs|errs -> /net/http", "internal/render reaches net/http through internal/render, internal/doc, internal/errs"},
		{"domain in order", "site -> space account content", ""},
		{"domain against the order", "space -> content", "does not let this one"},
		{"domain and delivery", "search -> pub", "may not import the layer delivery"},
		{"delivery and its like", "api -> pub", "does not let this one"},
		{"delivery and domain", "api -> site httpx markdown paging", ""},
		{"platform and domain", "job -> space", "may not import the layer domain"},
		{"platform and platform", "blob -> db", "does not let this one"},
		{"job and db", "job -> db", ""},
		{"app", "app -> api pub site db config", ""},
		{"app and command", "app -> /github.com/rectodocs/recto/cmd/recto", "may not import the layer command"},
		{"command", "/github.com/rectodocs/recto/cmd/recto -> app config client errs", ""},
		{"command and domain", "/github.com/rectodocs/recto/cmd/recto -> site", "may not import the layer domain"},
		{"package below another", "db/dbtest -> db", ""},
		{"package below another, its imports", "importer/website -> api", "may not import the layer delivery"},
		{"no rule", "helpers -> errs", "has no rule"},
		{"a name that only begins alike", "database -> errs", "has no rule"},
		{"imported by something", "api -> archtest", "may not import the layer check"},
	}
	path := func(short string) string {
		switch {
		case strings.HasPrefix(short, "/"):
			return short[1:]
		case strings.Contains(short, "."):
			return short
		default:
			return Module + "/internal/" + short
		}
	}
	for _, test := range tests {
		var packages []Package
		for line := range strings.SplitSeq(test.imports, "|") {
			from, to, _ := strings.Cut(line, " -> ")
			each := Package{Path: path(from)}
			for imported := range strings.FieldsSeq(to) {
				each.Imports = append(each.Imports, path(imported))
			}
			packages = append(packages, each)
		}
		got := strings.Join(Violations(Table(), packages), "\n")
		if test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

package archtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

// listed is what `go list -json` says about a package.
type listed struct {
	ImportPath, Dir   string
	GoFiles, CgoFiles []string
	TestGoFiles       []string
	XTestGoFiles      []string
	Imports           []string
	TestImports       []string
	XTestImports      []string
}

// listPackages returns all packages of the module.
func listPackages(t *testing.T) []listed {
	t.Helper()
	packages, err := listOnce()
	if err != nil {
		t.Fatal(err)
	}
	if len(packages) < 10 {
		t.Fatalf("go list found only %d packages", len(packages))
	}
	return packages
}

// listOnce asks go list for all tests together.
var listOnce = sync.OnceValues(func() ([]listed, error) {
	command := exec.Command("go", "list", "-e",
		"-json=ImportPath,Dir,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports", "./...")
	command.Dir = "../.."
	var problems bytes.Buffer
	command.Stderr = &problems
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, problems.String())
	}
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var each listed
		err := decoder.Decode(&each)
		if errors.Is(err, io.EOF) {
			return packages, nil
		}
		if err != nil {
			return nil, err
		}
		packages = append(packages, each)
	}
})

func TestImportTable(t *testing.T) {
	var packages []Package
	for _, each := range listPackages(t) {
		packages = append(packages, Package{Path: each.ImportPath, Imports: each.Imports,
			TestImports: slices.Concat(each.TestImports, each.XTestImports)})
	}
	for _, violation := range Violations(Table(), packages) {
		t.Error(violation)
	}
}

// TestViolationsFindsWhatIsWrong shows that the check can fail.
func TestViolationsFindsWhatIsWrong(t *testing.T) {
	tests := []struct {
		name string
		// "a -> b c", paths below the module's internal folder unless they begin with a slash or hold a dot; "test"
		// before it says that tests of a do
		imports string
		want    string // empty for none
	}{
		{"base and errs", "base/paging -> base/errs", ""},
		{"base and a library", "base/errs -> github.com/google/uuid", "base imports the standard library only"},
		{"base and platform", "base/id -> platform/db", "may not import the layer internal/platform"},
		{"engine and base", "engine/markdown -> engine/doc base/errs", ""},
		{"engines in order", "engine/render -> engine/markdown engine/doc engine/expr", ""},
		{"engines against the order", "engine/doc -> engine/markdown", "does not let this one"},
		{"engine and database", "engine/merge -> platform/db", "may not import the layer internal/platform"},
		{"engine and HTTP", "engine/expr -> /net/http", "engines know no HTTP"},
		{"engine and HTTP by a detour", "engine/render -> engine/doc|engine/doc -> base/errs|base/errs -> /net/http",
			"internal/engine/render reaches net/http through internal/engine/render, internal/engine/doc, " +
				"internal/base/errs"},
		{"content in order", "content/change -> content/space people/account content/store", ""},
		{"content against the order", "content/store -> content/change", "does not let this one"},
		{"content and publish", "content/edit -> publish/site", "may not import the layer internal/publish"},
		{"content and serve", "content/search -> serve/pub", "may not import the layer internal/serve"},
		{"publish and content", "publish/site -> content/space content/store", ""},
		{"serve and its like", "serve/api -> serve/pub", "does not let this one"},
		{"serve and all below", "serve/api -> publish/site platform/httpx engine/markdown base/paging", ""},
		{"platform and content", "platform/job -> content/space", "may not import the layer internal/content"},
		{"platform and platform", "platform/blob -> platform/db", "does not let this one"},
		{"job and db", "platform/job -> platform/db", ""},
		{"app", "app -> serve/api serve/pub publish/site platform/db platform/config", ""},
		{"app and command", "app -> /github.com/rectodocs/recto/cmd/recto", "may not import the layer cmd/recto"},
		{"command", "/github.com/rectodocs/recto/cmd/recto -> app platform/config client base/errs", ""},
		{"command and publish", "/github.com/rectodocs/recto/cmd/recto -> publish/site",
			"may not import the layer internal/publish"},
		{"command and database", "/github.com/rectodocs/recto/cmd/recto -> platform/db",
			"may not import the layer internal/platform"},
		{"package below another", "platform/db/dbtest -> platform/db", ""},
		{"package below another, its imports", "content/importer/website -> serve/api",
			"may not import the layer internal/serve"},
		{"package below another, imported", "content/link -> content/store/changes", ""},
		{"no rule", "helpers -> base/errs", "has no rule"},
		{"no rule in a layer", "content/helpers -> base/errs", "has no rule"},
		{"a name that only begins alike", "platform/database -> base/errs", "has no rule"},
		{"code and what is for tests", "platform/job -> platform/db/dbtest", "only tests and what supports them"},
		{"tests and what is for tests", "test platform/job -> platform/db/dbtest", ""},
		{"what is for tests and its like", "app/apptest -> platform/db/dbtest app", ""},
		{"tests of a resource", "test serve/api/comments -> app/apptest", ""},
		{"tests of app", "test app -> app/apptest", ""},
		{"tests of content", "test content/comment -> app/apptest", "only tests of serve and app"},
		{"a resource", "serve/api/comments -> app/apptest", "only tests and what supports them"},
		{"app and what runs it", "app -> app/apptest", "only tests and what supports them"},
		{"imported by something", "serve/api -> archtest", "may not import the layer internal/archtest"},
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
			from, inTest := strings.CutPrefix(from, "test ")
			each := Package{Path: path(from)}
			for imported := range strings.FieldsSeq(to) {
				if inTest {
					each.TestImports = append(each.TestImports, path(imported))
				} else {
					each.Imports = append(each.Imports, path(imported))
				}
			}
			packages = append(packages, each)
		}
		got := strings.Join(Violations(Table(), packages), "\n")
		if test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

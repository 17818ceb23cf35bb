package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// leading matches what sends a browser to another address.
var leading = regexp.MustCompile(`http\.Redirect\(|http\.RedirectHandler\(|"(?i:location|refresh)"[,\]]`)

// TestOneMakerOfLocations holds that answers lead elsewhere through httpx.Location alone: it is what knows how browsers
// read addresses.
func TestOneMakerOfLocations(t *testing.T) {
	for _, line := range []string{`http.Redirect(w, r, "/", 302)`, `w.Header().Set("Location", to)`,
		`header["Location"] = x`, `h.Set("refresh", "0;url=/")`} {
		if !leading.MatchString(line) {
			t.Errorf("%s is not found", line)
		}
	}
	for _, each := range listPackages(t) {
		name := strings.TrimPrefix(each.ImportPath, Module+"/")
		if !strings.HasPrefix(name, "internal/serve/") && !strings.HasPrefix(name, "internal/app") {
			continue
		}
		for _, file := range each.GoFiles {
			content, err := os.ReadFile(filepath.Join(each.Dir, file))
			if err != nil {
				t.Fatal(err)
			}
			for number, line := range strings.Split(string(content), "\n") {
				if leading.MatchString(line) {
					t.Errorf("%s/%s:%d leads a browser elsewhere without httpx.Redirect: %s", each.ImportPath, file,
						number+1, strings.TrimSpace(line))
				}
			}
		}
	}
}

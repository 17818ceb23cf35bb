package script

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// This file runs cases of the Web Platform Tests. Those of addresses come with the module that parses addresses, of
// which a build has all files.

// webPlatform returns a file of cases, as JSON.
func webPlatform(t *testing.T, name string) string {
	t.Helper()
	folder, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}",
		"github.com/nlnwa/whatwg-url").Output()
	if err != nil {
		t.Fatalf("where the module is: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// runCases runs the body of a function of cases, which returns the number of cases and what is wrong with some, by what
// names each.
func runCases(t *testing.T, cases, body string, least int) {
	t.Helper()
	limits := Limits{Processor: time.Minute, Wall: time.Minute}
	script := "const failures = {}; let count = 0;\nconst cases = JSON.parse(await request.text());\n" + body +
		"\nreturn Response.json({ count, failures })"
	request := &Request{Method: "POST", URL: "https://example.org/v1", Body: []byte(cases)}
	var out struct {
		Count    int
		Failures map[string]string
	}
	answer := send(t, start(t, handle(script), V2, Host{}, limits), request)
	if err := json.Unmarshal(answer.Body, &out); err != nil {
		t.Fatalf("%v: %s", err, answer.Body)
	}
	if out.Count < least {
		t.Errorf("%d cases ran, want at least %d", out.Count, least)
	}
	for name, wrong := range out.Failures {
		t.Errorf("%s: %s", name, wrong)
	}
}

func TestWebPlatformAddresses(t *testing.T) {
	runCases(t, webPlatform(t, "urltestdata.json"), `
		for (const each of cases) {
			if (typeof each === "string") continue;
			count++;
			const name = JSON.stringify([each.input, each.base ?? null]);
			const base = each.base ?? undefined;
			try {
				if (URL.canParse(each.input, base) === !!each.failure) { failures[name] = "canParse"; continue; }
				const url = new URL(each.input, base);
				if (each.failure) { failures[name] = "is taken: " + url.href; continue; }
				for (const part of Object.keys(each)) {
					if (["input", "base", "comment", "relativeTo"].includes(part)) continue;
					const is = part === "searchParams" ? String(url.searchParams) : url[part];
					if (is !== each[part]) failures[name] = part + " is " + is + ", not " + each[part];
				}
				if (!failures[name] && new URL(url.href).href !== url.href) failures[name] = "written and read again";
			} catch (e) {
				if (!each.failure || !(e instanceof TypeError)) failures[name] = String(e);
			}
		}`, 800)
}

func TestWebPlatformSettersOfAddresses(t *testing.T) {
	runCases(t, webPlatform(t, "setters_tests.json"), `
		for (const [part, list] of Object.entries(cases)) {
			if (part === "comment") continue;
			for (const each of list) {
				count++;
				const name = part + " " + JSON.stringify([each.href, each.new_value]);
				try {
					const url = new URL(each.href);
					url[part] = each.new_value;
					for (const [key, value] of Object.entries(each.expected)) {
						if (url[key] !== value) failures[name] = key + " is " + url[key] + ", not " + value;
					}
				} catch (e) { failures[name] = String(e); }
			}
		}`, 200)
}

// hosts tries names of hosts in the ways in which an address gets one.
const hosts = `
	for (const each of cases) {
		if (typeof each === "string" || each.input === "") continue; // without a name the path would become one
		count++;
		const name = JSON.stringify(each.input);
		try {
			// What would end the name is written in the form that stands for itself.
			const written = each.input.replace(/[:/?#\\@]/g, (sign) => "%" + sign.charCodeAt(0).toString(16));
			const url = new URL("https://" + written + "/x");
			if (each.output === null) failures[name] = "is taken: " + url.host;
			else if (url.host !== each.output || url.pathname !== "/x") failures[name] = url.host + ", not " + each.output;
		} catch (e) {
			if (each.output !== null) failures[name] = String(e) + ", not " + each.output;
		}
	}`

func TestWebPlatformNamesOfHosts(t *testing.T) {
	runCases(t, webPlatform(t, "toascii.json"), hosts, 35)
}

func TestWebPlatformInternationalNames(t *testing.T) {
	runCases(t, webPlatform(t, "IdnaTestV2.json"), hosts, 1000)
}

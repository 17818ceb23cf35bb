package script

import (
	"strings"
	"testing"
)

// The engine does not say what is no function; the source does.
func TestWhatIsNoFunctionIsNamed(t *testing.T) {
	for body, want := range map[string]string{
		`const client = { a: {} }; return client.a.list(1)`:            "client.a.list is not a function",
		`const y = { z: [{}] }; return y.z[0].map((z) => z)`:           "y.z[0].map is not a function",
		`const y = {}; return y.a?.b ?? y.more?.(1) ?? y.of (2)`:       "y.of is not a function",
		`const y = {}; return (0, y.foo)(2)`:                           "(0, y.foo) is not a function",
		"const y = {}; return y.tag`x`":                                "y.tag is not a function",
		`const { find } = {}; const e = "é€😀"; await find(e)`:          "find is not a function",
		`const e = "é€😀", größe = {}; return größe.messen(e)`:          "größe.messen is not a function",
		`const y = {}; return y.get().later("(" + ")")`:                "y.get is not a function",
		`const Of = {}; return new Of.Kind(1)`:                         "Of.Kind is not a function",
		`const y = {}; return [1].map(y.each)`:                         "TypeError: not a function",
		`const y = {}; return y["` + strings.Repeat("k", 100) + `"]()`: "k\"] is not a function",
	} {
		source := handle(body)
		program, err := Compile(source, V2)
		if err != nil {
			t.Fatal(err)
		}
		asked, calls := 0, 2
		host := Host{Source: func() (string, error) { asked++; return source, nil }}
		instance, err := program.Start(t.Context(), host, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(instance.Close)
		for range calls {
			if _, _, err := instance.Dispatch(t.Context(), get("http://host/v1")); err == nil ||
				!strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", body, err, want)
			}
		}
		if asked > calls {
			t.Errorf("%s: the source is asked for %d times", body, asked)
		}
	}
}

func TestWhatIsNoFunctionIsNamedInTheLog(t *testing.T) {
	var logged []string
	source := handle(`const y = {}; try { y.call() } catch (e) {
		console.error(e); console.log(e.stack); console.log(JSON.stringify({ stack: e.stack })); console.log(e.message);
		console.log("not a function\n    at f (script:999999:1)", "not a function\n    at f (script:1:9999999999999999999)");
	} return new Response()`)
	program, err := Compile(source, V2)
	if err != nil {
		t.Fatal(err)
	}
	instance, err := program.Start(t.Context(), Host{Source: func() (string, error) { return source, nil },
		Log: func(_ Level, message string) { logged = append(logged, message) }}, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(instance.Close)
	send(t, instance, get("http://host/v1"))
	if len(logged) != 5 {
		t.Fatalf("logged %q", logged)
	}
	for _, message := range logged[:3] {
		if !strings.Contains(message, "TypeError: y.call is not a function") {
			t.Errorf("logged %q", message)
		}
	}
	if logged[3] != "not a function" || strings.Contains(logged[4], " is not") {
		t.Errorf("logged %q", logged[3:])
	}
}

// Each look-up reads the source up to a place that the script may make up, so there are few of them.
func TestFewErrorsAreLookedUp(t *testing.T) {
	named := 0
	source := handle(`for (let i = 0; i < 5 * 20; i++) try { request.absent() } catch (e) { console.log(e) }
		return new Response()`)
	i := start(t, source, V2, Host{Source: func() (string, error) { return source, nil },
		Log: func(_ Level, message string) {
			if strings.Contains(message, "request.absent is not a function") {
				named++
			}
		}}, Limits{})
	for call := range 2 {
		send(t, i, get("http://host/v1"))
		if want := (call + 1) * maxNamed; named != want {
			t.Errorf("after call %d %d errors are named, want %d", call, named, want)
		}
	}
}

package script

import (
	"compress/gzip"
	"io"
	"os"
	"testing"
)

// TestVectorsOfWebCrypto runs the vectors of @peculiar/webcrypto-test 1.0.7, of the algorithms that scripts have: what
// is made, read and written again, computed, derived and wrapped. The file has them as JSON; bytes are {"$": base64}.
// Where the vectors differ from the standard the file follows that: keys of ECDH are to derive, not to sign or to
// verify, and a key of HMAC has the length that is asked for.
func TestVectorsOfWebCrypto(t *testing.T) {
	file, err := os.Open("testdata/webcrypto.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	cases, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	body, err := os.ReadFile("testdata/webcrypto.js")
	if err != nil {
		t.Fatal(err)
	}
	runCases(t, string(cases), string(body), 138)
}

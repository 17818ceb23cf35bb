package script

import (
	"encoding/json"
	"fmt"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// parts are those of an address, as the class URL of the layer has them.
type parts struct {
	Href     string `json:"href"`
	Origin   string `json:"origin"`
	Protocol string `json:"protocol"`
	Username string `json:"username"`
	Password string `json:"password"`
	Host     string `json:"host"`
	Hostname string `json:"hostname"`
	Port     string `json:"port"`
	Pathname string `json:"pathname"`
	Search   string `json:"search"`
	Hash     string `json:"hash"`
}

func partsOf(u *whatwg.Url) (any, error) {
	text, err := json.Marshal(parts{
		u.Href(false), originOf(u), u.Protocol(), u.Username(), u.Password(), u.Host(), u.Hostname(), u.Port(),
		u.Pathname(), u.Search(), u.Hash(),
	})
	return string(text), err
}

// originOf returns the origin of an address, which is "null" where there is none.
func originOf(u *whatwg.Url) string {
	switch u.Scheme() {
	case "http", "https", "ws", "wss", "ftp":
		return u.Protocol() + "//" + u.Host()
	case "blob":
		inner, err := whatwg.Parse(u.Pathname())
		if err == nil && (inner.Scheme() == "http" || inner.Scheme() == "https") {
			return originOf(inner)
		}
	}
	return "null"
}

// parseURL parses an address, relative to another one when that is given. What is no address is an empty text.
func parseURL(_ *Instance, v values) (any, error) {
	address, err := v.text(0)
	if err != nil {
		return nil, err
	}
	var parsed *whatwg.Url
	if len(v) > 1 {
		base, wrong := v.text(1)
		if wrong != nil {
			return nil, wrong
		}
		parsed, err = whatwg.ParseRef(base, address)
	} else {
		parsed, err = whatwg.Parse(address)
	}
	if err != nil || parsed == nil {
		return "", nil
	}
	return partsOf(parsed)
}

// setURL sets one part of an address.
func setURL(_ *Instance, v values) (any, error) {
	text, err := v.texts(3)
	if err != nil {
		return nil, err
	}
	u, err := whatwg.Parse(text[0])
	if err != nil {
		return nil, fmt.Errorf("TypeError: Invalid URL")
	}
	set, ok := map[string]func(string){
		"protocol": u.SetProtocol, "username": u.SetUsername, "password": u.SetPassword, "host": u.SetHost,
		"hostname": u.SetHostname, "port": u.SetPort, "pathname": u.SetPathname, "search": u.SetSearch,
		"hash": u.SetHash,
	}[text[1]]
	if !ok {
		return nil, fmt.Errorf("TypeError: an address has no %.40q", text[1])
	}
	set(text[2])
	return partsOf(u)
}

// percent decodes what forms write with percent signs. What is not so written stays, and what is no UTF-8 becomes
// U+FFFD.
func percent(_ *Instance, v values) (any, error) {
	text, err := v.text(0)
	if err != nil {
		return nil, err
	}
	raw := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			high, low := strings.IndexByte(hexDigits, text[i+1]|0x20), strings.IndexByte(hexDigits, text[i+2]|0x20)
			if high >= 0 && low >= 0 {
				raw = append(raw, byte(high<<4|low))
				i += 2
				continue
			}
		}
		raw = append(raw, text[i])
	}
	decoded, _, _ := decodeUTF8(raw, false, false)
	return decoded, nil
}

const hexDigits = "0123456789abcdef"

package web

import (
	"fmt"
	"strings"
	"time"
)

// ago says how long ago something was, as people do.
func ago(now, then time.Time) string {
	count := func(n int, unit string) string {
		if n == 1 {
			return "1 " + unit + " ago"
		}
		return fmt.Sprintf("%d %ss ago", n, unit)
	}
	switch passed := now.Sub(then); {
	case passed < 2*time.Minute:
		return "just now"
	case passed < time.Hour:
		return count(int(passed.Minutes()), "minute")
	case passed < 24*time.Hour:
		return count(int(passed.Hours()), "hour")
	case passed < 14*24*time.Hour:
		return count(int(passed.Hours()/24), "day")
	default:
		return "on " + date(then)
	}
}

// browsers and systems are looked for in what a browser calls itself, in this order: most name others besides.
var (
	browsers = [][2]string{
		{"Edg/", "Edge"}, {"EdgA/", "Edge"}, {"EdgiOS/", "Edge"}, {"OPR/", "Opera"},
		{"SamsungBrowser/", "Samsung Internet"}, {"Vivaldi/", "Vivaldi"},
		{"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"}, {"CriOS/", "Chrome"}, {"Chrome/", "Chrome"},
		{"Safari/", "Safari"}, {"curl/", "curl"},
	}
	systems = [][2]string{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"CrOS", "ChromeOS"}, {"Windows", "Windows"},
		{"Mac OS X", "macOS"}, {"Linux", "Linux"},
	}
)

// device names a browser and its system for people: "Firefox on Windows".
func device(agent string) string {
	named := func(names [][2]string) string {
		for _, each := range names {
			if strings.Contains(agent, each[0]) {
				return each[1]
			}
		}
		return ""
	}
	switch browser, system := named(browsers), named(systems); {
	case browser != "" && system != "":
		return browser + " on " + system
	case browser+system != "":
		return browser + system
	default:
		return "Unknown browser"
	}
}

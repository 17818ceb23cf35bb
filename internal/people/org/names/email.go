package names

import (
	"regexp"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Limits of e-mail domains.
const (
	maxEmailDomains = 50
	maxDomain       = 253 // RFC 1035 §2.3.4, as text without the final dot
)

var domainPattern = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$`)

// CheckEmailDomains returns the domains in lower case, sorted, each once.
func CheckEmailDomains(path string, domains []string) ([]string, error) {
	if len(domains) > maxEmailDomains {
		return nil, errs.Invalidf(path, "has %d domains; up to %d are accepted", len(domains), maxEmailDomains)
	}
	checked := make([]string, 0, len(domains))
	for _, domain := range domains {
		lower := strings.ToLower(strings.TrimSpace(domain))
		if len(lower) > maxDomain || !domainPattern.MatchString(lower) {
			return nil, errs.Invalidf(path, "%.40q is not a domain; one like example.org is accepted, without an @",
				domain)
		}
		checked = append(checked, lower)
	}
	slices.Sort(checked)
	return slices.Compact(checked), nil
}

// freeMail are domains on which anybody gets an address: having one proves nothing of the others there.
var freeMail = map[string]bool{}

func init() {
	for domain := range strings.FieldsSeq(
		`126.com 163.com aol.com bk.ru duck.com fastmail.com fastmail.fm free.fr freenet.de gmail.com gmx.at gmx.ch gmx.com
		gmx.de gmx.fr gmx.net googlemail.com hey.com hotmail.co.uk hotmail.com hotmail.de hotmail.es hotmail.fr hotmail.it hushmail.com icloud.com
		inbox.ru laposte.net libero.it list.ru live.co.uk live.com live.de live.fr live.nl mac.com mail.com mail.de mail.ru mailbox.org me.com msn.com
		naver.com o2.pl orange.fr outlook.com outlook.de outlook.fr pm.me posteo.de posteo.net proton.me protonmail.ch protonmail.com qq.com rediffmail.com
		rocketmail.com runbox.com seznam.cz sina.com sky.com startmail.com t-online.de tuta.com tuta.io tutamail.com tutanota.com virgilio.it wanadoo.fr
		web.de wp.pl ya.ru yahoo.ca yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com yahoo.com.br yahoo.de yahoo.es yahoo.fr yahoo.it yandex.com yandex.ru
		yeah.net ymail.com zoho.com`) {
		freeMail[domain] = true
	}
}

// IsFreeMail reports whether anybody gets an address on a domain, so that having one proves nothing of the others
// there.
func IsFreeMail(domain string) bool { return freeMail[domain] }

package org

import (
	"regexp"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
)

// Limits of the fields.
const (
	minTitle        = 2
	maxTitle        = 255
	maxEmailDomains = 50
	maxDomain       = 253 // RFC 1035 §2.3.4, as text without the final dot
)

var domainPattern = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$`)

func (n NewOrganization) check() (NewOrganization, error) {
	var err error
	if n.Title, err = field.Text("title", n.Title, minTitle, maxTitle); err != nil {
		return n, err
	}
	if n.Hostname != "" {
		if err = checkHostname("hostname", n.Hostname); err != nil {
			return n, err
		}
	}
	if n.Type == "" {
		n.Type = TypeBusiness
	}
	if err = field.OneOf("type", n.Type, TypeBusiness, TypeCommunity); err != nil {
		return n, err
	}
	if n.UseCase != "" {
		if err = field.OneOf("useCase", n.UseCase, UseCases...); err != nil {
			return n, err
		}
	}
	n.EmailDomains, err = checkEmailDomains("emailDomains", n.EmailDomains)
	return n, err
}

// checkEmailDomains returns the domains in lower case, sorted, each once.
func checkEmailDomains(path string, domains []string) ([]string, error) {
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

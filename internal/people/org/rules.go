package org

import (
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org/names"
)

// Limits of the fields.
const (
	minTitle = 2
	maxTitle = 255
)

func (n NewOrganization) check() (NewOrganization, error) {
	var err error
	if n.Title, err = field.Text("title", n.Title, minTitle, maxTitle); err != nil {
		return n, err
	}
	if n.Hostname != "" {
		if err = names.CheckHostname("hostname", n.Hostname); err != nil {
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
	n.EmailDomains, err = names.CheckEmailDomains("emailDomains", n.EmailDomains)
	return n, err
}

// ownDomain reports whether the caller's own verified address proves the domain.
func ownDomain(caller account.Caller, domain string) bool {
	return caller.HasProvenEmail() && account.EmailDomain(caller.User.Email) == domain
}

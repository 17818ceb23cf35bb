package org

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"slices"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org/names"
)

// Where the TXT record of a proof stands, and what its text begins with.
const (
	challengeName  = "_recto-challenge."
	challengeValue = "recto-verification="
)

// lookupTime bounds the questions to name servers of one change.
const lookupTime = 10 * time.Second

// Challenge is the TXT record in the name service that proves that a domain belongs to an organization.
type Challenge struct {
	// Domain is what it proves.
	Domain string
	// Name is the name of the record, Value its text.
	Name, Value string
	// Verified says that the organization has the domain already, or could take it now.
	Verified bool
}

// Challenge returns how an admin proves that a domain belongs to their organization, and whether that is done.
func (s *Service) Challenge(ctx context.Context, caller account.Caller, organizationID id.Organization,
	domain string) (Challenge, error) {
	membership, err := s.Get(ctx, caller, organizationID)
	if err != nil {
		return Challenge{}, err
	}
	if err := membership.Role.Require(RoleAdmin); err != nil {
		return Challenge{}, err
	}
	checked, err := names.CheckEmailDomains("emailDomain", []string{domain})
	if err != nil {
		return Challenge{}, err
	}
	challenge := s.challenge(organizationID, checked[0])
	if names.IsFreeMail(challenge.Domain) {
		return challenge, nil
	}
	challenge.Verified = slices.Contains(membership.Organization.EmailDomains, challenge.Domain) ||
		ownDomain(caller, challenge.Domain)
	if !challenge.Verified {
		ctx, cancel := context.WithTimeout(ctx, lookupTime)
		defer cancel()
		challenge.Verified = s.answered(ctx, challenge)
	}
	return challenge, nil
}

// challenge makes the record of an organization and a domain. It is always the same, so nothing has to be kept, and it
// cannot be worked out for another organization.
func (s *Service) challenge(organizationID id.Organization, domain string) Challenge {
	mac := hmac.New(sha256.New, s.deps.ChallengeKey)
	mac.Write([]byte(string(organizationID) + " " + domain))
	text := base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(mac.Sum(nil)[:20])
	return Challenge{Domain: domain, Name: challengeName + domain, Value: challengeValue + strings.ToLower(text)}
}

// answered reports whether the record of a challenge stands where it should. A name server that does not answer is as
// good as none: the admin asks again.
func (s *Service) answered(ctx context.Context, challenge Challenge) bool {
	texts, err := s.deps.LookupTXT(ctx, challenge.Name)
	if err != nil {
		return false
	}
	for _, text := range texts {
		if hmac.Equal([]byte(strings.TrimSpace(text)), []byte(challenge.Value)) {
			return true
		}
	}
	return false
}

// prove returns the domains that an organization is to have, checked; all that it does not have yet have to be proven.
func (s *Service) prove(ctx context.Context, caller account.Caller, o Organization,
	domains []string) ([]string, error) {
	checked, err := names.CheckEmailDomains("emailDomains", domains)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	for _, domain := range checked {
		if slices.Contains(o.EmailDomains, domain) {
			continue
		}
		if names.IsFreeMail(domain) {
			return nil, errs.Invalidf("emailDomains",
				"%s is a domain on which anybody gets an address; name a domain of your own", domain)
		}
		challenge := s.challenge(o.ID, domain)
		if !ownDomain(caller, domain) && !s.answered(ctx, challenge) {
			return nil, errs.Invalidf("emailDomains", "%s is not known to be yours; add a TXT record with the name "+
				"%s and the text %s to the domain, and try again",
				domain, challenge.Name, challenge.Value)
		}
	}
	return checked, nil
}

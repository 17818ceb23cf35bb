package identity

import (
	"slices"
	"strings"
	"time"

	"github.com/beevik/etree"
	saml2 "github.com/russellhaering/gosaml2"
)

// skew is how far the clocks of a provider and of this server may be apart.
const skew = time.Minute

// Formats of names.
const (
	formatEmail      = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
	formatPersistent = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
	formatTransient  = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
)

// statement is what a verified assertion says.
type statement struct {
	// id is the assertion's; it is accepted until the time until.
	id    string
	until time.Time
	// attempt is the id of the request that it answers; "" when the provider began.
	attempt string
	// subject is who the provider says it is, in the provider's own terms.
	subject     string
	email, name string
	// sessionUntil is when a session that begins with it has to end; zero when the provider does not say.
	sessionUntil time.Time
}

// Attributes that hold an address or a name, under the names that providers use, in lower case.
var (
	emailAttributes = []string{
		"email", "mail", "emailaddress", "urn:oid:0.9.2342.19200300.100.1.3",
		"http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress", "urn:oid:1.2.840.113549.1.9.1",
	}
	nameAttributes = []string{
		"displayname", "urn:oid:2.16.840.1.113730.3.1.241", "http://schemas.microsoft.com/identity/claims/displayname",
		"cn", "urn:oid:2.5.4.3", "name",
	}
	givenAttributes = []string{"givenname", "firstname", "urn:oid:2.5.4.42",
		"http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname"}
	familyAttributes = []string{"sn", "surname", "lastname", "urn:oid:2.5.4.4",
		"http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname"}
	// Names that stay the same, for providers whose name of the subject is another one each time.
	subjectAttributes = []string{"urn:oasis:names:tc:saml:attribute:subject-id",
		"urn:oasis:names:tc:saml:attribute:pairwise-id"}
)

// read returns what a verified assertion says, when it says so to this server, about this sign-in, now.
func read(assertion, response *etree.Element, p Provider, here Endpoints, now time.Time) (statement, error) {
	said := statement{id: attribute(assertion, "ID")}
	if version := attribute(assertion, "Version"); version != "2.0" {
		return said, refused("its assertion is of SAML %.10q; 2.0 is accepted.", version)
	}
	if err := checkIssuer(children(assertion, assertionSpace, "Issuer"), p); err != nil {
		return said, err
	}
	if err := checkConditions(assertion, here, now); err != nil {
		return said, err
	}
	subject, err := single(assertion, assertionSpace, "Subject")
	if err != nil {
		return said, err
	}
	if said.attempt, said.until, err = confirm(subject, here, now); err != nil {
		return said, err
	}
	if claimed := attribute(response, "InResponseTo"); claimed != said.attempt {
		return said, refused("it says that it answers the request %.80q, and its assertion says %.80q.", claimed,
			said.attempt)
	}
	if said.sessionUntil, err = sessionEnd(assertion, now); err != nil {
		return said, err
	}
	attributes, err := readAttributes(assertion)
	if err != nil {
		return said, err
	}
	format, name, err := nameOf(subject)
	if err != nil {
		return said, err
	}
	said.describe(attributes, format, name)
	if format == formatTransient {
		name = firstOf(attributes, subjectAttributes)
		format = "subject"
	}
	if name == "" {
		return said, refused("it has no lasting name for the person; have the identity provider send a persistent " +
			"NameID or an e-mail address as NameID.")
	}
	// The format belongs to the name: what is a user name in one could be somebody else's address in the other.
	said.subject = lastPart(format) + ":" + name
	if format == formatEmail {
		said.subject = strings.ToLower(said.subject)
	}
	return said, nil
}

// describe takes the address and the name from the attributes; the name of the subject is the address where it is said
// to be.
func (s *statement) describe(attributes map[string]string, format, name string) {
	s.email = firstOf(attributes, emailAttributes)
	if s.email == "" && format == formatEmail {
		s.email = name
	}
	if s.name = firstOf(attributes, nameAttributes); s.name == "" {
		s.name = strings.TrimSpace(firstOf(attributes, givenAttributes) + " " + firstOf(attributes, familyAttributes))
	}
}

// nameOf returns the name of the subject and its format.
func nameOf(subject *etree.Element) (format, name string, err error) {
	if len(children(subject, assertionSpace, "EncryptedID")) > 0 {
		return "", "",
			refused(
				"its subject is encrypted by itself; have the identity provider encrypt the whole assertion, or " +
					"nothing.")
	}
	names := children(subject, assertionSpace, "NameID")
	if len(names) == 0 {
		return formatTransient, "", nil
	}
	id, err := single(subject, assertionSpace, "NameID")
	if err != nil {
		return "", "", err
	}
	name, err = text(id)
	return attribute(id, "Format"), name, err
}

// checkConditions holds an assertion against the time and the audience.
func checkConditions(assertion *etree.Element, here Endpoints, now time.Time) error {
	conditions, err := single(assertion, assertionSpace, "Conditions")
	if err != nil {
		return err
	}
	if err := checkTimes(conditions, now); err != nil {
		return err
	}
	audiences := 0
	for _, condition := range conditions.ChildElements() {
		switch {
		case is(condition, assertionSpace, "OneTimeUse"), is(condition, assertionSpace, "ProxyRestriction"):
			// Each assertion is used once, and handed to nobody.
		case is(condition, assertionSpace, "AudienceRestriction"):
			audiences++
			if err := checkAudience(condition, here); err != nil {
				return err
			}
		default:
			return refused("its assertion has a condition %.60q, which this server does not know.", condition.Tag)
		}
	}
	if audiences == 0 {
		return refused("its assertion does not say for whom it is; the audience has to be %s.", here.EntityID)
	}
	return nil
}

func checkAudience(restriction *etree.Element, here Endpoints) error {
	for _, audience := range children(restriction, assertionSpace, "Audience") {
		value, err := text(audience)
		if err != nil {
			return err
		}
		if value == here.EntityID {
			return nil
		}
	}
	return refused("its assertion is for another audience; the audience has to be %s.", here.EntityID)
}

// checkTimes holds the attributes NotBefore and NotOnOrAfter against the time.
func checkTimes(el *etree.Element, now time.Time) error {
	if value := attribute(el, "NotBefore"); value != "" {
		from, err := time.Parse(time.RFC3339, value)
		if err != nil {
			return refused("its %s has the time %.40q.", el.Tag, value)
		}
		if now.Add(skew).Before(from) {
			return refused("it is not valid before %s, and it is %s here; compare the clocks.", value,
				now.Format(time.RFC3339))
		}
	}
	if value := attribute(el, "NotOnOrAfter"); value != "" {
		until, err := time.Parse(time.RFC3339, value)
		if err != nil {
			return refused("its %s has the time %.40q.", el.Tag, value)
		}
		if !now.Before(until.Add(skew)) {
			return refused("it expired at %s, and it is %s here. Begin to sign in again, or compare the clocks.", value,
				now.Format(time.RFC3339))
		}
	}
	return nil
}

// confirm finds the confirmation that the bearer may use the assertion here and now, and returns which request it
// answers and until when it could be used.
func confirm(subject *etree.Element, here Endpoints, now time.Time) (attempt string, until time.Time, err error) {
	err = refused("its assertion is not meant to be brought by a browser: it has no bearer confirmation.")
	for _, confirmation := range children(subject, assertionSpace, "SubjectConfirmation") {
		if attribute(confirmation, "Method") != saml2.SubjMethodBearer {
			continue
		}
		var data *etree.Element
		if data, err = single(confirmation, assertionSpace, "SubjectConfirmationData"); err != nil {
			continue
		}
		if recipient := attribute(data, "Recipient"); recipient != here.ACS {
			err = refused("its assertion is for the recipient %.200q, and this is %s.", recipient, here.ACS)
			continue
		}
		if until, err = time.Parse(time.RFC3339, attribute(data, "NotOnOrAfter")); err != nil {
			err = refused("its assertion does not say until when it may be used.")
			continue
		}
		if err = checkTimes(data, now); err != nil {
			continue
		}
		return attribute(data, "InResponseTo"), until, nil
	}
	return "", time.Time{}, err
}

// sessionEnd asks for a statement that the person has signed in there, in a session that is not over, and returns when
// it is; zero when no statement says so.
func sessionEnd(assertion *etree.Element, now time.Time) (end time.Time, err error) {
	statements := children(assertion, assertionSpace, "AuthnStatement")
	if len(statements) == 0 {
		return end, refused("its assertion does not say that anybody has signed in.")
	}
	for _, each := range statements {
		value := attribute(each, "SessionNotOnOrAfter")
		if value == "" {
			continue
		}
		until, err := time.Parse(time.RFC3339, value)
		if until = until.Add(skew); err != nil || !now.Before(until) {
			return end, refused("the session at the identity provider is over.")
		}
		if end.IsZero() || until.Before(end) {
			end = until
		}
	}
	return end, nil
}

// readAttributes returns the first value of each attribute, by its name and friendly name in lower case.
func readAttributes(assertion *etree.Element) (map[string]string, error) {
	values := map[string]string{}
	for _, list := range children(assertion, assertionSpace, "AttributeStatement") {
		for _, each := range children(list, assertionSpace, "Attribute") {
			contents := children(each, assertionSpace, "AttributeValue")
			if len(contents) == 0 || !wanted(each) {
				continue
			}
			value, err := text(contents[0])
			if err != nil {
				return nil, err
			}
			for _, name := range []string{attribute(each, "Name"), attribute(each, "FriendlyName")} {
				if name = strings.ToLower(name); name != "" && values[name] == "" {
					values[name] = value
				}
			}
		}
	}
	return values, nil
}

// wanted reports whether an attribute is one that is read; others may hold anything.
func wanted(el *etree.Element) bool {
	for _, name := range []string{attribute(el, "Name"), attribute(el, "FriendlyName")} {
		name = strings.ToLower(name)
		for _, names := range [][]string{emailAttributes, nameAttributes, givenAttributes, familyAttributes,
			subjectAttributes} {
			if slices.Contains(names, name) {
				return true
			}
		}
	}
	return false
}

func firstOf(values map[string]string, names []string) string {
	for _, name := range names {
		if value := values[name]; value != "" {
			return value
		}
	}
	return ""
}

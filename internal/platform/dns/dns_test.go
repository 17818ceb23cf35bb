package dns_test

import (
	"net"
	"slices"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/rectodocs/recto/internal/platform/dns"
)

// serveNames answers questions about names on loopback until the test ends, and returns its address. Names that it does
// not have do not exist.
func serveNames(t *testing.T, records map[string]dnsmessage.ResourceBody) (address string, asked func() []string) {
	t.Helper()
	connection, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	done := make(chan struct{})
	go func() {
		defer close(done)
		buffer := make([]byte, 2048)
		for {
			n, from, err := connection.ReadFrom(buffer)
			if err != nil {
				return
			}
			var message dnsmessage.Message
			if err := message.Unpack(buffer[:n]); err != nil {
				continue
			}
			message.Response, message.Authoritative, message.Additionals = true, true, nil
			name := message.Questions[0].Name
			names = append(names, name.String())
			if body, ok := records[name.String()]; ok {
				kind := dnsmessage.TypeTXT
				if _, ok := body.(*dnsmessage.CNAMEResource); ok {
					kind = dnsmessage.TypeCNAME
				}
				message.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: name, Type: kind,
					Class: dnsmessage.ClassINET, TTL: 1}, Body: body}}
			} else {
				message.RCode = dnsmessage.RCodeNameError
			}
			if answer, err := message.Pack(); err == nil {
				_, _ = connection.WriteTo(answer, from) // whoever asked asks again
			}
		}
	}()
	stop := func() {
		connection.Close()
		<-done
	}
	t.Cleanup(stop)
	return connection.LocalAddr().String(), func() []string { stop(); return names }
}

func TestNamesAreAskedOfTheServerThatIsSet(t *testing.T) {
	address, asked := serveNames(t, map[string]dnsmessage.ResourceBody{
		"_recto.docs.example.org.": &dnsmessage.TXTResource{TXT: []string{"recto-site=abc"}},
		"help.example.org.":        &dnsmessage.CNAMEResource{CNAME: dnsmessage.MustNewName("acme.docs.test.")},
	})
	names := dns.NewResolver(address)
	if records, err := names.TXT(t.Context(), "_recto.docs.example.org"); err != nil || !slices.Equal(records,
		[]string{"recto-site=abc"}) {
		t.Errorf("the record: %q, %v", records, err)
	}
	if records, err := names.TXT(t.Context(), "_recto.other.example.org"); err != nil || len(records) != 0 {
		t.Errorf("a name without records: %q, %v", records, err)
	}
	if name, err := names.CNAME(t.Context(), "help.example.org"); err != nil || name != "acme.docs.test." {
		t.Errorf("what a name stands for: %q, %v", name, err)
	}
	if name, err := names.CNAME(t.Context(), "other.example.org"); err != nil || name != "" {
		t.Errorf("a name that is not there stands for %q, %v", name, err)
	}
	// Search domains of this machine are not tried: each name is asked for as it is.
	for _, name := range asked() {
		if !slices.Contains([]string{"_recto.docs.example.org.", "_recto.other.example.org.", "help.example.org.",
			"other.example.org."}, name) {
			t.Errorf("somebody asks for %s", name)
		}
	}
	nobody, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody.Close()
	if records, err := dns.NewResolver(nobody.LocalAddr().String()).TXT(t.Context(),
		"_recto.docs.example.org"); err == nil {
		t.Errorf("a server that is not there says %q", records)
	}
}

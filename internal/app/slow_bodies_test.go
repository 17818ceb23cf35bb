package app_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestSlowBodiesWithoutATokenDoNotStay opens many requests without a token whose bodies never come, at every part of
// the server, and wants each to be answered and its connection to end, or to be one of few that are waited for; and
// everybody else to be answered meanwhile.
func TestSlowBodiesWithoutATokenDoNotStay(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	space := s.Space("Guide")
	address, err := url.Parse(s.Base)
	if err != nil {
		t.Fatal(err)
	}
	targets := []string{
		"/v1/orgs/" + s.Organization + "/spaces", "/v1/spaces/" + space + "/content",
		"/v1/spaces/" + space + "/content/upload?name=x.zip",
		"/v1/nothing", "/sites/none/none/", "/integrations/none/x",
	}
	var mutex sync.Mutex
	statuses := map[int]int{}
	var all sync.WaitGroup
	for i := range 300 {
		all.Go(func() {
			conn, err := net.Dial("tcp", address.Host)
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			_, err = fmt.Fprintf(conn,
				"POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
				targets[i%len(targets)], address.Host)
			if err != nil {
				t.Error(err)
				return
			}
			_ = conn.SetReadDeadline(time.Now().Add(15 * time.Second)) // half of what a body without a name may take
			response, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Errorf("%s: no answer: %v", targets[i%len(targets)], err)
				return
			}
			response.Body.Close()
			mutex.Lock()
			defer mutex.Unlock()
			statuses[response.StatusCode]++
			if !response.Close {
				t.Errorf("%s: %d, and the connection stays", targets[i%len(targets)], response.StatusCode)
			}
		})
	}
	s.Call(http.MethodGet, "/v1/spaces/"+space, nil, http.StatusOK, nil)
	all.Wait()
	if statuses[http.StatusUnauthorized] == 0 || statuses[http.StatusOK] != 0 {
		t.Errorf("the answers are %v", statuses)
	}
	s.Call(http.MethodPatch, "/v1/spaces/"+space, `{"title":"Guide"}`, http.StatusOK, nil)
}

package site

// readers is what decides who may read a site, and at which hosts it answers.
type readers struct {
	visibility      Visibility
	hostname, proxy string
	adaptive        bool
	agents          AgentsContext
}

func (s Site) readers() readers {
	return readers{s.Visibility, s.Hostname, s.Proxy, s.AdaptiveContent, s.AgentsContext}
}

package trie

// Encode returns the encoding of a node as it is now, for tests that look for changes to shared nodes.
func (d Decoded) Encode() []byte { return d.node.encode() }

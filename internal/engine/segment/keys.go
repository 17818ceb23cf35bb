package segment

import "strconv"

// keyLength is how much of a hash names a unit in its page.
const keyLength = 12

// Keys names units within their page: the beginning of the hash of the text, with a number where a text comes again. A
// name stays as long as the text does.
func Keys(units []*Unit) []string {
	seen := map[string]int{}
	keys := make([]string, len(units))
	for i, unit := range units {
		key := unit.Hash()[:keyLength]
		seen[key]++
		if n := seen[key]; n > 1 {
			key += "-" + strconv.Itoa(n)
		}
		keys[i] = key
	}
	return keys
}

package customization

import "math/rand/v2"

// Random makes a customization of all that it may hold, as it is sent.
func Random(r *rand.Rand) map[string]any {
	return random(r, customizationShape).(map[string]any)
}

package site

import "math/rand/v2"

// RandomCustomization makes a customization of all that it may hold, as it is sent.
func RandomCustomization(r *rand.Rand) map[string]any {
	return random(r, customizationShape).(map[string]any)
}

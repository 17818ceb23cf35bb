package expr

import (
	"math"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
)

// numberMember is a method of a number; nil when numbers have none of that name.
func (e *evaluator) numberMember(f float64, name string) any {
	var run native
	switch name {
	case "toString":
		run = func(arguments []any) (any, error) {
			base, err := e.integer(arguments, 0, 10)
			if err != nil {
				return nil, err
			}
			return inBase(f, base)
		}
	case "toFixed":
		run = e.digits(name, 0, 0, func(digits int) string {
			if math.Abs(f) >= 1e21 {
				return formatNumber(f)
			}
			return fixed(f, digits)
		})
	case "toExponential":
		run = e.digits(name, 0, -1, func(digits int) string { return exponential(f, digits) })
	case "toPrecision":
		run = e.digits(name, 1, -1, func(digits int) string { return precise(f, digits) })
	default:
		return nil
	}
	return method(name, run)
}

// digits wraps the number methods that take a count of digits from least to 100.
func (e *evaluator) digits(name string, least, otherwise int, format func(int) string) native {
	return func(arguments []any) (any, error) {
		digits, err := e.integer(arguments, 0, float64(otherwise))
		if err != nil {
			return nil, err
		}
		if digits != float64(otherwise) && (digits < float64(least) || digits > 100) {
			return nil, errs.New(errs.Invalid, "%s takes %d to 100 digits", name, least)
		}
		return format(int(digits)), nil
	}
}

// inBase is Number.prototype.toString with a radix; fractions keep at most 52 digits.
func inBase(f, base float64) (any, error) {
	switch {
	case base < 2 || base > 36:
		return nil, errs.New(errs.Invalid, "toString takes a base from 2 to 36")
	case base == 10 || math.IsNaN(f) || math.IsInf(f, 0) || math.Abs(f) >= 1<<63:
		return formatNumber(f), nil
	}
	whole, fraction := math.Modf(math.Abs(f))
	out := strconv.FormatInt(int64(whole), int(base))
	if fraction > 0 {
		var digits strings.Builder
		for range 52 {
			fraction *= base
			digit := math.Floor(fraction)
			digits.WriteByte("0123456789abcdefghijklmnopqrstuvwxyz"[int(digit)])
			if fraction -= digit; fraction == 0 {
				break
			}
		}
		out += "." + strings.TrimRight(digits.String(), "0")
	}
	if f < 0 {
		out = "-" + out
	}
	return out, nil
}

func special(f float64) bool { return math.IsNaN(f) || math.IsInf(f, 0) }

func fixed(f float64, digits int) string {
	if special(f) {
		return formatNumber(f)
	}
	out := strconv.FormatFloat(f, 'f', digits, 64)
	if f == 0 {
		return strings.TrimPrefix(out, "-")
	}
	return out
}

func exponential(f float64, digits int) string {
	if special(f) {
		return formatNumber(f)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', digits, 64), "e")
	power := strings.TrimLeft(exponent[1:], "0")
	if power == "" {
		power = "0"
	}
	return mantissa + "e" + exponent[:1] + power
}

func precise(f float64, digits int) string {
	if digits < 0 || special(f) {
		return formatNumber(f)
	}
	_, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', digits-1, 64), "e")
	power, _ := strconv.Atoi(exponent)
	if power < -6 || power >= digits {
		return exponential(f, digits-1)
	}
	return strconv.FormatFloat(f, 'f', digits-1-power, 64)
}

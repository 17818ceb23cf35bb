package expr

import (
	"math"
	"math/big"
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
	if special(f) && (name == "toExponential" || name == "toPrecision") {
		run = func([]any) (any, error) { return formatNumber(f), nil }
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

// inBase is Number.prototype.toString with a radix: as many digits of a fraction as tell the number from its
// neighbours, which the standard leaves to the engine.
func inBase(f, base float64) (any, error) {
	switch {
	case base < 2 || base > 36:
		return nil, errs.New(errs.Invalid, "toString takes a base from 2 to 36")
	case base == 10 || special(f):
		return formatNumber(f), nil
	}
	whole, fraction := math.Modf(math.Abs(f))
	var digits []byte
	// Half of the distance to the next number: a fraction below it is no more than the last digit says.
	precision := math.Max((math.Nextafter(math.Abs(f), math.Inf(1))-math.Abs(f))/2, math.SmallestNonzeroFloat64)
	for fraction >= precision {
		fraction *= base
		precision *= base
		digit := math.Floor(fraction)
		digits = append(digits, byte(digit))
		fraction -= digit
		if (fraction > 0.5 || fraction == 0.5 && int(digit)%2 == 1) && fraction+precision > 1 {
			var overflowed bool
			if digits, overflowed = roundUp(digits, byte(base)); overflowed {
				whole++
			}
			break
		}
	}
	exact, _ := big.NewFloat(whole).Int(nil)
	out := exact.Text(int(base))
	if len(digits) > 0 {
		out += "."
		for _, digit := range digits {
			out += strconv.FormatInt(int64(digit), int(base))
		}
	}
	if f < 0 {
		out = "-" + out
	}
	return out, nil
}

// roundUp adds one to the last digit; carried says that it went beyond the first.
func roundUp(digits []byte, base byte) (_ []byte, overflowed bool) {
	for len(digits) > 0 {
		if last := &digits[len(digits)-1]; *last+1 < base {
			*last++
			return digits, false
		}
		digits = digits[:len(digits)-1]
	}
	return digits, true
}

func special(f float64) bool { return math.IsNaN(f) || math.IsInf(f, 0) }

// rounded writes a number with digits after the point, -1 for as many as needed. Of two that are equally near it takes
// the larger magnitude, as ECMA-262 says; strconv takes the even one.
func rounded(f float64, format byte, digits int) string {
	if f == 0 {
		f = 0 // without a sign
	}
	if digits >= 0 {
		further := strconv.FormatFloat(f, format, digits+1, 64)
		mantissa, _, _ := strings.Cut(further, "e")
		exact, _ := new(big.Rat).SetString(further)
		if strings.HasSuffix(mantissa, "5") && exact.Cmp(new(big.Rat).SetFloat64(f)) == 0 {
			f = math.Nextafter(f, math.Copysign(math.Inf(1), f))
		}
	}
	return strconv.FormatFloat(f, format, digits, 64)
}

func fixed(f float64, digits int) string {
	if special(f) {
		return formatNumber(f)
	}
	return rounded(f, 'f', digits)
}

func exponential(f float64, digits int) string {
	mantissa, exponent, _ := strings.Cut(rounded(f, 'e', digits), "e")
	power := strings.TrimLeft(exponent[1:], "0")
	if power == "" {
		power = "0"
	}
	return mantissa + "e" + exponent[:1] + power
}

func precise(f float64, digits int) string {
	if digits < 0 {
		return formatNumber(f)
	}
	_, exponent, _ := strings.Cut(rounded(f, 'e', digits-1), "e")
	power, _ := strconv.Atoi(exponent)
	if power < -6 || power >= digits {
		return exponential(f, digits-1)
	}
	return rounded(f, 'f', digits-1-power)
}

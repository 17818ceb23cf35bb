package expr

import (
	"math"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
)

// listMember is a property of a list.
func (e *evaluator) listMember(list []any, name string) any {
	if name == "length" {
		return float64(len(list))
	}
	if i, ok := index(name); ok {
		if i < len(list) {
			return normal(list[i])
		}
		return Undefined{}
	}
	run, ok := e.listMethod(list, name)
	if !ok {
		return Undefined{}
	}
	return method(name, func(arguments []any) (any, error) {
		if err := e.charge(len(list)); err != nil {
			return nil, err
		}
		return run(arguments)
	})
}

// listMethod finds a method of Array.prototype.
func (e *evaluator) listMethod(list []any, name string) (native, bool) {
	switch name {
	case "includes", "indexOf", "lastIndexOf":
		return e.position(list, name), true
	case "every", "some", "find", "findIndex", "findLast", "findLastIndex", "filter", "map", "flatMap", "forEach":
		return e.iterate(list, name), true
	case "reduce", "reduceRight":
		return e.reduce(list, name), true
	case "sort", "toSorted":
		return e.sort(list), true
	case "reverse", "toReversed":
		return func([]any) (any, error) { return reversed(list), e.grown(len(list)) }, true
	case "at":
		return func(arguments []any) (any, error) {
			position, err := e.integer(arguments, 0, 0)
			if err != nil {
				return nil, err
			}
			if position < 0 {
				position += float64(len(list))
			}
			if position < 0 || position >= float64(len(list)) {
				return Undefined{}, nil
			}
			return normal(list[int(position)]), nil
		}, true
	case "slice":
		return func(arguments []any) (any, error) {
			from, err := e.integer(arguments, 0, 0)
			if err != nil {
				return nil, err
			}
			to, err := e.integer(arguments, 1, float64(len(list)))
			if err != nil {
				return nil, err
			}
			a, b := relative(from, len(list)), relative(to, len(list))
			return slices.Clone(list[a:max(a, b)]), e.grown(max(b-a, 0))
		}, true
	case "concat":
		return e.concat(list), true
	case "flat":
		return e.flat(list), true
	case "join":
		return func(arguments []any) (any, error) {
			separator := ","
			if given(arguments, 0) {
				var err error
				if separator, err = e.text(argument(arguments, 0)); err != nil {
					return nil, err
				}
			}
			if float64(len(separator))*float64(len(list)) > float64(e.limits.Text) {
				return nil, errs.New(errs.TooLarge, "the expression makes a text longer than %d bytes", e.limits.Text)
			}
			return e.join(list, separator, 0)
		}, true
	}
	return e.changing(list, name)
}

// changing finds the methods that change their list in JavaScript. Here they return what they would and leave it.
func (e *evaluator) changing(list []any, name string) (native, bool) {
	switch name {
	case "push", "unshift":
		return func(arguments []any) (any, error) { return float64(len(list) + len(arguments)), nil }, true
	case "pop":
		return func([]any) (any, error) { return argument(list, max(len(list)-1, 0)), nil }, true
	case "shift":
		return func([]any) (any, error) { return argument(list, 0), nil }, true
	case "with":
		return func(arguments []any) (any, error) {
			position, err := e.integer(arguments, 0, 0)
			if err != nil {
				return nil, err
			}
			if position < 0 {
				position += float64(len(list))
			}
			if position < 0 || position >= float64(len(list)) {
				return nil, errs.New(errs.Invalid, "with needs a position inside the list")
			}
			out := slices.Clone(list)
			out[int(position)] = argument(arguments, 1)
			return out, e.grown(len(out))
		}, true
	}
	if m := objectMethod(name); m != nil {
		return func(arguments []any) (any, error) { return m(e, list, arguments) }, true
	}
	return nil, false
}

func reversed(list []any) []any {
	out := slices.Clone(list)
	slices.Reverse(out)
	return out
}

// position is includes, indexOf and lastIndexOf: whether and where a list has a value, from a place on.
func (e *evaluator) position(list []any, name string) native {
	return func(arguments []any) (any, error) {
		sought := argument(arguments, 0)
		if name == "lastIndexOf" {
			last := float64(len(list) - 1)
			if len(arguments) > 1 {
				// Here, unlike elsewhere, an undefined argument is one.
				place, err := e.number(argument(arguments, 1))
				if err != nil {
					return nil, err
				}
				if place = truncated(place); place < 0 {
					place += float64(len(list))
				}
				last = min(last, place)
			}
			for i := int(max(last, -1)); i >= 0; i-- {
				if strictEqual(normal(list[i]), sought) {
					return float64(i), nil
				}
			}
			return -1.0, nil
		}
		from, err := e.integer(arguments, 1, 0)
		if err != nil {
			return nil, err
		}
		start := relative(from, len(list))
		if name == "includes" {
			return e.contains(list[start:], sought)
		}
		for i := start; i < len(list); i++ {
			if strictEqual(normal(list[i]), sought) {
				return float64(i), nil
			}
		}
		return -1.0, nil
	}
}

// callback is the function argument of a list method.
func callback(arguments []any, name string) (*callable, error) {
	function, ok := argument(arguments, 0).(*callable)
	if !ok {
		return nil, errs.New(errs.Invalid, "%s needs a function: list.%s(x => …)", name, name)
	}
	return function, nil
}

func (e *evaluator) iterate(list []any, name string) native {
	return func(arguments []any) (any, error) {
		function, err := callback(arguments, name)
		if err != nil {
			return nil, err
		}
		out := []any{}
		for step := range list {
			i := step
			if name == "findLast" || name == "findLastIndex" {
				i = len(list) - 1 - step
			}
			element := normal(list[i])
			value, err := e.invoke(function, []any{element, float64(i), list})
			if err != nil {
				return nil, err
			}
			done := false
			if out, done = collect(out, name, element, value); done {
				return outcome(name, element, float64(i), true), nil
			}
			if len(out) > e.limits.Elements {
				break
			}
		}
		switch name {
		case "map", "filter", "flatMap":
			return out, e.grown(len(out))
		case "forEach":
			return Undefined{}, nil
		}
		return outcome(name, Undefined{}, -1, false), nil
	}
}

// collect gathers what a callback said about one element; done means that the answer is known.
func collect(out []any, name string, element, value any) (_ []any, done bool) {
	switch name {
	case "map":
		return append(out, value), false
	case "filter":
		if truthy(value) {
			out = append(out, element)
		}
		return out, false
	case "flatMap":
		if inner, ok := value.([]any); ok {
			return append(out, inner...), false
		}
		return append(out, value), false
	case "every":
		return out, !truthy(value)
	case "forEach":
		return out, false
	}
	return out, truthy(value)
}

// outcome is what a searching method returns when its answer is known, and when the list ended before.
func outcome(name string, element any, position float64, known bool) any {
	switch name {
	case "every":
		return !known
	case "some":
		return known
	case "findIndex", "findLastIndex":
		return position
	}
	return element
}

func (e *evaluator) reduce(list []any, name string) native {
	return func(arguments []any) (any, error) {
		function, err := callback(arguments, name)
		if err != nil {
			return nil, err
		}
		place := func(step int) int {
			if name == "reduceRight" {
				return len(list) - 1 - step
			}
			return step
		}
		from := 0
		var accumulated any
		if len(arguments) > 1 {
			accumulated = argument(arguments, 1)
		} else {
			if len(list) == 0 {
				return nil, errs.New(errs.Invalid, "%s of an empty list needs a first value", name)
			}
			accumulated, from = normal(list[place(0)]), 1
		}
		for step := from; step < len(list); step++ {
			i := place(step)
			accumulated, err = e.invoke(function, []any{accumulated, normal(list[i]), float64(i), list})
			if err != nil {
				return nil, err
			}
		}
		return accumulated, nil
	}
}

// sort orders a copy: by text, or by what a function says. A comparison that fails ends it.
func (e *evaluator) sort(list []any) native {
	return func(arguments []any) (any, error) {
		out := slices.Clone(list)
		var failure error
		compare := func(a, b any) int {
			if failure != nil {
				return 0
			}
			order, err := e.order(normal(a), normal(b), argument(arguments, 0))
			failure = err
			return order
		}
		slices.SortStableFunc(out, compare)
		if failure != nil {
			return nil, failure
		}
		return out, e.grown(len(out))
	}
}

func (e *evaluator) order(a, b, by any) (int, error) {
	if function, ok := by.(*callable); ok {
		value, err := e.invoke(function, []any{a, b})
		if err != nil {
			return 0, err
		}
		f, err := e.number(value)
		if err != nil {
			return 0, err
		}
		switch {
		case f < 0:
			return -1, nil
		case f > 0:
			return 1, nil
		}
		return 0, nil
	}
	// Undefined elements go last.
	_, aUndefined := a.(Undefined)
	_, bUndefined := b.(Undefined)
	if aUndefined || bUndefined {
		return bool01(aUndefined) - bool01(bUndefined), nil
	}
	x, err := e.text(a)
	if err != nil {
		return 0, err
	}
	y, err := e.text(b)
	if err != nil {
		return 0, err
	}
	return slices.Compare(units(x), units(y)), e.charge(len(x) + len(y))
}

func bool01(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (e *evaluator) concat(list []any) native {
	return func(arguments []any) (any, error) {
		out := slices.Clone(list)
		for i := range arguments {
			value := argument(arguments, i)
			if more, ok := value.([]any); ok {
				out = append(out, more...)
			} else {
				out = append(out, value)
			}
			if err := e.grown(len(out)); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
}

func (e *evaluator) flat(list []any) native {
	return func(arguments []any) (any, error) {
		depth, err := e.integer(arguments, 0, 1)
		if err != nil {
			return nil, err
		}
		out, err := e.flatten(nil, list, int(math.Min(depth, 16)))
		if err != nil {
			return nil, err
		}
		return out, e.grown(len(out))
	}
}

func (e *evaluator) flatten(out, list []any, depth int) ([]any, error) {
	if out == nil {
		out = []any{}
	}
	for _, element := range list {
		element = normal(element)
		inner, ok := element.([]any)
		if !ok || depth < 1 {
			out = append(out, element)
		} else {
			var err error
			if out, err = e.flatten(out, inner, depth-1); err != nil {
				return nil, err
			}
		}
		if len(out) > e.limits.Elements {
			return nil, e.grown(len(out))
		}
	}
	return out, nil
}

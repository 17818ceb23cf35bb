package script

import (
	"errors"
	"reflect"
	"sync/atomic"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/libquickjs"
	"modernc.org/quickjs"
)

// raw is what modernc.org/quickjs keeps to itself and this package cannot do without, for four reasons. Its
// EvalBytecode waits for a module without an end when the module awaits something at its top, it looks at its clock
// once in 10,000 looks, which are minutes when each of them is behind a function that takes long, it does not say
// how much memory it has taken, and what it writes into the stack of an error is not what scripts look for there. A
// test holds that the fields are where they are looked for.
type raw struct {
	tls     *libc.TLS
	context uintptr
}

// rawOf reaches into an engine.
func rawOf(vm *quickjs.VM) (raw, error) {
	state := reflect.ValueOf(vm).Elem().FieldByName("state")
	if !state.IsValid() {
		return raw{}, errors.New("quickjs: a VM has no state")
	}
	context, runtime := state.FieldByName("cContext"), state.FieldByName("runtime")
	if !context.IsValid() || context.Kind() != reflect.Uintptr || runtime.Kind() != reflect.Pointer {
		return raw{}, errors.New("quickjs: a VM has no context")
	}
	tls := runtime.Elem().FieldByName("tls")
	if !tls.IsValid() || tls.Type() != reflect.TypeFor[*libc.TLS]() {
		return raw{}, errors.New("quickjs: a VM has no thread")
	}
	return raw{(*libc.TLS)(tls.UnsafePointer()), uintptr(context.Uint())}, nil
}

// evaluate begins to evaluate a module. The promise of its end is that of an import of it. It is called by JavaScript,
// so that the limits of that call hold.
func (r raw) evaluate(code []byte) error {
	text, err := libc.CString(string(code))
	if err != nil {
		return err
	}
	defer libc.Xfree(r.tls, text)
	module := lib.XJS_ReadObject(r.tls, r.context, text, lib.Tsize_t(len(code)), lib.MJS_READ_OBJ_BYTECODE)
	if lib.XJS_HasException(r.tls, r.context) != 0 {
		return r.exception()
	}
	if lib.XJS_ResolveModule(r.tls, r.context, module) < 0 {
		lib.XFreeValue(r.tls, r.context, module)
		return r.exception()
	}
	promise := lib.XJS_EvalFunction(r.tls, r.context, module)
	if lib.XJS_HasException(r.tls, r.context) != 0 {
		return r.exception()
	}
	lib.XFreeValue(r.tls, r.context, promise)
	return nil
}

// exception drops the exception that is there: an import of the module throws it again, or the call was interrupted.
func (r raw) exception() error {
	lib.XFreeValue(r.tls, r.context, lib.XJS_GetException(r.tls, r.context))
	return errors.New("Error: the module cannot be evaluated")
}

// places is what the engine calls the property with the places of an error, once it is not "stack".
const places = "place"

// freeStack lets the engine write the places of an error into a property of another name, so that the layer says what
// "stack" is, of errors that the engine throws by itself as well. It belongs before anything is compiled or run: in
// what was compiled earlier, "stack" means the other one.
func (r raw) freeStack() error {
	context := *(**lib.TJSContext)(unsafe.Pointer(&r.context))
	runtime := *(**lib.TJSRuntime)(unsafe.Pointer(&context.Frt))
	if runtime.Fatom_count <= lib.EJS_ATOM_stack {
		return errors.New("quickjs: there is no name for stacks")
	}
	// The names that the engine knows stand in a list, each as a text behind three numbers. Its hash stays that of the
	// old text: whoever looks for either text does not find it.
	names := unsafe.Slice(*(***lib.TJSString)(unsafe.Pointer(&runtime.Fatom_array)), lib.EJS_ATOM_stack+1)
	name := names[lib.EJS_ATOM_stack]
	text := unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(name), unsafe.Sizeof(*name))), len(places)+1)
	if name.F__ccgo0 != uint32(len(places)) || string(text) != "stack\x00" {
		return errors.New("quickjs: the name for stacks is not where it was")
	}
	copy(text, places)
	return nil
}

// hurry makes the engine look at its clock at its next look. It may be called while the engine runs.
func (r raw) hurry() {
	context := *(**lib.TJSContext)(unsafe.Pointer(&r.context))
	atomic.StoreInt32(&context.Finterrupt_counter, 0)
}

// size is how much memory the engine has taken, in bytes. It must not run.
func (r raw) size() int64 {
	context := *(**lib.TJSContext)(unsafe.Pointer(&r.context))
	runtime := *(**lib.TJSRuntime)(unsafe.Pointer(&context.Frt))
	return int64(runtime.Fmalloc_ctx.Fmalloc_state.Fmalloc_size)
}

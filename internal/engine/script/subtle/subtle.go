// Package subtle is the arithmetic of the Web Cryptography API, by the packages crypto of Go.
//
// A key is bytes: a secret one raw, a private one as PKCS #8, a public one as SPKI. Nothing is kept between two
// operations. Errors begin with the name that they have in the API, as "OperationError: …". What would run for long is
// bounded: RSA keys have at most 4096 bits, and PBKDF2 at most a million rounds.
package subtle

import (
	"crypto"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	_ "crypto/sha1" // SHA-1 is one of the API's hashes.
	_ "crypto/sha256"
	_ "crypto/sha512"
	"crypto/x509"
	"errors"
	"fmt"
)

// Bounds of what would run for long.
const (
	maxModulus    = 4096
	maxIterations = 1_000_000
	maxDerived    = 1 << 20
)

// Algorithm is what an operation is asked to do, and how. Only the fields of its name count.
type Algorithm struct {
	Name        string `json:"name"`
	Hash        string `json:"hash,omitempty"`
	Curve       string `json:"namedCurve,omitempty"`
	Length      int    `json:"length,omitempty"`
	Modulus     int    `json:"modulusLength,omitempty"`
	Exponent    []byte `json:"publicExponent,omitempty"`
	IV          []byte `json:"iv,omitempty"`
	Additional  []byte `json:"additionalData,omitempty"`
	TagLength   *int   `json:"tagLength,omitempty"`
	Counter     []byte `json:"counter,omitempty"`
	Salt        []byte `json:"salt,omitempty"`
	SaltLength  int    `json:"saltLength,omitempty"`
	Info        []byte `json:"info,omitempty"`
	Iterations  int    `json:"iterations,omitempty"`
	Label       []byte `json:"label,omitempty"`
	Public      []byte `json:"public,omitempty"`
	PublicCurve string `json:"publicCurve,omitempty"`
}

// Key is a key that was imported or made.
type Key struct {
	// Kind is secret, private or public.
	Kind string `json:"type"`
	Data []byte `json:"data"`
	// Length is that of a secret key and of a modulus, in bits, and Exponent the public one.
	Length   int    `json:"length,omitempty"`
	Exponent []byte `json:"exponent,omitempty"`
}

// Kinds of keys.
const (
	secret  = "secret"
	private = "private"
	public  = "public"
)

var hashes = map[string]crypto.Hash{
	"SHA-1": crypto.SHA1, "SHA-256": crypto.SHA256, "SHA-384": crypto.SHA384, "SHA-512": crypto.SHA512,
}

var curves = map[string]elliptic.Curve{
	"P-256": elliptic.P256(), "P-384": elliptic.P384(), "P-521": elliptic.P521(),
}

func operation(format string, args ...any) error {
	return fmt.Errorf("OperationError: "+format, args...)
}

func data(format string, args ...any) error { return fmt.Errorf("DataError: "+format, args...) }

func unsupported(format string, args ...any) error {
	return fmt.Errorf("NotSupportedError: "+format, args...)
}

func hashOf(name string) (crypto.Hash, error) {
	hash, ok := hashes[name]
	if !ok {
		return 0, unsupported("there is no hash %.40q", name)
	}
	return hash, nil
}

func sum(hash crypto.Hash, bytes []byte) []byte {
	h := hash.New()
	h.Write(bytes)
	return h.Sum(nil)
}

// Digest returns the hash of bytes.
func Digest(name string, bytes []byte) ([]byte, error) {
	hash, err := hashOf(name)
	if err != nil {
		return nil, err
	}
	return sum(hash, bytes), nil
}

// Generate makes a key, or the private and the public one of a pair.
func Generate(a Algorithm) ([]Key, error) {
	switch a.Name {
	case "HMAC", "AES-GCM", "AES-CBC", "AES-CTR", "AES-KW":
		length, err := secretLength(a)
		if err != nil {
			return nil, err
		}
		bytes := make([]byte, (length+7)/8)
		_, _ = rand.Read(bytes)
		return []Key{{Kind: secret, Data: bytes, Length: length}}, nil
	}
	made, err := pair(a)
	if err != nil {
		return nil, err
	}
	one, err := privateKey(made)
	if err != nil {
		return nil, err
	}
	other, err := publicKey(publicOf(made))
	return []Key{one, other}, err
}

// secretLength returns the length of a secret key in bits.
func secretLength(a Algorithm) (int, error) {
	if a.Name != "HMAC" {
		if a.Length != 128 && a.Length != 192 && a.Length != 256 {
			return 0, operation("a key for %s has 128, 192 or 256 bits", a.Name)
		}
		return a.Length, nil
	}
	hash, err := hashOf(a.Hash)
	switch {
	case err != nil:
		return 0, err
	case a.Length == 0:
		return hash.New().BlockSize() * 8, nil
	case a.Length < 0 || a.Length > 1<<16 || a.Length%8 != 0:
		return 0, operation("a key for HMAC has whole bytes")
	}
	return a.Length, nil
}

func pair(a Algorithm) (crypto.PrivateKey, error) {
	switch a.Name {
	case "RSASSA-PKCS1-v1_5", "RSA-PSS", "RSA-OAEP":
		if a.Modulus < 1024 || a.Modulus > maxModulus || a.Modulus%8 != 0 {
			return nil, operation("a modulus has from 1024 to %d bits", maxModulus)
		}
		if string(a.Exponent) != "\x01\x00\x01" {
			return nil, operation("the public exponent is 65537")
		}
		return refused(rsa.GenerateKey(rand.Reader, a.Modulus))
	case "ECDSA":
		curve, ok := curves[a.Curve]
		if !ok {
			return nil, unsupported("there is no curve %.40q", a.Curve)
		}
		return refused(ecdsa.GenerateKey(curve, rand.Reader))
	case "ECDH", "X25519":
		curve, err := exchange(a)
		if err != nil {
			return nil, err
		}
		return refused(curve.GenerateKey(rand.Reader))
	case "Ed25519":
		_, key, err := ed25519.GenerateKey(rand.Reader)
		return refused(key, err)
	}
	return nil, unsupported("no key can be made for %.40q", a.Name)
}

// refused names an error of Go as one of an operation.
func refused[T any](value T, err error) (T, error) {
	if err != nil {
		err = operation("%v", err)
	}
	return value, err
}

func exchange(a Algorithm) (ecdh.Curve, error) {
	if a.Name == "X25519" {
		return ecdh.X25519(), nil
	}
	switch a.Curve {
	case "P-256":
		return ecdh.P256(), nil
	case "P-384":
		return ecdh.P384(), nil
	case "P-521":
		return ecdh.P521(), nil
	}
	return nil, unsupported("there is no curve %.40q", a.Curve)
}

func publicOf(key crypto.PrivateKey) crypto.PublicKey {
	if signer, ok := key.(interface{ Public() crypto.PublicKey }); ok {
		return signer.Public()
	}
	return nil
}

func privateKey(key crypto.PrivateKey) (Key, error) {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return Key{}, data("%v", err)
	}
	return described(Key{Kind: private, Data: der}, publicOf(key)), nil
}

func publicKey(key crypto.PublicKey) (Key, error) {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return Key{}, data("%v", err)
	}
	return described(Key{Kind: public, Data: der}, key), nil
}

// described adds what the API tells of a key.
func described(k Key, key crypto.PublicKey) Key {
	if known, ok := key.(*rsa.PublicKey); ok {
		k.Length, k.Exponent = known.N.BitLen(), exponent(known.E)
	}
	return k
}

func exponent(e int) []byte {
	var bytes []byte
	for ; e > 0; e >>= 8 {
		bytes = append([]byte{byte(e)}, bytes...)
	}
	return bytes
}

// parsePrivate reads a private key that fits an algorithm.
func parsePrivate(a Algorithm, der []byte) (crypto.PrivateKey, error) {
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, data("the key is no PKCS #8 that can be read")
	}
	if known, ok := key.(*ecdsa.PrivateKey); ok && a.Name == "ECDH" {
		if key, err = known.ECDH(); err != nil {
			return nil, data("the key is of no curve that is known")
		}
	}
	if known, ok := key.(*rsa.PrivateKey); ok && known.N.BitLen() > maxModulus {
		return nil, data("a modulus has at most %d bits", maxModulus)
	}
	return key, fits(a, publicOf(key))
}

// parsePublic reads a public key that fits an algorithm.
func parsePublic(a Algorithm, der []byte) (crypto.PublicKey, error) {
	key, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return nil, data("the key is no SPKI that can be read")
	}
	if known, ok := key.(*ecdsa.PublicKey); ok && a.Name == "ECDH" {
		if key, err = known.ECDH(); err != nil {
			return nil, data("the key is of no curve that is known")
		}
	}
	if known, ok := key.(*rsa.PublicKey); ok && known.N.BitLen() > maxModulus {
		return nil, data("a modulus has at most %d bits", maxModulus)
	}
	return key, fits(a, key)
}

var errFit = errors.New("DataError: the key is not one of the algorithm")

// fits checks that a key is one of an algorithm and its curve.
func fits(a Algorithm, key crypto.PublicKey) error {
	ok := false
	switch known := key.(type) {
	case *rsa.PublicKey:
		ok = a.Name == "RSASSA-PKCS1-v1_5" || a.Name == "RSA-PSS" || a.Name == "RSA-OAEP"
	case *ecdsa.PublicKey:
		ok = a.Name == "ECDSA" && known.Curve.Params().Name == a.Curve
	case ed25519.PublicKey:
		ok = a.Name == "Ed25519"
	case *ecdh.PublicKey:
		curve, err := exchange(a)
		ok = err == nil && known.Curve() == curve
	}
	if !ok {
		return errFit
	}
	return nil
}

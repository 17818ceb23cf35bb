package subtle

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/rsa"
	"encoding/binary"
	"math/big"
)

// Sign signs bytes with a secret or a private key.
func Sign(a Algorithm, key, message []byte) ([]byte, error) {
	if a.Name == "HMAC" {
		hash, err := hashOf(a.Hash)
		if err != nil {
			return nil, err
		}
		mac := hmac.New(hash.New, key)
		mac.Write(message)
		return mac.Sum(nil), nil
	}
	parsed, err := parsePrivate(a, key)
	if err != nil {
		return nil, err
	}
	switch k := parsed.(type) {
	case ed25519.PrivateKey:
		return ed25519.Sign(k, message), nil
	case *rsa.PrivateKey:
		hash, err := hashOf(a.Hash)
		if err != nil {
			return nil, err
		}
		if a.Name == "RSA-PSS" {
			if a.SaltLength < 1 {
				return nil, unsupported("a salt of %d bytes", a.SaltLength)
			}
			options := &rsa.PSSOptions{SaltLength: a.SaltLength, Hash: hash}
			return refused(rsa.SignPSS(rand.Reader, k, hash, sum(hash, message), options))
		}
		return refused(rsa.SignPKCS1v15(nil, k, hash, sum(hash, message)))
	case *ecdsa.PrivateKey:
		hash, err := hashOf(a.Hash)
		if err != nil {
			return nil, err
		}
		r, s, err := ecdsa.Sign(rand.Reader, k, sum(hash, message))
		if err != nil {
			return nil, operation("%v", err)
		}
		size := (k.Curve.Params().BitSize + 7) / 8
		return append(r.FillBytes(make([]byte, size)), s.FillBytes(make([]byte, size))...), nil
	}
	return nil, unsupported("%.40q does not sign", a.Name)
}

// Verify reports whether a signature is that of bytes.
func Verify(a Algorithm, key, signature, message []byte) (bool, error) {
	if a.Name == "HMAC" {
		made, err := Sign(a, key, message)
		return err == nil && hmac.Equal(made, signature), err
	}
	parsed, err := parsePublic(a, key)
	if err != nil {
		return false, err
	}
	if k, ok := parsed.(ed25519.PublicKey); ok {
		return ed25519.Verify(k, message, signature), nil
	}
	hash, err := hashOf(a.Hash)
	if err != nil {
		return false, err
	}
	digest := sum(hash, message)
	switch k := parsed.(type) {
	case *rsa.PublicKey:
		if a.Name == "RSA-PSS" {
			if a.SaltLength < 1 {
				return false, unsupported("a salt of %d bytes", a.SaltLength)
			}
			options := &rsa.PSSOptions{SaltLength: a.SaltLength}
			return rsa.VerifyPSS(k, hash, digest, signature, options) == nil, nil
		}
		return rsa.VerifyPKCS1v15(k, hash, digest, signature) == nil, nil
	case *ecdsa.PublicKey:
		size := (k.Curve.Params().BitSize + 7) / 8
		if len(signature) != 2*size {
			return false, nil
		}
		r, s := new(big.Int).SetBytes(signature[:size]), new(big.Int).SetBytes(signature[size:])
		return ecdsa.Verify(k, digest, r, s), nil
	}
	return false, unsupported("%.40q does not verify", a.Name)
}

// Encrypt encrypts bytes.
func Encrypt(a Algorithm, key, message []byte) ([]byte, error) {
	switch a.Name {
	case "RSA-OAEP":
		parsed, err := parsePublic(a, key)
		if err != nil {
			return nil, err
		}
		hash, err := hashOf(a.Hash)
		if err != nil {
			return nil, err
		}
		return refused(rsa.EncryptOAEP(hash.New(), rand.Reader, parsed.(*rsa.PublicKey), message, a.Label))
	case "AES-GCM":
		gcm, err := gcmOf(a, key)
		if err != nil {
			return nil, err
		}
		return gcm.Seal(nil, a.IV, message, a.Additional), nil
	case "AES-CBC":
		block, err := blockOf(a, key, a.IV)
		if err != nil {
			return nil, err
		}
		pad := aes.BlockSize - len(message)%aes.BlockSize
		padded := append(bytes.Clone(message), bytes.Repeat([]byte{byte(pad)}, pad)...)
		cipher.NewCBCEncrypter(block, a.IV).CryptBlocks(padded, padded)
		return padded, nil
	case "AES-CTR":
		return counted(a, key, message)
	}
	return nil, unsupported("%.40q does not encrypt", a.Name)
}

// Decrypt decrypts bytes.
func Decrypt(a Algorithm, key, message []byte) ([]byte, error) {
	switch a.Name {
	case "RSA-OAEP":
		parsed, err := parsePrivate(a, key)
		if err != nil {
			return nil, err
		}
		hash, err := hashOf(a.Hash)
		if err != nil {
			return nil, err
		}
		return refused(rsa.DecryptOAEP(hash.New(), nil, parsed.(*rsa.PrivateKey), message, a.Label))
	case "AES-GCM":
		gcm, err := gcmOf(a, key)
		if err != nil {
			return nil, err
		}
		return refused(gcm.Open(nil, a.IV, message, a.Additional))
	case "AES-CBC":
		block, err := blockOf(a, key, a.IV)
		if err != nil {
			return nil, err
		}
		if len(message) == 0 || len(message)%aes.BlockSize != 0 {
			return nil, operation("the bytes are no whole blocks")
		}
		plain := bytes.Clone(message)
		cipher.NewCBCDecrypter(block, a.IV).CryptBlocks(plain, plain)
		pad := int(plain[len(plain)-1])
		if pad == 0 || pad > aes.BlockSize || !bytes.HasSuffix(plain, bytes.Repeat([]byte{byte(pad)}, pad)) {
			return nil, operation("the bytes cannot be decrypted")
		}
		return plain[:len(plain)-pad], nil
	case "AES-CTR":
		return counted(a, key, message)
	}
	return nil, unsupported("%.40q does not decrypt", a.Name)
}

func gcmOf(a Algorithm, key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, operation("%v", err)
	}
	tag := 128
	if a.TagLength != nil {
		tag = *a.TagLength
	}
	switch {
	case len(a.IV) == 0:
		return nil, operation("the iv is empty")
	case tag == 128:
		return refused(cipher.NewGCMWithNonceSize(block, len(a.IV)))
	case len(a.IV) != 12 || tag < 96 || tag > 128 || tag%8 != 0:
		return nil, unsupported("a tag of %d bits with an iv of %d bytes", tag, len(a.IV))
	}
	return refused(cipher.NewGCMWithTagSize(block, tag/8))
}

func blockOf(_ Algorithm, key, iv []byte) (cipher.Block, error) {
	if len(iv) != aes.BlockSize {
		return nil, operation("the iv or the counter has not %d bytes", aes.BlockSize)
	}
	return refused(aes.NewCipher(key))
}

// counted is AES-CTR, which is the same both ways. The counter is the last bits of its block; it may not begin anew.
func counted(a Algorithm, key, message []byte) ([]byte, error) {
	block, err := blockOf(a, key, a.Counter)
	if err != nil {
		return nil, err
	}
	if a.Length < 1 || a.Length > 128 {
		return nil, operation("the counter has from 1 to 128 bits")
	}
	all := new(big.Int).Lsh(big.NewInt(1), uint(a.Length))
	first := new(big.Int).Mod(new(big.Int).SetBytes(a.Counter), all)
	blocks := big.NewInt(int64((len(message) + aes.BlockSize - 1) / aes.BlockSize))
	if first.Add(first, blocks).Cmp(all) > 0 {
		return nil, operation("the counter has too few bits for that many bytes")
	}
	made := make([]byte, len(message))
	cipher.NewCTR(block, a.Counter).XORKeyStream(made, message)
	return made, nil
}

// Derive derives bits of a secret, or of a private key and the public one of somebody else.
func Derive(a Algorithm, key []byte, bits int) ([]byte, error) {
	if bits < 0 || bits%8 != 0 || bits > maxDerived*8 {
		return nil, operation("that many bits cannot be derived")
	}
	switch a.Name {
	case "PBKDF2":
		hash, err := hashOf(a.Hash)
		if err != nil {
			return nil, err
		}
		if a.Iterations < 1 || a.Iterations*(bits/8/hash.Size()+1) > maxIterations {
			return nil, operation("the number of rounds is from 1 to %d", maxIterations)
		}
		return refused(pbkdf2.Key(hash.New, string(key), a.Salt, a.Iterations, bits/8))
	case "HKDF":
		hash, err := hashOf(a.Hash)
		if err != nil {
			return nil, err
		}
		return refused(hkdf.Key(hash.New, key, a.Salt, string(a.Info), bits/8))
	case "ECDH", "X25519":
		mine, err := parsePrivate(a, key)
		if err != nil {
			return nil, err
		}
		other, err := parsePublic(a, a.Public)
		if err != nil {
			return nil, err
		}
		shared, err := mine.(*ecdh.PrivateKey).ECDH(other.(*ecdh.PublicKey))
		if err != nil {
			return nil, operation("%v", err)
		}
		switch {
		case bits == 0:
			return shared, nil
		case bits/8 > len(shared):
			return nil, operation("that many bits cannot be derived")
		}
		return shared[:bits/8], nil
	}
	return nil, unsupported("nothing can be derived by %.40q", a.Name)
}

// wrapIV is the check of AES-KW, see RFC 3394.
const wrapIV = 0xa6a6a6a6a6a6a6a6

// Wrap wraps a key by AES-KW.
func Wrap(key, message []byte) ([]byte, error) {
	block, err := aes.NewCipher(key)
	if err != nil || len(message) < 16 || len(message)%8 != 0 {
		return nil, operation("the key that is wrapped has no whole number of 8 bytes")
	}
	made := append(make([]byte, 8), message...)
	binary.BigEndian.PutUint64(made, wrapIV)
	var b [aes.BlockSize]byte
	n := len(message) / 8
	for turn := range 6 {
		for i := 1; i <= n; i++ {
			copy(b[:8], made[:8])
			copy(b[8:], made[8*i:])
			block.Encrypt(b[:], b[:])
			binary.BigEndian.PutUint64(made, binary.BigEndian.Uint64(b[:8])^uint64(turn*n+i))
			copy(made[8*i:8*i+8], b[8:])
		}
	}
	return made, nil
}

// Unwrap is the other way of Wrap.
func Unwrap(key, message []byte) ([]byte, error) {
	block, err := aes.NewCipher(key)
	if err != nil || len(message) < 24 || len(message)%8 != 0 {
		return nil, operation("the bytes are no wrapped key")
	}
	made := bytes.Clone(message)
	var b [aes.BlockSize]byte
	n := len(message)/8 - 1
	for turn := 5; turn >= 0; turn-- {
		for i := n; i >= 1; i-- {
			binary.BigEndian.PutUint64(b[:8], binary.BigEndian.Uint64(made)^uint64(turn*n+i))
			copy(b[8:], made[8*i:])
			block.Decrypt(b[:], b[:])
			copy(made[:8], b[:8])
			copy(made[8*i:8*i+8], b[8:])
		}
	}
	if binary.BigEndian.Uint64(made) != wrapIV {
		return nil, operation("the bytes are no wrapped key")
	}
	return made[8:], nil
}

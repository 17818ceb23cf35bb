// crypto: getRandomValues, randomUUID and subtle. Go does the arithmetic; the bytes of a key stay in this module.
import { bytesOf, decode, encode, hostJSON, hostText, host, isBytes, json, pack, unpack, type Bytes } from "./host";
import { asked, DOMException } from "./errors";

type Usage = "encrypt" | "decrypt" | "sign" | "verify" | "deriveKey" | "deriveBits" | "wrapKey" | "unwrapKey";
type Kind = "secret" | "private" | "public";

/** What is known of an algorithm, in the words of Go. */
interface Algorithm {
  name: string;
  hash?: string;
  namedCurve?: string;
  length?: number;
  modulusLength?: number;
  publicExponent?: string;
  [more: string]: unknown;
}

interface Made {
  type: Kind;
  data: string;
  length?: number;
  exponent?: string;
}

interface Inside {
  data: string;
  algorithm: Algorithm;
}
const insides = new WeakMap<CryptoKey, Inside>();
const made = Symbol("made");

export class CryptoKey {
  readonly type: Kind;
  readonly extractable: boolean;
  readonly algorithm: object;
  readonly usages: Usage[];

  constructor(key: symbol, type: Kind, extractable: boolean, algorithm: object, usages: Usage[]) {
    if (key !== made) {
      throw new TypeError("Illegal constructor");
    }
    this.type = type;
    this.extractable = extractable;
    this.algorithm = algorithm;
    this.usages = usages;
  }
}

const names = [
  "SHA-1", "SHA-256", "SHA-384", "SHA-512", "HMAC", "RSASSA-PKCS1-v1_5", "RSA-PSS", "RSA-OAEP", "ECDSA", "ECDH",
  "Ed25519", "X25519", "AES-GCM", "AES-CBC", "AES-CTR", "AES-KW", "PBKDF2", "HKDF",
];
const known = new Map(names.map((name) => [name.toLowerCase(), name]));

function nameOf(given: unknown): string {
  const name = typeof given === "object" && given !== null ? (given as { name?: unknown }).name : given;
  const found = known.get(String(name).toLowerCase());
  if (!found) {
    throw new DOMException(`there is no algorithm ${String(name).slice(0, 40)}`, "NotSupportedError");
  }
  return found;
}

const buffers = ["iv", "additionalData", "counter", "salt", "info", "label", "publicExponent"];
const numbers = ["length", "modulusLength", "tagLength", "saltLength", "iterations"];

/** Reads what a caller says of an algorithm. */
function read(given: unknown): Algorithm {
  const algorithm: Algorithm = { name: nameOf(given) };
  if (typeof given !== "object" || given === null) {
    return algorithm;
  }
  const from = given as Record<string, unknown>;
  for (const field of buffers) {
    const value = from[field];
    if (value !== undefined) {
      if (!isBytes(value)) {
        throw new TypeError(`${field} of ${algorithm.name} is a buffer`);
      }
      algorithm[field] = pack(bytesOf(value));
    }
  }
  for (const field of numbers) {
    if (from[field] !== undefined) {
      const number = Number(from[field]);
      if (!Number.isSafeInteger(number) || number < 0 || number > 2 ** 31 - 1) {
        throw new TypeError(`${field} of ${algorithm.name} is no whole number`);
      }
      algorithm[field] = number;
    }
  }
  if (from["hash"] !== undefined) {
    algorithm.hash = nameOf(from["hash"]);
  }
  if (from["namedCurve"] !== undefined) {
    algorithm.namedCurve = String(from["namedCurve"]);
  }
  if (from["public"] instanceof CryptoKey) {
    const other = insideOf(from["public"]);
    if (other.algorithm.name !== algorithm.name || from["public"].type !== "public") {
      throw new DOMException("the key of the other is no public one of the algorithm", "InvalidAccessError");
    }
    algorithm["public"] = other.data;
  }
  return algorithm;
}

function insideOf(key: CryptoKey): Inside {
  const inside = key instanceof CryptoKey ? insides.get(key) : undefined;
  if (!inside) {
    throw new TypeError("that is no CryptoKey");
  }
  return inside;
}

/** What may be done with keys: secret, private and public ones. */
const uses: Record<string, [Usage[], Usage[], Usage[]]> = {
  HMAC: [["sign", "verify"], [], []],
  "AES-GCM": [["encrypt", "decrypt", "wrapKey", "unwrapKey"], [], []],
  "AES-CBC": [["encrypt", "decrypt", "wrapKey", "unwrapKey"], [], []],
  "AES-CTR": [["encrypt", "decrypt", "wrapKey", "unwrapKey"], [], []],
  "AES-KW": [["wrapKey", "unwrapKey"], [], []],
  PBKDF2: [["deriveKey", "deriveBits"], [], []],
  HKDF: [["deriveKey", "deriveBits"], [], []],
  "RSASSA-PKCS1-v1_5": [[], ["sign"], ["verify"]],
  "RSA-PSS": [[], ["sign"], ["verify"]],
  ECDSA: [[], ["sign"], ["verify"]],
  Ed25519: [[], ["sign"], ["verify"]],
  "RSA-OAEP": [[], ["decrypt", "unwrapKey"], ["encrypt", "wrapKey"]],
  ECDH: [[], ["deriveKey", "deriveBits"], []],
  X25519: [[], ["deriveKey", "deriveBits"], []],
};
const kinds: Kind[] = ["secret", "private", "public"];

/** Makes a key of what Go has read or made. */
function keyOf(key: Made, algorithm: Algorithm, extractable: boolean, usages: Usage[]): CryptoKey {
  const inside: Algorithm = { name: algorithm.name };
  const shown: Record<string, unknown> = { name: algorithm.name };
  if (algorithm.hash !== undefined && uses[algorithm.name]?.[0].includes("deriveBits") !== true) {
    inside.hash = algorithm.hash;
    shown["hash"] = { name: algorithm.hash };
  }
  if (algorithm.namedCurve !== undefined) {
    inside.namedCurve = algorithm.namedCurve;
    shown["namedCurve"] = algorithm.namedCurve;
  }
  if (key.type !== "secret" && algorithm.name.startsWith("RSA")) {
    shown["modulusLength"] = key.length;
    shown["publicExponent"] = unpack(key.exponent ?? "");
  } else if (key.type === "secret" && (algorithm.name === "HMAC" || algorithm.name.startsWith("AES"))) {
    shown["length"] = key.length;
  }
  const may = uses[algorithm.name]?.[kinds.indexOf(key.type)] ?? [];
  const kept = key.type === "public" ? true : extractable;
  const cryptoKey = new CryptoKey(made, key.type, kept, shown, may.filter((usage) => usages.includes(usage)));
  insides.set(cryptoKey, { data: key.data, algorithm: inside });
  return cryptoKey;
}

function checkUsages(algorithm: Algorithm, usages: Usage[], kind: Kind): void {
  const may = uses[algorithm.name]?.[kinds.indexOf(kind)] ?? [];
  if (usages.some((usage) => !may.includes(usage))) {
    throw new DOMException(`a ${kind} key for ${algorithm.name} has no such use`, "SyntaxError");
  }
  if (kind !== "public" && usages.length === 0) {
    throw new DOMException("a key needs a use", "SyntaxError");
  }
}

/** The algorithm of an operation, with what its key says of itself. */
function keyed(given: unknown, key: CryptoKey, usage: Usage): [string, string] {
  const { data, algorithm } = insideOf(key);
  const wanted = read(given);
  if (wanted.name !== algorithm.name) {
    throw new DOMException("the key is not one of the algorithm", "InvalidAccessError");
  }
  if (!key.usages.includes(usage)) {
    throw new DOMException(`the key may not be used to ${usage}`, "InvalidAccessError");
  }
  return [json.stringify({ ...wanted, ...algorithm }), data];
}

const bytes = (given: BufferSource): string => {
  if (!isBytes(given)) {
    throw new TypeError("the data are a buffer or a view of one");
  }
  return pack(bytesOf(given));
};

type Format = "raw" | "pkcs8" | "spki" | "jwk";
type WebKey = Record<string, unknown>;

const run = (operation: string, algorithm: string, ...given: string[]): ArrayBuffer =>
  unpack(asked(() => hostText("subtle", operation, algorithm, "", ...given))).buffer;

class SubtleCrypto {
  constructor(key: symbol) {
    if (key !== made) {
      throw new TypeError("Illegal constructor");
    }
  }

  async digest(algorithm: unknown, data: BufferSource): Promise<ArrayBuffer> {
    return run("digest", json.stringify({ name: "digest", hash: nameOf(algorithm) }), bytes(data));
  }

  async sign(algorithm: unknown, key: CryptoKey, data: BufferSource): Promise<ArrayBuffer> {
    return run("sign", ...keyed(algorithm, key, "sign"), bytes(data));
  }

  async verify(algorithm: unknown, key: CryptoKey, signature: BufferSource, data: BufferSource): Promise<boolean> {
    const [how, inside] = keyed(algorithm, key, "verify");
    return asked(() => host("subtle", "verify", how, "", inside, bytes(signature), bytes(data))) === true;
  }

  async encrypt(algorithm: unknown, key: CryptoKey, data: BufferSource): Promise<ArrayBuffer> {
    return run("encrypt", ...keyed(algorithm, key, "encrypt"), bytes(data));
  }

  async decrypt(algorithm: unknown, key: CryptoKey, data: BufferSource): Promise<ArrayBuffer> {
    return run("decrypt", ...keyed(algorithm, key, "decrypt"), bytes(data));
  }

  async deriveBits(algorithm: unknown, key: CryptoKey, length: number | null = null): Promise<ArrayBuffer> {
    return derive(algorithm, key, length, "deriveBits");
  }

  async deriveKey(
    algorithm: unknown, key: CryptoKey, target: unknown, extractable: boolean, usages: Usage[],
  ): Promise<CryptoKey> {
    const wanted = read(target);
    const derives = wanted.name === "HKDF" || wanted.name === "PBKDF2";
    const hmac = wanted.hash === "SHA-384" || wanted.hash === "SHA-512" ? 1024 : 512;
    const length = derives ? 256 : (wanted.length ?? (wanted.name === "HMAC" ? hmac : 256));
    const raw = derive(algorithm, key, length, "deriveKey");
    return this.importKey("raw", raw, target, extractable, usages);
  }

  async generateKey(
    algorithm: unknown, extractable: boolean, usages: Usage[],
  ): Promise<CryptoKey | { privateKey: CryptoKey; publicKey: CryptoKey }> {
    const wanted = read(algorithm);
    const list = [...usages];
    const may = (uses[wanted.name] ?? [[], [], []]).flat();
    if (list.length === 0 || list.some((usage) => !may.includes(usage))) {
      throw new DOMException(`a key for ${wanted.name} has no such use`, "SyntaxError");
    }
    const keys = asked(() => hostJSON<Made[]>("subtle", "generate", json.stringify(wanted), ""));
    const [one, other] = keys.map((key) => keyOf(key, wanted, !!extractable, list));
    return other ? { privateKey: one as CryptoKey, publicKey: other } : (one as CryptoKey);
  }

  async importKey(
    format: Format, data: BufferSource | WebKey, algorithm: unknown, extractable: boolean, usages: Usage[],
  ): Promise<CryptoKey> {
    const wanted = read(algorithm);
    const list = [...usages];
    let given: string;
    if (format === "jwk") {
      if (typeof data !== "object" || data === null || isBytes(data)) {
        throw new TypeError("a JSON Web Key is an object");
      }
      if (data["ext"] === false && extractable) {
        throw new DOMException("the key says that it cannot be exported", "DataError");
      }
      given = pack(encode(json.stringify(data)));
    } else {
      given = bytes(data as BufferSource);
    }
    const key = asked(() => hostJSON<Made>("subtle", "import", json.stringify(wanted), String(format), given));
    checkUsages(wanted, list, key.type);
    return keyOf(key, wanted, !!extractable, list);
  }

  async exportKey(format: Format, key: CryptoKey): Promise<ArrayBuffer | WebKey> {
    const { data, algorithm } = insideOf(key);
    if (!key.extractable) {
      throw new DOMException("the key may not be exported", "InvalidAccessError");
    }
    const how = json.stringify(algorithm);
    const kind = pack(encode(key.type));
    const written = unpack(asked(() => hostText("subtle", "export", how, String(format), data, kind)));
    if (format !== "jwk") {
      return written.buffer;
    }
    return { ...(json.parse(decode(written)) as WebKey), key_ops: [...key.usages], ext: key.extractable };
  }

  async wrapKey(format: Format, key: CryptoKey, by: CryptoKey, algorithm: unknown): Promise<ArrayBuffer> {
    const exported = await this.exportKey(format, key);
    const plain = format === "jwk" ? encode(json.stringify(exported)) : new Uint8Array(exported as ArrayBuffer);
    const operation = nameOf(algorithm) === "AES-KW" ? "wrap" : "encrypt";
    return run(operation, ...keyed(algorithm, by, "wrapKey"), pack(plain));
  }

  async unwrapKey(
    format: Format, wrapped: BufferSource, by: CryptoKey, algorithm: unknown, target: unknown, extractable: boolean,
    usages: Usage[],
  ): Promise<CryptoKey> {
    const operation = nameOf(algorithm) === "AES-KW" ? "unwrap" : "decrypt";
    const plain = run(operation, ...keyed(algorithm, by, "unwrapKey"), bytes(wrapped));
    const data = format === "jwk" ? (json.parse(decode(new Uint8Array(plain))) as WebKey) : plain;
    return this.importKey(format, data, target, extractable, usages);
  }
}

function derive(algorithm: unknown, key: CryptoKey, length: number | null, usage: Usage): ArrayBuffer {
  const [how, inside] = keyed(algorithm, key, usage);
  const wanted = { ...(json.parse(how) as Algorithm), length: length ?? 0 };
  return run("derive", json.stringify(wanted), inside);
}

const whole = [
  Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array,
  BigUint64Array,
];

class Crypto {
  readonly subtle = new SubtleCrypto(made);

  getRandomValues<T extends ArrayBufferView>(into: T): T {
    if (!whole.some((kind) => into instanceof kind)) {
      throw new DOMException("random values are for an array of whole numbers", "TypeMismatchError");
    }
    const target: Bytes = bytesOf(into as unknown as BufferSource);
    target.set(unpack(asked(() => hostText("random", target.length))));
    return into;
  }

  randomUUID(): string {
    return hostText("uuid");
  }
}

export const crypto = new Crypto();
export { Crypto, SubtleCrypto };

// How the vectors of webcrypto.json.gz are tried; the body of a function that gets them as cases.
const whole = (value) => {
	if (Array.isArray(value)) return value.map(whole);
	if (typeof value !== "object" || value === null) return value;
	if (typeof value.$ === "string") return Uint8Array.from(atob(value.$), (each) => each.charCodeAt(0));
	return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, whole(each)]));
};
const sorted = (value) => JSON.stringify(value, (_, each) => each && each.constructor === Object ?
	Object.fromEntries(Object.entries(each).sort(([a], [b]) => a < b ? -1 : 1)) : each);
const hex = (bytes) => Array.from(new Uint8Array(bytes.buffer ?? bytes), (each) => each.toString(16).padStart(2, "0")).join("");
const form = (data) => data instanceof ArrayBuffer || ArrayBuffer.isView(data) ? hex(data) : sorted({ ...data, key_ops: [...data.key_ops ?? []].sort() });
const is = (got, want, what) => { if (got !== want) throw new Error(what + " is " + got + ", not " + want); };
const { subtle } = crypto;
const read = ({ format, data, algorithm, extractable, keyUsages }) => subtle.importKey(format, data, algorithm, extractable, keyUsages);
const agreed = (algorithm, { other }) => algorithm.name === "ECDH" ? { name: "ecdh", public: other } : lower(algorithm);
const pair = async (key) => key.privateKey ? { own: await read(key.privateKey), other: await read(key.publicKey) } :
	(own => ({ own, other: own }))(await read(key));
// Names of algorithms count in any case.
const lower = (algorithm) => ({ ...algorithm, name: algorithm.name.toLowerCase() });
const kinds = {
	async generateKey({ algorithm, extractable, keyUsages }) {
		const made = await subtle.generateKey(lower(algorithm), extractable, keyUsages);
		for (const key of made.privateKey ? [made.privateKey, made.publicKey] : [made]) {
			is(key.algorithm.name, algorithm.name, "the name");
			is(key.extractable, key.type === "public" || extractable, "extractable");
		}
		const usages = made.privateKey ? [...made.privateKey.usages, ...made.publicKey.usages] : made.usages;
		is(sorted([...usages].sort()), sorted([...keyUsages].sort()), "the usages");
	},
	async import(action) {
		const key = await read(action);
		if (!action.extractable) return;
		is(form(await subtle.exportKey(action.format, key)), form(action.data), "what is written");
	},
	async sign({ key, algorithm, data, signature }) {
		const { own, other } = await pair(key), named = lower(algorithm);
		const made = await subtle.sign(named, own, data);
		is(await subtle.verify(named, other, made, data), true, "its own signature");
		is(await subtle.verify(named, other, signature, data), true, "the signature");
		const false_ = Uint8Array.from(signature);
		false_[0] ^= 1;
		is(await subtle.verify(named, other, false_, data), false, "another signature");
		if (algorithm.name !== "ECDSA" && algorithm.name !== "RSA-PSS") is(hex(made), hex(signature), "the signature made");
	},
	async deriveBits({ key, algorithm, data, length }) {
		const keys = await pair(key);
		is(hex(await subtle.deriveBits(agreed(algorithm, keys), keys.own, length)), hex(data), "what is derived");
	},
	async deriveKey({ key, algorithm, derivedKeyType, keyUsages, format, keyData }) {
		const keys = await pair(key);
		const made = await subtle.deriveKey(agreed(algorithm, keys), keys.own, derivedKeyType, true, keyUsages);
		is(form(await subtle.exportKey(format, made)), form(keyData), "the key");
	},
	async wrapKey({ key, algorithm, wKey, wrappedKey }) {
		const { own, other } = await pair(key), inner = await read(wKey);
		const wrapped = await subtle.wrapKey(wKey.format, inner, other, algorithm);
		if (wrappedKey) is(hex(wrapped), hex(wrappedKey), "what is wrapped");
		const back = await subtle.unwrapKey(wKey.format, wrapped, own, algorithm, wKey.algorithm, wKey.extractable, wKey.keyUsages);
		is(sorted(back.algorithm), sorted(inner.algorithm), "the algorithm of what is unwrapped");
	},
	async digest({ algorithm, data, hash }) { is(hex(await subtle.digest(algorithm, data)), hex(hash), "the hash"); },
	async encrypt({ key, algorithm, data, encData }) {
		const { own, other } = await pair(key), named = lower(algorithm);
		is(hex(await subtle.decrypt(named, own, await subtle.encrypt(named, other, data))), hex(data), "there and back");
		is(hex(await subtle.decrypt(named, own, encData)), hex(data), "what is decrypted");
	},
};
for (const [kind, list] of Object.entries(cases)) {
	for (const [i, given] of list.entries()) {
		count++;
		const name = kind + " " + i + " of " + given.of + (given.name ? ": " + given.name : "");
		try {
			await kinds[kind](whole(given));
			if (given.error) failures[name] = "is taken";
		} catch (e) { if (!given.error) failures[name] = String(e); }
	}
}

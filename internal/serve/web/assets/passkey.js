// Passkeys: browsers give them to scripts only. The server sends what a passkey is asked, with binary values in
// base64url, and gets back what it answered in the same form.

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const described = (list) => (list ?? []).map((each) => ({ ...each, id: bytes(each.id) }));

/** Sends JSON and returns the JSON that comes back; a refusal is an Error with the server's words. */
async function send(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.problem ?? "The server could not do this. Reload the page and try again.");
  return answer;
}

/** What the browser answered, as JSON can hold it. */
function packed(credential) {
  const { response } = credential;
  const answer = { clientDataJSON: text(response.clientDataJSON) };
  for (const name of ["attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (response[name]) answer[name] = text(response[name]);
  }
  if (response.getTransports) answer.transports = response.getTransports();
  return {
    id: credential.id,
    rawId: text(credential.rawId),
    type: credential.type,
    response: answer,
    clientExtensionResults: {},
  };
}

async function signIn(next, how) {
  const { options, state } = await send("/signin/passkey/begin", {});
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    allowCredentials: described(options.allowCredentials),
  };
  const credential = await navigator.credentials.get({ publicKey, ...how });
  return send("/signin/passkey/finish", { state, next, answer: packed(credential) });
}

/** Ends the waiting of suggest, which browsers ask for before they ask a person directly. */
let stopSuggesting = () => {};

/** Has the browser suggest passkeys where the address is typed, and signs in with one that is chosen there. */
async function suggest(next) {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  const renewed = Symbol("renewed");
  for (let waiting = true; waiting; ) {
    const ends = new AbortController();
    stopSuggesting = () => ends.abort();
    // A challenge is good for five minutes, and people leave pages open for longer.
    const renewal = setTimeout(() => ends.abort(renewed), 4 * 60_000);
    try {
      location.assign((await signIn(next, { mediation: "conditional", signal: ends.signal })).next);
      waiting = false;
    } catch (error) {
      waiting = error === renewed;
      if (!waiting) explain(error);
    }
    clearTimeout(renewal);
  }
}

async function add(name) {
  const { options, state } = await send("/account/passkeys/begin", {});
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    user: { ...options.user, id: bytes(options.user.id) },
    excludeCredentials: described(options.excludeCredentials),
  };
  const credential = await navigator.credentials.create({ publicKey });
  return send("/account/passkeys/finish", { state, name, answer: packed(credential) });
}

/** Says what went wrong; when a person closes the browser's dialog nothing did. */
function explain(error) {
  if (error.name === "NotAllowedError" || error.name === "AbortError") return;
  const problem = document.querySelector("[data-passkey-problem]");
  problem.textContent =
    error.name === "InvalidStateError" ? "This device has a passkey for you already." : error.message;
  problem.hidden = false;
}

/** Does what a person asked for. */
async function attempt(button, work) {
  document.querySelector("[data-passkey-problem]").hidden = true;
  button.disabled = true;
  stopSuggesting();
  try {
    location.assign((await work()).next);
  } catch (error) {
    button.disabled = false;
    explain(error);
  }
}

if (window.PublicKeyCredential) {
  for (const each of document.querySelectorAll("[data-needs-passkeys]")) each.hidden = false;
  const button = document.querySelector("[data-passkey-sign-in]");
  button?.addEventListener("click", () => attempt(button, () => signIn(button.dataset.next)));
  if (button) suggest(button.dataset.next);
  const form = document.querySelector("[data-passkey-add]");
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form.querySelector("button"), () => add(form.elements.name.value));
  });
}

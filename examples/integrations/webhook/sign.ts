// Signatures as Standard Webhooks say: HMAC-SHA256 over the id, the time and the body.

const bytes = (base64: string) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

/** The headers of a message, which the receiver checks with the same secret. */
export async function sign(secret: string, id: string, at: Date, body: string): Promise<Record<string, string>> {
  const key = await crypto.subtle.importKey(
    "raw",
    bytes(secret.replace(/^whsec_/, "")),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const seconds = String(Math.floor(at.getTime() / 1000));
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(id + "." + seconds + "." + body));
  const text = btoa(String.fromCharCode(...new Uint8Array(signature)));
  return { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": "v1," + text };
}

import { sign } from "./sign";

type Settings = { url?: string; secret?: string };

/** Sends a message. The id is that of the event, so that a receiver knows one that comes twice. */
async function send({ url, secret }: Settings, id: string, type: string, data: object): Promise<Response> {
  if (!url || !secret) return new Response("The integration has no address and secret yet.", { status: 400 });
  const now = new Date();
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data });
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(await sign(secret, id, now, body)) },
    body,
  });
  console.info(type + " to " + new URL(url).host + ": " + answer.status);
  // A status of 500 makes the server send the event again later.
  return new Response(null, { status: answer.ok ? 200 : 500 });
}

export default {
  async fetch(request: Request): Promise<Response> {
    const form = await request.formData();
    const event = JSON.parse(String(form.get("event")));
    const environment = JSON.parse(String(form.get("environment")));
    const settings: Settings = environment.installation?.configuration ?? {};
    switch (event.type) {
      case "space_content_updated":
        return send(settings, event.eventId, "content.updated", { space: event.spaceId, revision: event.revisionId });
      case "fetch":
        // POST to …/test of the installation sends a message to try the receiver.
        if (event.request.method !== "post" || !new URL(event.request.url).pathname.endsWith("/test")) {
          return new Response("POST to /test sends a test message.\n", { status: 404 });
        }
        return send(settings, event.eventId ?? crypto.randomUUID(), "test", {});
      default:
        return new Response(null, { status: 406 });
    }
  },
};

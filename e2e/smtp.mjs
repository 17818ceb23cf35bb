// A mail server on loopback that keeps what it gets; it speaks as much SMTP as that needs.
import { createServer } from "node:net";

/** Undoes quoted-printable and base64, so that addresses in messages can be found. */
function decoded(message) {
  return message
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
}

export async function startMailServer() {
  const messages = [];
  const server = createServer((socket) => {
    let pending = "";
    let inData = false;
    let to = "";
    socket.on("error", () => {});
    socket.write("220 test\r\n");
    socket.on("data", (chunk) => {
      pending += chunk;
      for (;;) {
        const end = pending.indexOf(inData ? "\r\n.\r\n" : "\r\n");
        if (end < 0) return;
        const text = pending.slice(0, end);
        pending = pending.slice(end + (inData ? 5 : 2));
        if (inData) {
          messages.push({ to, text: decoded(text) });
          inData = false;
          socket.write("250 ok\r\n");
          continue;
        }
        if (/^RCPT TO:/i.test(text)) to = text.match(/<([^>]*)>/)[1];
        if (/^DATA/i.test(text)) {
          inData = true;
          socket.write("354 go on\r\n");
        } else if (/^QUIT/i.test(text)) {
          socket.end("221 bye\r\n");
        } else {
          socket.write("250 ok\r\n");
        }
      }
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `smtp://127.0.0.1:${server.address().port}`,
    messages,
    /** The last message to an address, once it is there. */
    async to(address) {
      for (let tries = 0; tries < 400; tries++) {
        const found = messages.findLast((each) => each.to === address);
        if (found) return found;
        await new Promise((done) => setTimeout(done, 50));
      }
      throw new Error(`no message came to ${address}`);
    },
    stop: () => new Promise((done) => server.close(done)),
  };
}

// A name server on loopback, for tests of what a domain's owner publishes.
import { createSocket } from "node:dgram";
import packet from "dns-packet";

/** Not found, as an answer says it (RFC 1035, 4.1.1). */
const noSuchName = 3;

/**
 * Answers questions about names. records are lists of {type, data} by name, which a test changes as the owner of the
 * domain would; address is HOST:PORT, asked every question as "TYPE name" in order.
 */
export async function startNameServer() {
  const records = new Map(), asked = [];
  const socket = createSocket("udp4");
  socket.on("message", (message, from) => {
    const query = packet.decode(message);
    const [question] = query.questions;
    const name = question.name.toLowerCase();
    asked.push(`${question.type} ${name}`);
    const published = records.get(name);
    // A name that stands for another one says so whatever it is asked.
    const answers = (published ?? [])
      .filter((record) => record.type === question.type || record.type === "CNAME")
      .map((record) => ({ ...record, name: question.name, ttl: 0 }));
    socket.send(
      packet.encode({
        type: "response",
        id: query.id,
        flags: packet.AUTHORITATIVE_ANSWER | (published ? 0 : noSuchName),
        questions: query.questions,
        answers,
      }),
      from.port,
      from.address,
    );
  });
  await new Promise((done) => socket.bind(0, "127.0.0.1", done));
  return {
    records,
    asked,
    address: `127.0.0.1:${socket.address().port}`,
    stop: () => new Promise((done) => socket.close(done)),
  };
}

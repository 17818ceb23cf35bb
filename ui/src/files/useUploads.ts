// Files on their way to a space: some at a time, each with its progress; what did not arrive can be sent again.
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { failureText } from "../look/Failed";
import { UploadError, type UploadFault } from "../editor/services";
import { send } from "../page/upload";
import { changed, draftFor } from "../space/editing";

export type Upload = {
  id: number;
  file: globalThis.File;
  // How much of it has gone, from 0 to 1.
  part: number;
  fault?: UploadFault;
  reason?: string;
  // What it takes the place of.
  replaces?: string;
};

// So many go at once; the others wait.
const atOnce = 3;

// useUploads sends files into the change request that is open, else into the person's draft. onDone hears of it when
// all have arrived or failed and at least one has arrived.
export function useUploads(space: string, change: number | undefined, onDone: (number: number) => void) {
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const next = useRef(0);
  const waiting = useRef<Upload[]>([]);
  const going = useRef(new Map<number, () => void>());
  const arrived = useRef(false);

  const update = (id: number, part: Partial<Upload>) =>
    setUploads((now) => now.map((each) => (each.id === id ? { ...each, ...part } : each)));
  const drop = (id: number) => setUploads((now) => now.filter((each) => each.id !== id));

  async function pump() {
    const upload = going.current.size < atOnce ? waiting.current.shift() : undefined;
    if (!upload) return;
    const { id, file, replaces } = upload;
    let stopped = false;
    going.current.set(id, () => (stopped = true));
    let number: number | undefined;
    try {
      number = await draftFor(queries, space, change);
      if (stopped) throw new UploadError("cancelled");
      const address = `/v1/spaces/${encodeURIComponent(space)}/change-requests/${number}/content/files${replaces ? `/${encodeURIComponent(replaces)}` : ""}`;
      const sending = send(address, file, (part) => update(id, { part }), replaces ? "PUT" : "POST");
      going.current.set(id, sending.cancel);
      void pump();
      await sending.done;
      arrived.current = true;
      drop(id);
    } catch (failure) {
      const { kind: fault, message } =
        failure instanceof UploadError ? failure : { kind: "network" as const, message: failureText(failure) };
      if (fault === "cancelled") drop(id);
      else update(id, { fault, reason: message, part: 0 });
    }
    going.current.delete(id);
    if (waiting.current.length > 0) return pump();
    if (going.current.size > 0 || !arrived.current || number === undefined) return;
    arrived.current = false;
    await changed(queries, space, number);
    onDone(number);
  }

  const start = (list: Upload[]) => {
    waiting.current.push(...list);
    void pump();
  };
  return {
    uploads,
    add(given: globalThis.File[], replaces?: string) {
      const made = given.map((file): Upload => ({
        id: next.current++,
        file,
        part: 0,
        ...(replaces ? { replaces } : {}),
      }));
      setUploads((now) => [...now, ...made]);
      start(made);
    },
    cancel(upload: Upload) {
      waiting.current = waiting.current.filter((each) => each.id !== upload.id);
      going.current.get(upload.id)?.();
      if (!going.current.has(upload.id)) drop(upload.id);
    },
    retry(upload: Upload) {
      const { fault: _, reason: __, ...again } = upload;
      setUploads((now) => now.map((each) => (each.id === upload.id ? again : each)));
      start([again]);
    },
  };
}

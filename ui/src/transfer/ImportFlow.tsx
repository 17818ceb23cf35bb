// Bringing docs along: from a file or an address into a space, with progress, and a report of what was not kept as it
// was. It stands where a space is begun and in the settings of one.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { Failure } from "../api/client";
import { organizations, spaces } from "../api/queries";
import { Banner } from "../look/Banner";
import { Failed } from "../look/Failed";
import { t } from "../words/words";
import { FolderFault, limits } from "./folder";
import { ImportForm, type From } from "./ImportForm";
import { ImportProgress } from "./ImportProgress";
import { ImportReport } from "./ImportReport";
import { begin, cancel, importOf, running, upload } from "./queries";
import { said, titleFrom } from "./sources";
import { zipped } from "./zip";

// Target is the space that takes what is imported.
export type Target = { space: string; organization: string };

type Props = {
  // The space, or what makes it once it is known what comes; title is made of the file's name or the address.
  target: Target | ((title: string) => Promise<Target>);
  // What can be done once the docs are there.
  after: (target: Target) => ReactNode;
};

export function ImportFlow({ target, after }: Props) {
  const queries = useQueryClient();
  const [part, setPart] = useState(0);
  // Whether a folder is still packed, and what was left out of it.
  const [packing, setPacking] = useState(false);
  const [left, setLeft] = useState<string[]>([]);
  const [into, setInto] = useState<Target | undefined>(typeof target === "function" ? undefined : target);
  const sending = useRef<{ cancel: () => void }>(undefined);
  const pack = async (from: Extract<From, { kind: "folder" }>) => {
    const stopping = new AbortController();
    sending.current = { cancel: () => stopping.abort() };
    setPacking(true);
    try {
      const folder = await from.read();
      const archive = await zipped(folder.files, setPart, stopping.signal);
      stopping.signal.throwIfAborted();
      setLeft(folder.left);
      return new File([archive], `${folder.name || "folder"}.zip`, { type: archive.type });
    } catch (failure) {
      throw stopping.signal.aborted ? new Failure(-1, "") : failure;
    } finally {
      setPacking(false);
    }
  };
  const start = useMutation({
    mutationFn: async (from: From) => {
      setPart(0);
      setLeft([]);
      // What cannot be read makes no space.
      const file = from.kind === "folder" ? await pack(from) : from.kind === "file" ? from.file : undefined;
      const place = into ?? (typeof target === "function" ? await target(titleFrom(from.kind === "file" ? from.file.name : from.kind === "folder" ? from.name : from.url)) : target);
      setInto(place);
      setPart(0);
      if (from.kind === "address") return begin(place.space, { source: from.source, url: from.url });
      const sent = upload(place.space, file as File, said(from.source), setPart);
      sending.current = sent;
      return sent.done;
    },
    onSettled: () => {
      sending.current = undefined;
      setPacking(false);
    },
  });
  const id = start.data?.id;
  const asked = useQuery({ ...importOf(into?.organization ?? "", id ?? ""), enabled: into !== undefined && id !== undefined });
  const now = asked.data ?? start.data;
  const stop = useMutation({
    mutationFn: async () => {
      if (sending.current) return sending.current.cancel();
      if (into && id) await cancel(into.organization, id);
    },
    onSettled: () => asked.refetch(),
  });
  const again = () => {
    start.reset();
    stop.reset();
  };
  const fresh = () => {
    if (!into) return;
    void queries.invalidateQueries({ queryKey: spaces.pages(into.space) });
    void queries.invalidateQueries({ queryKey: organizations.spaces(into.organization) });
  };
  const aborted = start.error instanceof Failure && start.error.status === -1;
  if (start.isPending || running(now)) return <ImportProgress now={now} part={part} packing={packing} stopping={stop.isPending} onCancel={() => stop.mutate()} />;
  if (now && into) return <ImportReport result={now} left={left} onShown={fresh} onAgain={again} after={() => after(into)} />;
  return (
    <>
      {start.error instanceof FolderFault ? (
        <Banner kind="danger">{t(`import.folder.${start.error.kind}`, { about: start.error.about, files: limits.files, bytes: limits.bytes >> 30, file: limits.file >> 20 })}</Banner>
      ) : (
        start.isError && !aborted && <Failed failure={start.error} />
      )}
      <ImportForm onStart={(from) => start.mutate(from)} />
    </>
  );
}

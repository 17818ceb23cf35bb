// Bringing docs along: from a file or an address into a space, with progress, and a report of what was not kept as it
// was. It stands where a space is begun and in the settings of one.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { Failure } from "../api/client";
import { organizations, spaces } from "../api/queries";
import { Banner } from "../look/Banner";
import { Failed } from "../look/Failed";
import { pages } from "../space/queries";
import { t } from "../words/words";
import { FolderFault, limits } from "./folder";
import { ImportDetected } from "./ImportDetected";
import { type From, ImportForm } from "./ImportForm";
import { ImportPreview } from "./ImportPreview";
import { ImportProgress } from "./ImportProgress";
import { ImportReport } from "./ImportReport";
import { asked, type Kind, type Reading } from "./kinds";
import { begin, cancel, importOf, running, upload } from "./queries";
import { said, titleFrom } from "./sources";
import { zipped } from "./zip";

// Target is the space that takes what is imported.
export type Target = { space: string; organization: string };

// Job is one run. sure says that a person has seen what becomes of pages, fresh that the space had none before the
// first.
type Job = { from: From; reading: Reading; sure: boolean; fresh: boolean };

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
  const [reading, read] = useState<Reading>({ same: false });
  const there = useQuery({ ...pages(into?.space ?? ""), enabled: into !== undefined });
  const filled = into !== undefined && (there.data?.length ?? 0) > 0;
  const sending = useRef<{ cancel: () => void }>(undefined);
  // A folder that is taken a second time is packed once.
  const packed = useRef<{ from: From; file: File }>(undefined);
  const pack = async (from: Extract<From, { kind: "folder" }>) => {
    if (packed.current?.from === from) return packed.current.file;
    const stopping = new AbortController();
    sending.current = { cancel: () => stopping.abort() };
    setPacking(true);
    try {
      const folder = await from.read();
      const archive = await zipped(folder.files, setPart, stopping.signal);
      stopping.signal.throwIfAborted();
      setLeft(folder.left);
      const file = new File([archive], `${folder.name || "folder"}.zip`, { type: archive.type });
      packed.current = { from, file };
      return file;
    } catch (failure) {
      throw stopping.signal.aborted ? new Failure(-1, "") : failure;
    } finally {
      setPacking(false);
    }
  };
  const start = useMutation({
    mutationFn: async ({ from, reading, sure }: Job) => {
      setPart(0);
      if (packed.current?.from !== from) setLeft([]);
      const ask = asked(from.source, reading, sure);
      // What cannot be read makes no space.
      const file = from.kind === "folder" ? await pack(from) : from.kind === "file" ? from.file : undefined;
      const place =
        into ??
        (typeof target === "function"
          ? await target(
              titleFrom(from.kind === "file" ? from.file.name : from.kind === "folder" ? from.name : from.url),
            )
          : target);
      setInto(place);
      setPart(0);
      if (from.kind === "address") return begin(place.space, { source: from.source, url: from.url, ...ask });
      const sent = upload(place.space, file as File, said(from.source), ask, setPart);
      sending.current = sent;
      return sent.done;
    },
    onSettled: () => {
      sending.current = undefined;
      setPacking(false);
    },
  });
  const id = start.data?.id;
  const state = useQuery({
    ...importOf(into?.organization ?? "", id ?? ""),
    enabled: into !== undefined && id !== undefined,
  });
  const now = state.data ?? start.data;
  const stop = useMutation({
    mutationFn: async () => {
      if (sending.current) return sending.current.cancel();
      if (into && id) await cancel(into.organization, id);
    },
    onSettled: () => state.refetch(),
  });
  const again = () => {
    start.reset();
    stop.reset();
  };
  // What a new space has is of this import alone, so that another reading of it takes its place.
  const job = start.variables;
  const readAs = (kind: Kind) =>
    job && start.mutate({ ...job, reading: { kind, same: job.fresh || job.reading.same }, sure: false });
  const fresh = () => {
    if (!into) return;
    void queries.invalidateQueries({ queryKey: spaces.pages(into.space) });
    void queries.invalidateQueries({ queryKey: organizations.spaces(into.organization) });
  };
  const aborted = start.error instanceof Failure && start.error.status === -1;
  if (start.isPending || running(now))
    return (
      <ImportProgress
        now={now}
        part={part}
        packing={packing}
        stopping={stop.isPending}
        onCancel={() => stop.mutate()}
      />
    );
  if (now && into && job) {
    const detected = (
      <ImportDetected key={now.id} result={now} asked={job.reading.kind} fresh={job.fresh} onRead={readAs} />
    );
    if (now.dryRun && now.state === "done") {
      return (
        <ImportPreview result={now} onYes={() => start.mutate({ ...job, sure: true })} onNo={again}>
          {detected}
        </ImportPreview>
      );
    }
    return (
      <ImportReport result={now} left={left} onShown={fresh} onAgain={again} after={() => after(into)}>
        {detected}
      </ImportReport>
    );
  }
  return (
    <>
      {start.error instanceof FolderFault ? (
        <Banner kind="danger">
          {t(`import.folder.${start.error.kind}`, {
            about: start.error.about,
            files: limits.files,
            bytes: limits.bytes >> 30,
            file: limits.file >> 20,
          })}
        </Banner>
      ) : (
        start.isError && !aborted && <Failed failure={start.error} />
      )}
      <ImportForm
        filled={filled}
        reading={reading}
        onReading={read}
        onStart={(from) =>
          start.mutate({ from, reading: { ...reading, same: filled && reading.same }, sure: false, fresh: !filled })
        }
      />
    </>
  );
}

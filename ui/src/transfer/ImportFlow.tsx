// Bringing docs along: from a file or an address into a space, with progress, and a report of what was not kept as it
// was. It stands where a space is begun and in the settings of one.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { Failure } from "../api/client";
import { organizations, spaces } from "../api/queries";
import { Failed } from "../look/Failed";
import { ImportForm, type From } from "./ImportForm";
import { ImportProgress } from "./ImportProgress";
import { ImportReport } from "./ImportReport";
import { begin, cancel, importOf, running, upload } from "./queries";
import { said, titleFrom } from "./sources";

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
  const [into, setInto] = useState<Target | undefined>(typeof target === "function" ? undefined : target);
  const sending = useRef<{ cancel: () => void }>(undefined);
  const start = useMutation({
    mutationFn: async (from: From) => {
      const place = into ?? (typeof target === "function" ? await target(titleFrom(from.kind === "file" ? from.file.name : from.url)) : target);
      setInto(place);
      setPart(0);
      if (from.kind === "address") return begin(place.space, { source: from.source, url: from.url });
      sending.current = upload(place.space, from.file, said(from.source), setPart);
      return (sending.current as ReturnType<typeof upload>).done;
    },
    onSettled: () => (sending.current = undefined),
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
  if (start.isPending || running(now)) return <ImportProgress now={now} part={part} stopping={stop.isPending} onCancel={() => stop.mutate()} />;
  if (now && into) return <ImportReport result={now} onShown={fresh} onAgain={again} after={() => after(into)} />;
  return (
    <>
      {start.isError && !aborted && <Failed failure={start.error} />}
      <ImportForm onStart={(from) => start.mutate(from)} />
    </>
  );
}

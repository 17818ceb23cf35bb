// Imports, as the API runs them.
import { queryOptions } from "@tanstack/react-query";
import { api, done, Failure, type Schemas, taken } from "../api/client";
import { organizations } from "../api/queries";
import type { Ask } from "./kinds";

export type Import = Schemas["Import"];

// running reports whether an import goes on.
export const running = (one: Import | undefined): boolean => one?.state === "pending" || one?.state === "running";

// importOf asks how an import stands, again and again while it goes on.
export const importOf = (organization: string, id: string) =>
  queryOptions({
    queryKey: [...organizations.imports(organization), id],
    queryFn: () =>
      taken(
        api.GET("/v1/org/{organizationId}/imports/{importId}", {
          params: { path: { organizationId: organization, importId: id } },
        }),
      ),
    refetchInterval: ({ state }) => (running(state.data) || !state.data ? 700 : false),
    staleTime: 0,
  });

// begin starts an import into a space, which goes on by itself.
export function begin(space: string, from: Schemas["ImportAddress"]): Promise<Import> {
  return taken(
    api.POST("/v1/spaces/{spaceId}/content/import", {
      params: { path: { spaceId: space }, header: { Prefer: "respond-async" } },
      body: from,
    }),
  ) as Promise<Import>;
}

// upload sends a file to be imported into a space, with progress, which fetch does not tell.
export function upload(
  space: string,
  file: File,
  source: string | undefined,
  ask: Ask,
  onProgress: (part: number) => void,
): { done: Promise<Import>; cancel: () => void } {
  const request = new XMLHttpRequest();
  const query = new URLSearchParams({
    name: file.name,
    ...(source ? { source } : {}),
    ...Object.fromEntries(Object.entries(ask).map(([name, value]) => [name, String(value)])),
  });
  const finished = new Promise<Import>((resolve, reject) => {
    request.open("POST", `/v1/spaces/${space}/content/upload?${query}`);
    request.setRequestHeader("Prefer", "respond-async");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total, lengthComputable }) =>
      lengthComputable && total > 0 && onProgress(loaded / total);
    request.onload = () => {
      const answer = request.response as (Import & { error?: { message?: string } }) | null;
      if (answer && request.status < 300) resolve(answer);
      else reject(new Failure(request.status, answer?.error?.message ?? ""));
    };
    request.onerror = () => reject(new Failure(0, ""));
    request.onabort = () => reject(new Failure(-1, ""));
    request.send(file);
  });
  return { done: finished, cancel: () => request.abort() };
}

// cancel ends an import; nothing of it is kept.
export const cancel = (organization: string, id: string) =>
  done(
    api.DELETE("/v1/org/{organizationId}/imports/{importId}", {
      params: { path: { organizationId: organization, importId: id } },
    }),
  );

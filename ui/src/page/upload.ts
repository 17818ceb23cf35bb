// Sending a file with progress, which fetch does not tell.
import type { Schemas } from "../api/client";
import { UploadError, type UploadFault } from "../editor/services";

// The program takes no more for one file.
export const largest = 100 * 1024 * 1024;

const faults: Record<number, UploadFault> = { 413: "large", 415: "type" };

export interface Sending {
  done: Promise<Schemas["File"]>;
  cancel(): void;
}

// send uploads a file to an address that takes files and answers with what became of them. PUT replaces one.
export function send(
  address: string,
  file: File,
  onProgress: (part: number) => void,
  method: "POST" | "PUT" = "POST",
): Sending {
  const request = new XMLHttpRequest();
  const done = new Promise<Schemas["File"]>((resolve, reject) => {
    if (file.size > largest) {
      reject(new UploadError("large"));
      return;
    }
    const body = new FormData();
    body.append("file", file, file.name);
    request.open(method, address);
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total, lengthComputable }) =>
      lengthComputable && total > 0 && onProgress(loaded / total);
    request.onload = () => {
      const answer = request.response as {
        files?: Schemas["File"][];
        file?: Schemas["File"];
        error?: { message?: string };
      } | null;
      const made = answer?.files?.[0] ?? answer?.file;
      if (request.status < 300 && made) resolve(made);
      else
        reject(
          new UploadError(
            faults[request.status] ?? (request.status >= 500 ? "network" : "refused"),
            answer?.error?.message ?? "",
          ),
        );
    };
    request.onerror = () => reject(new UploadError("network"));
    request.ontimeout = () => reject(new UploadError("network"));
    request.onabort = () => reject(new UploadError("cancelled"));
    request.send(body);
  });
  return { done, cancel: () => request.abort() };
}

// A picture for a site is sent to the files of the space that the site begins with, and is shown from its address on
// the site.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { useRef } from "react";
import { spaces } from "../../api/queries";
import { UploadError } from "../../editor/services";
import { Banner } from "../../look/Banner";
import { Button } from "../../look/Button";
import { Failed } from "../../look/Failed";
import { send } from "../../page/upload";
import { t } from "../../words/words";
import { structureOf } from "../queries";
import { useShown } from "../shown";
import { rowsOf } from "../structure/rows";
import { addressOnSite, homeOf } from "./uploads";

export function UploadPicture({ label, onDone }: { label: string; onDone: (address: string) => Promise<unknown> }) {
  const { organization, site } = useShown();
  const queries = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const structure = useQuery(structureOf(organization, site.id)).data;
  const home = structure && homeOf(rowsOf(structure.structure));
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const { space, address } = home!;
      const made = await send(`/v1/spaces/${encodeURIComponent(space)}/content/files`, file, () => undefined).done;
      void queries.invalidateQueries({ queryKey: spaces.content(space) });
      return onDone(addressOnSite(address, made));
    },
  });
  // Without an address of the site there is none of a picture on it.
  if (!home) return null;
  return (
    <div>
      <Button icon={<Upload />} busy={upload.isPending} onClick={() => field.current?.click()}>
        {t("siteLook.picture.upload")}
      </Button>
      <input
        ref={field}
        type="file"
        hidden
        aria-label={t("siteLook.picture.upload.of", { name: label })}
        accept="image/*"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          if (file) upload.mutate(file);
        }}
      />
      {upload.isError &&
        (upload.error instanceof UploadError ? (
          <Banner kind="danger">
            {upload.error.message || t(`siteLook.upload.${upload.error.kind === "large" ? "large" : "failed"}`)}
          </Banner>
        ) : (
          <Failed failure={upload.error} />
        ))}
    </div>
  );
}

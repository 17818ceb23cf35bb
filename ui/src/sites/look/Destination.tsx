// Where a link of a site leads: an address, or a space or page that is on the site.
import { useQuery } from "@tanstack/react-query";
import { Field } from "../../look/Field";
import { type Page, pages } from "../../space/queries";
import { label } from "../../space/tree";
import { t } from "../../words/words";
import { structureOf } from "../queries";
import { useShown } from "../shown";
import { rowsOf } from "../structure/rows";

// To is a reference to content, as the API has it.
export type To = { kind: string; [name: string]: unknown };

const flat = (list: Page[], level = 0): { page: Page; level: number }[] =>
  list.flatMap((page) => [{ page, level }, ...flat((page.pages ?? []) as Page[], level + 1)]);

export function Destination({ to, onChange }: { to: To | null; onChange: (to: To | null) => void }) {
  const { organization, site } = useShown();
  const structure = useQuery(structureOf(organization, site.id)).data;
  const spaces = structure
    ? rowsOf(structure.structure).flatMap((row) => (row.kind === "site-space" ? [row.of.space] : []))
    : [];
  const space = to?.kind === "space" || to?.kind === "page" ? String(to.space) : "";
  const known = !to || to.kind === "url" || spaces.some((each) => each.id === space);
  const tree = useQuery({ ...pages(space), enabled: space !== "" }).data;
  return (
    <>
      <Field
        label={t("siteLook.link.to")}
        value={known ? space : "other"}
        onChange={(event) =>
          event.target.value !== "other" &&
          onChange(event.target.value ? { kind: "space", space: event.target.value } : { kind: "url", url: "" })
        }
        control={
          <select>
            {!known && <option value="other">{t("siteLook.link.kept")}</option>}
            <option value="">{t("siteLook.link.address")}</option>
            {spaces.map((each) => (
              <option key={each.id} value={each.id}>
                {each.title}
              </option>
            ))}
          </select>
        }
      />
      {known && !space && (
        <Field
          label={t("siteLook.link.url")}
          value={to?.kind === "url" ? String(to.url) : ""}
          required
          maxLength={2048}
          placeholder="https://example.com"
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange({ kind: "url", url: event.target.value.trim() })}
        />
      )}
      {known && space && (
        <Field
          label={t("siteLook.link.page")}
          value={to?.kind === "page" ? String(to.page) : ""}
          onChange={(event) =>
            onChange(event.target.value ? { kind: "page", space, page: event.target.value } : { kind: "space", space })
          }
          control={
            <select>
              <option value="">{t("siteLook.link.first")}</option>
              {flat((tree ?? []) as Page[]).map(({ page, level }) => (
                <option key={page.id} value={page.id}>
                  {"\u00a0\u00a0".repeat(level) + label(page)}
                </option>
              ))}
            </select>
          }
        />
      )}
    </>
  );
}

// Blocks of integrations on a page that is read: what the server has printed of them gives way to what their scripts
// draw.
import type { QueryClient } from "@tanstack/react-query";
import type { Data } from "../kit/elements";
import type { Mounted } from "../kit/mount";

interface Place {
  element: HTMLElement;
  integration: string;
  block: string;
  props: Data;
}

function read(text: string | undefined): Data {
  try {
    return JSON.parse(text ?? "{}") as Data;
  } catch {
    return {};
  }
}

// readBlocks draws the blocks in a page, and returns what ends that.
export function readBlocks(prose: HTMLElement, queries: QueryClient, space: string): () => void {
  const written = [...prose.querySelectorAll<HTMLElement>(".block-integration[data-props]")];
  const code = [...prose.querySelectorAll<HTMLElement>(".block-code[data-language]")];
  let ended = false;
  const drawn: { mounted: Mounted; element: HTMLElement; place: HTMLElement }[] = [];
  const draw = async () => {
    const { drawing, installedBlocks } = await import("../kit/queries");
    const blocks = await queries.fetchQuery(installedBlocks(space));
    const fenced = code.flatMap((element): Place[] => {
      const mapped = blocks.find(
        ({ language, property }) =>
          language !== "" && property !== "" && language === element.dataset["language"]?.toLowerCase(),
      );
      return mapped
        ? [
            {
              element,
              integration: mapped.integration,
              block: mapped.block,
              props: { [mapped.property]: element.querySelector("code")?.textContent ?? "" },
            },
          ]
        : [];
    });
    const named = written.map((element): Place => ({
      element,
      integration: element.dataset["integration"] ?? "",
      block: element.dataset["block"] ?? "",
      props: read(element.dataset["props"]),
    }));
    const there = [
      ...named.filter(({ integration }) => blocks.some((each) => each.integration === integration)),
      ...fenced,
    ];
    if (there.length === 0) return;
    const { mount } = await import("../kit/mount");
    if (ended) return;
    for (const { element, integration, block, props } of there) {
      const place = document.createElement("div");
      place.className = "kit-read";
      element.hidden = true;
      element.after(place);
      const mounted = mount(place, {
        integration, block, props,
        draw: drawing(integration, () => ({ type: "document", spaceId: space, editable: false })),
        specs: () => Promise.resolve([]),
        onProperties: null,
        onDrawn: (something) => (place.hidden = !something),
      });
      drawn.push({ mounted, element, place });
    }
  };
  // Where it cannot be asked what draws them, they stay as the server has printed them.
  if (written.length + code.length > 0) void draw().catch(() => undefined);
  return () => {
    ended = true;
    for (const { mounted, element, place } of drawn) {
      mounted.end();
      place.remove();
      element.hidden = false;
    }
  };
}

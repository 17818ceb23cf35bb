// What blocks of integrations ask of the API.
import { queryOptions } from "@tanstack/react-query";
import { api, Failure, taken } from "../api/client";
import { spaces } from "../api/queries";
import type { Installed } from "../editor/services";
import type { Data } from "./elements";
import { parse } from "./parse";
import type { Draw } from "./session";

// installedBlocks asks for the blocks that integrations bring to a space.
export const installedBlocks = (space: string) =>
  queryOptions({
    queryKey: [...spaces.one(space), "blocks"],
    queryFn: async (): Promise<Installed[]> =>
      (
        (await taken(api.GET("/v1/spaces/{spaceId}/integration-blocks", { params: { path: { spaceId: space } } }))) ??
        []
      ).flatMap(({ name, blocks }) =>
        (blocks ?? []).map((each) => ({
          integration: name,
          block: each.id,
          title: each.title,
          description: each.description ?? "",
          icon: each.icon ?? "",
          addresses: each.urlUnfurl ?? [],
          language: each.markdown?.codeblock.toLowerCase() ?? "",
          property: each.markdown?.body ?? "",
        })),
      ),
    staleTime: 60_000,
  });

// drawing asks the script of an integration to draw a component, in a context that says for what.
export const drawing =
  (integration: string, context: () => Data): Draw =>
  async ({ component, props, state, action }) => {
    const theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const body = {
      componentId: component,
      props,
      context: { ...context(), theme },
      ...(state ? { state } : {}),
      ...(action ? { action } : {}),
    };
    try {
      return parse(
        await taken(
          api.POST("/v1/integrations/{integrationName}/render", {
            params: { path: { integrationName: integration } },
            body,
          }),
        ),
      );
    } catch (failure) {
      if (failure instanceof Failure && failure.status === 404) return { kind: "absent" };
      throw failure;
    }
  };

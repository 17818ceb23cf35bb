import { draw, read, words } from "./flow";

const text = (children: string) => ({ type: "text", children: [children] });

/** What the block shows: the picture, and the same in words for who does not see it. */
function block(content: string) {
  if (content.trim() === "") return [text("Write arrows such as: Draft -> Review")];
  try {
    const flow = read(content);
    const { svg, width, height } = draw(flow);
    return [
      { type: "image", source: { url: "data:image/svg+xml," + encodeURIComponent(svg) }, aspectRatio: width / height },
      text(words(flow)),
    ];
  } catch (error) {
    return [{ type: "hint", children: [text((error as Error).message)] }];
  }
}

export default {
  async fetch(request: Request): Promise<Response> {
    const event = JSON.parse(String((await request.formData()).get("event")));
    if (event.type !== "ui_render") return new Response(null, { status: 406 });
    if (event.componentId !== "flow") return new Response("There is no such block.", { status: 404 });
    const children = block(String(event.props?.content ?? ""));
    return new Response(
      JSON.stringify({ type: "element", state: {}, props: event.props ?? {}, element: { type: "block", children } }),
      { headers: { "Content-Type": "application/json", "Cache-Control": "max-age=86400" } },
    );
  },
};

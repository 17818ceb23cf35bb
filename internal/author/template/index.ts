// The server sends each event as a form with the parts event and environment.
type Event = { type: string; componentId?: string; state?: { count?: number }; action?: { action: string } };

const json = (value: unknown) =>
  new Response(JSON.stringify(value), { headers: { "Content-Type": "application/json" } });

function hello(event: Event): Response {
  const count = (event.state?.count ?? 0) + (event.action?.action === "more" ? 1 : 0);
  return json({
    type: "element",
    state: { count },
    props: {},
    element: {
      type: "block",
      children: [
        { type: "text", children: ["Hello number " + count + "."] },
        { type: "button", label: "Once more", onPress: { action: "more" } },
      ],
    },
  });
}

export default {
  async fetch(request: Request): Promise<Response> {
    const form = await request.formData();
    const event: Event = JSON.parse(String(form.get("event")));
    console.info("event " + event.type);
    if (event.type === "ui_render") {
      return event.componentId === "hello" ? hello(event) : new Response("No such block.", { status: 404 });
    }
    if (event.type === "fetch") return new Response("Hello.\n");
    return new Response(null, { status: 406 }); // no other event is of interest
  },
};

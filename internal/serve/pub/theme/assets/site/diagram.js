// Draws one diagram inside a sandboxed frame. The frame has no origin: a diagram's source can do nothing but draw.
(() => {
  "use strict";
  let count = 0;
  addEventListener("message", async (event) => {
    if (event.source !== parent || typeof event.data?.source !== "string") return;
    const { source, dark, colours: c } = event.data;
    const fontFamily = "Inter, ui-sans-serif, system-ui, sans-serif";
    mermaid.initialize({
      startOnLoad: false, securityLevel: "strict", theme: "base", fontFamily, maxTextSize: 50000, maxEdges: 500,
      themeVariables: {
        darkMode: dark, fontFamily, fontSize: "15px", background: c.bg, mainBkg: c.soft, primaryColor: c.soft, primaryTextColor: c.heading, primaryBorderColor: c.line,
        secondaryColor: c.subtle, secondaryTextColor: c.heading, secondaryBorderColor: c.border, tertiaryColor: c.subtle, tertiaryTextColor: c.heading, tertiaryBorderColor: c.border,
        lineColor: c.muted, textColor: c.heading, edgeLabelBackground: c.bg, clusterBkg: c.subtle, clusterBorder: c.border, titleColor: c.heading,
        noteBkgColor: c.subtle, noteTextColor: c.heading, noteBorderColor: c.border, actorBkg: c.soft, actorBorder: c.line, actorTextColor: c.heading, signalColor: c.muted, signalTextColor: c.heading,
      },
    });
    try {
      await document.fonts.load(`15px Inter`, source);
      const { svg } = await mermaid.render(`diagram-${count++}`, source);
      const host = document.getElementById("drawing");
      host.innerHTML = svg;
      const drawn = host.querySelector("svg");
      const { width, height } = drawn.viewBox.baseVal;
      drawn.setAttribute("width", String(width));
      parent.postMessage({ width, height: height + 2 }, "*");
    } catch (fault) {
      parent.postMessage({ width: 0, height: 0, fault: String(fault?.message ?? fault).slice(0, 500) }, "*");
    }
  });
  parent.postMessage("ready", "*");
})();

// Draws the diagrams of a page, one after the other, inside a sandboxed frame. The frame has no origin: a diagram's
// source can do nothing but draw. What it sends back is shown as an image, in which nothing runs either. The editor,
// which asks without a number, shows the frame itself.
(() => {
  "use strict";
  let count = 0;
  let queue = Promise.resolve();
  const host = document.getElementById("drawing");
  const light = [
    "#1f5fc4",
    "#11713f",
    "#a04a06",
    "#6d3fc4",
    "#b3261e",
    "#08707f",
    "#a8286f",
    "#826000",
    "#5546cc",
    "#1f5fc4",
    "#11713f",
    "#b3261e",
  ];
  const pale = [
    "#86b4ff",
    "#5fd699",
    "#ffad6b",
    "#bfa2ff",
    "#ff9a92",
    "#5fd0de",
    "#ff93cc",
    "#ecc653",
    "#aca6ff",
    "#86b4ff",
    "#5fd699",
    "#ff9a92",
  ];
  const configure = ({ dark, colours }) => {
    const c = { hues: dark ? pale : light, ...colours };
    // An image has no fonts but those of the system, so it is measured with them.
    const fontFamily = "ui-sans-serif, system-ui, sans-serif";
    const shares = Object.fromEntries(
      c.hues.flatMap((hue, i) => [
        [`pie${i + 1}`, hue],
        [`git${i}`, hue],
        [`cScale${i}`, hue],
        [`cScaleLabel${i}`, c.bg],
        [`gitBranchLabel${i}`, c.bg],
      ]),
    );
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: "strict",
      theme: "base",
      fontFamily,
      maxTextSize: 50000,
      maxEdges: 500,
      gantt: { useWidth: 720, fontSize: 14, sectionFontSize: 14, barHeight: 26, leftPadding: 96 },
      themeVariables: {
        darkMode: dark,
        fontFamily,
        fontSize: "15px",
        background: c.bg,
        mainBkg: c.soft,
        primaryColor: c.soft,
        primaryTextColor: c.heading,
        primaryBorderColor: c.line,
        secondaryColor: c.subtle,
        secondaryTextColor: c.heading,
        secondaryBorderColor: c.border,
        tertiaryColor: c.subtle,
        tertiaryTextColor: c.heading,
        tertiaryBorderColor: c.border,
        lineColor: c.muted,
        textColor: c.heading,
        edgeLabelBackground: c.bg,
        clusterBkg: c.subtle,
        clusterBorder: c.border,
        titleColor: c.heading,
        noteBkgColor: c.subtle,
        noteTextColor: c.heading,
        noteBorderColor: c.border,
        actorBkg: c.soft,
        actorBorder: c.line,
        actorTextColor: c.heading,
        signalColor: c.muted,
        signalTextColor: c.heading,
        ...shares,
        pieTitleTextColor: c.heading,
        pieLegendTextColor: c.heading,
        pieSectionTextColor: c.bg,
        pieStrokeColor: c.bg,
        pieOuterStrokeColor: c.border,
        pieOpacity: "1",
        pieTitleTextSize: "18px",
        sectionBkgColor: c.subtle,
        sectionBkgColor2: c.subtle,
        altSectionBkgColor: c.bg,
        gridColor: c.border,
        todayLineColor: c.hues[0],
        taskBkgColor: c.soft,
        taskBorderColor: c.line,
        taskTextColor: c.heading,
        taskTextDarkColor: c.heading,
        taskTextLightColor: c.heading,
        taskTextOutsideColor: c.heading,
        activeTaskBkgColor: c.bg,
        activeTaskBorderColor: c.hues[0],
        doneTaskBkgColor: c.subtle,
        doneTaskBorderColor: c.border,
        critBkgColor: c.soft,
        critBorderColor: c.hues[4],
      },
    });
  };
  const draw = async ({ id, source }) => {
    host.classList.toggle("is-away", id !== undefined);
    try {
      const { svg } = await mermaid.render(`diagram-${count++}`, source, host);
      host.innerHTML = svg;
      const drawn = host.querySelector("svg");
      const box = drawn.viewBox.baseVal;
      const width = Math.ceil(box?.width || drawn.getBoundingClientRect().width);
      const height = Math.ceil(box?.height || drawn.getBoundingClientRect().height);
      drawn.setAttribute("width", String(width));
      drawn.setAttribute("height", String(height));
      const text = [...drawn.querySelectorAll("text, .nodeLabel, .edgeLabel")]
        .map((node) => node.textContent.trim())
        .filter(Boolean);
      parent.postMessage(
        {
          id,
          width,
          height: id === undefined ? height + 2 : height,
          text: [...new Set(text)].join(", ").slice(0, 500),
          svg: id === undefined ? "" : new XMLSerializer().serializeToString(drawn),
        },
        "*",
      );
    } catch (fault) {
      parent.postMessage({ id, width: 0, height: 0, fault: String(fault?.message ?? fault).slice(0, 500) }, "*");
    }
    if (id !== undefined) host.replaceChildren();
  };
  addEventListener("message", (event) => {
    const asked = event.data;
    if (event.source !== parent || typeof asked?.source !== "string") return;
    queue = queue.then(() => {
      configure(asked);
      return draw(asked);
    });
  });
  parent.postMessage("ready", "*");
})();

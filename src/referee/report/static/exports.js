"use strict";
// The view as a file: the drawing as SVG or PNG, its records as CSV.
projfree.exports = (() => {
  const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
  const save = (name, blob) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };

  // A polyline a stretch without gaps, in pixels of the drawing.
  const lines = (view, values) => {
    const found = [];
    let open = null;
    values.forEach((value, i) => {
      if (value === null || value === undefined) return void (open = null);
      if (!open) found.push((open = []));
      open.push(`${view.x(view.grid[i]).toFixed(1)},${view.y(value).toFixed(1)}`);
    });
    return found.map((line) => line.join(" "));
  };

  const ticks = (view) => view.ticks.map(({ side, at, words }) => side === "x"
    ? `<path d="M${at} ${view.bottom}v5M${at} ${view.top}V${view.bottom}" stroke="#ddd"/><text x="${at}" y="${view.bottom + 17}" text-anchor="middle">${escaped(words)}</text>`
    : `<path d="M${view.left - 5} ${at}H${view.right}" stroke="#ddd"/><text x="${view.left - 8}" y="${at + 4}" text-anchor="end">${escaped(words)}</text>`);

  const svg = (view) => {
    const curves = view.curves.flatMap((curve) => lines(view, curve.values).map((line) =>
      `<polyline points="${line}" fill="none" stroke="${curve.colour}" stroke-width="${curve.width}" stroke-dasharray="${curve.dash.join(" ")}" stroke-opacity="${curve.opacity}"/>`));
    const notes = view.notes.map(({ words, x, y }) => `<text x="${x}" y="${y}" text-anchor="end" font-size="11" class="level">${escaped(words)}</text>`);
    const key = view.legend.map((entry, i) => `<g transform="translate(${view.left},${view.height + 14 + 18 * i})"><path d="M0 0h28" stroke="${entry.colour}" stroke-width="2" stroke-dasharray="${entry.dash.join(" ")}"/><text x="36" y="4">${escaped(entry.label)}</text></g>`);
    const height = view.height + 24 + 18 * view.legend.length;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${view.width}" height="${height}" viewBox="0 0 ${view.width} ${height}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>
<text x="${view.left}" y="16" font-weight="bold">${escaped(view.title)}</text>
${ticks(view).join("")}
<clipPath id="plot"><rect x="${view.left}" y="${view.top}" width="${view.right - view.left}" height="${view.bottom - view.top}"/></clipPath><g clip-path="url(#plot)">${curves.join("\n")}</g>${notes.join("")}
<path d="M${view.left} ${view.top}V${view.bottom}H${view.right}" fill="none" stroke="#333"/>
<text x="${(view.left + view.right) / 2}" y="${view.bottom + 36}" text-anchor="middle">${escaped(view.xLabel)}</text>
<text transform="translate(14,${(view.top + view.bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(view.yLabel)}</text>
${key.join("")}</svg>\n`;
  };

  const png = (text) => new Promise((done, fail) => {
    const image = new Image();
    image.onerror = () => fail(new Error("this browser cannot draw the SVG"));
    image.onload = () => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [2 * image.width, 2 * image.height];
      const pen = canvas.getContext("2d");
      pen.scale(2, 2);
      pen.drawImage(image, 0, 0);
      canvas.toBlob(done, "image/png");
    };
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
  });

  const cell = (value) => (value === null || value === undefined ? "" : /[",\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value));

  // Every column of the records of the runs that are shown, from place low to place high.
  const csv = (data, shown, x, low, high) => {
    const names = Object.keys(data.columns), rows = [["experiment", "method", "seed", ...names, "end_status"]];
    const once = new Map(shown.map((run) => [run.from, run]));
    for (const run of once.values())
      for (let i = run.from; i < run.to; i++)
        if (x[i] === null || (x[i] >= low && x[i] <= high))
          rows.push([data.experiment, run.run, run.seed, ...names.map((name) => data.columns[name][i]), run.status]);
    return rows.map((row) => row.map(cell).join(",")).join("\n") + "\n";
  };

  return { save, svg, png, csv };
})();

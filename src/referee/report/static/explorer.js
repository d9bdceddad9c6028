"use strict";
// The explorer: what the reader chose (kept in the address), the controls that change it, the drawing.
(() => {
  const place = document.querySelector(".explorer");
  const panels = JSON.parse(document.querySelector("script.panels").textContent);
  const DASHES = { solid: [], dashed: [8, 5], dotted: [2, 4], dashdot: [8, 4, 2, 4] };
  const POINTS = 400, HEIGHT = 440, STEP = 0.25, ALONG = 25;
  const dark = matchMedia("screen and (prefers-color-scheme: dark)");
  let state, data, chart, view;

  const el = (tag, attributes = {}, ...children) => {
    const node = Object.assign(document.createElement(tag), attributes);
    node.append(...children);
    return node;
  };

  // --- what was chosen: defaults of the panel, then what the address says
  const first = (panel) => ({
    x: panel.x, y: panel.y, xs: panel.x_scale ?? "linear", ys: panel.y_scale, value: panel.running, show: "band",
    off: new Set(panel.only ? Object.keys(panel.methods).filter((name) => !panel.only.includes(name)) : []),
    seeds: new Set(), zoom: null, cost: {},
  });
  const narrow = matchMedia("(max-width: 720px)");
  const listed = (set) => [...set].map(encodeURIComponent).join(",");
  const WORDS = ["x", "y", "xs", "ys", "value", "show"];

  const read = () => {
    const given = new URLSearchParams(location.hash.slice(1));
    const number = Math.min(Math.max(0, Number(given.get("panel")) || 0), panels.length - 1);
    state = { panel: number, ...first(panels[number]) };
    for (const word of WORDS) if (given.has(word)) state[word] = given.get(word);
    for (const word of ["off", "seeds"])
      if (given.has(word)) state[word] = new Set(given.get(word).split(",").filter(Boolean).map(decodeURIComponent));
    const zoom = (given.get("zoom") ?? "").split(",").map(Number);
    if (zoom.length === 4 && zoom.every(Number.isFinite)) state.zoom = zoom;
    for (const pair of (given.get("cost") ?? "").split(",").filter(Boolean)) {
      const [timer, factor] = pair.split(":");
      if (Number(factor) > 0) state.cost[timer] = Number(factor);
    }
  };

  const address = () => {
    const usual = first(panels[state.panel]), said = [];
    if (state.panel) said.push(["panel", state.panel]);
    for (const word of WORDS) if (state[word] !== usual[word]) said.push([word, state[word]]);
    for (const word of ["off", "seeds"]) if (listed(state[word]) !== listed(usual[word])) said.push([word, listed(state[word])]);
    if (state.zoom) said.push(["zoom", state.zoom.map((v) => Number(v.toPrecision(6))).join(",")]);
    const cost = Object.entries(state.cost).filter(([, factor]) => factor !== 1);
    if (cost.length) said.push(["cost", cost.map((pair) => pair.join(":")).join(",")]);
    return said.length ? "#" + new URLSearchParams(said) : location.pathname;
  };

  const changed = (part) => {
    Object.assign(state, part);
    history.replaceState(null, "", address());
    draw();
  };

  // --- controls
  const chooser = (name, words, options, value, choose) => {
    const select = el("select", { name, onchange: () => choose(select.value) });
    for (const [key, text] of options) select.append(el("option", { value: key, textContent: text, selected: key === String(value) }));
    return el("label", {}, words + " ", select);
  };
  const tick = (name, value, checked, choose, ...words) =>
    el("label", { className: "tick" }, el("input", { type: "checkbox", name, value, checked, onchange: (e) => choose(e.target.checked) }), ...words);
  const button = (name, words, press) => el("button", { type: "button", name, textContent: words, onclick: press });
  // A colour as the screen needs it: in the dark its lightness is turned over, its hue and saturation stay.
  const toned = (colour) => {
    if (!dark.matches) return colour;
    const parts = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16) / 255), least = Math.min(...parts);
    const chroma = Math.max(...parts) - least, light = least + chroma / 2, turned = 0.95 - 0.6 * light;
    const wide = chroma && chroma / (1 - Math.abs(2 * light - 1)) * (1 - Math.abs(2 * turned - 1));
    const shown = parts.map((v) => turned - wide / 2 + (chroma && wide * (v - least) / chroma));
    return "#" + shown.map((v) => Math.round(255 * v).toString(16).padStart(2, "0")).join("");
  };
  const swatch = ({ colour, dash }) => {
    const line = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    line.setAttribute("width", 30); line.setAttribute("height", 8); line.setAttribute("aria-hidden", "true");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    for (const [key, value] of Object.entries({ d: "M0 4h30", stroke: toned(colour), "stroke-width": 3, "stroke-dasharray": DASHES[dash].join(" ") })) path.setAttribute(key, value);
    path.dataset.colour = colour;
    line.append(path);
    return line;
  };
  const toggled = (set, name, on) => { const next = new Set(set); on ? next.delete(name) : next.add(name); return next; };

  const axes = () => {
    const known = ["cpu_seconds", "wall_seconds", "iteration"], columns = Object.keys(data.columns);
    const counts = columns.filter((c) => !data.metrics.includes(c) && !/^(model_)?seconds_/.test(c) && !known.includes(c));
    const priced = projfree.timers(data).length ? [projfree.MODEL] : [];
    const own = panels[state.panel].x;
    const names = new Set([own, "cpu_seconds", "model_seconds", ...priced, "wall_seconds", "iteration", ...counts]);
    return [...names].filter((n) => n === projfree.MODEL || n in data.columns).map((n) => [n, projfree.label(data, panels[state.panel], n)]);
  };

  const named = (panel) => {
    const title = panel.title || panel.experiment, alike = panels.filter((p) => (p.title || p.experiment) === title);
    return alike.length > 1 ? `${title} – ${panel.y_label}` : title;
  };

  // On a phone what is seldom changed waits behind a line of its own.
  const folded = (words, ...nodes) => narrow.matches ? [el("details", {}, el("summary", { textContent: words }), ...nodes)] : nodes;

  const controls = () => {
    const panel = panels[state.panel], box = el("form", { className: "controls", onsubmit: () => false }), rest = [];
    const scales = [["linear", "linear"], ["log", "logarithmic"]];
    if (panels.length > 1)
      box.append(chooser("panel", "Panel", panels.map((p, i) => [String(i), named(p)]), state.panel,
        (value) => { history.replaceState(null, "", "#panel=" + value); start(); }));
    rest.push(chooser("x", "Across", axes(), state.x, (x) => { changed({ x, zoom: null }); renew(); }));
    rest.push(chooser("xs", "scale", scales, state.xs, (xs) => changed({ xs, zoom: null })));
    if (!Object.keys(panel.series).length)
      rest.push(chooser("y", "Up", [...new Set([panel.y, ...data.metrics])].filter((n) => n in data.columns).map((n) => [n, projfree.label(data, panel, n)]), state.y, (y) => changed({ y, zoom: null })));
    rest.push(chooser("ys", "scale", scales, state.ys, (ys) => changed({ ys, zoom: null })));
    rest.push(chooser("value", "Value", [["current", "current"], ["best", "best so far"]], state.value, (value) => changed({ value, zoom: null })));
    rest.push(chooser("show", "Runs", [["band", "median and quartiles"], ["runs", "each run"]], state.show, (show) => changed({ show })));
    box.append(...folded("Axes and scales", ...rest));
    if (state.x === projfree.MODEL) box.append(costs());
    return box;
  };

  const called = (timer) => data.work[timer] ?? timer;

  const costs = () => {
    const box = el("fieldset", { className: "costs" }, el("legend", { textContent: "Cost of each oracle, times what it is here" }));
    for (const timer of projfree.timers(data)) {
      const told = el("output", { textContent: String(state.cost[timer] ?? 1) });
      const slide = el("input", { type: "range", name: "cost-" + timer, min: -3, max: 3, step: 0.1, value: Math.log10(state.cost[timer] ?? 1) });
      slide.oninput = () => {
        const factor = Number((10 ** slide.value).toPrecision(2));
        told.textContent = String(factor);
        changed({ cost: { ...state.cost, [timer]: factor }, zoom: null });
      };
      box.append(el("label", {}, called(timer) + " ", slide, told));
    }
    return box;
  };

  // Methods as their curves end, from the top down; after them those that are off.
  const ranked = () => {
    const ends = new Map(view.curves.toReversed().map((c) => [c.method, c.values.findLast((v) => v !== null)]));
    const height = ([name]) => ends.get(name) ?? -Infinity;
    return Object.entries(panels[state.panel].methods).sort((a, b) => (height(a) < height(b)) - (height(a) > height(b)));
  };
  const methods = () => {
    const box = el("fieldset", { className: "methods" }, el("legend", { textContent: "Methods" }));
    for (const [name, look] of ranked()) {
      const told = el("span", { className: "told number" });
      told.dataset.method = name;
      box.append(tick("method", name, !state.off.has(name), (on) => changed({ off: toggled(state.off, name, on) }), swatch(look), " " + look.label + " ", told));
    }
    return box;
  };
  const seeds = () => {
    const box = el("fieldset", { className: "seeds" }, el("legend", { textContent: "Seeds" }));
    for (const seed of new Set(data.runs.map((run) => run[1])))
      box.append(tick("seed", seed, !state.seeds.has(seed), (on) => changed({ seeds: toggled(state.seeds, seed, on) }), " " + seed));
    return box;
  };
  const buttons = () => el("p", { className: "buttons" },
    button("in", "Zoom in", () => zoom(1 - 2 * STEP)), button("out", "Zoom out", () => zoom(1 / (1 - 2 * STEP))),
    button("reset", "Reset zoom", () => changed({ zoom: null })),
    button("again", "Start again", () => { history.replaceState(null, "", location.pathname); start(); }),
    button("svg", "SVG", () => projfree.exports.save(file("svg"), new Blob([projfree.exports.svg(drawing())], { type: "image/svg+xml" }))),
    button("png", "PNG", async () => projfree.exports.save(file("png"), await projfree.exports.png(projfree.exports.svg(drawing())))),
    button("csv", "CSV", () => projfree.exports.save(file("csv"), new Blob([projfree.exports.csv(data, view.shown, view.places, ...view.spanX)], { type: "text/csv" }))));
  const file = (end) => `${place.dataset.name}.${end}`;

  // --- the drawing
  const curves = (members, grid, look, panel) => {
    const base = { colour: look.colour, dash: DASHES[look.dash], opacity: 1, label: look.label, method: members[0].method };
    if (panel.draw === "points" || state.show === "band") {
      const { median, low, high } = (panel.draw === "points" ? projfree.places : projfree.band)(members, grid);
      const edge = { ...base, opacity: 0.35, width: members.length > 1 ? 1 : 0, dash: [] };
      return [{ ...base, values: median, width: 2 }, { ...edge, values: low }, { ...edge, values: high }].filter((c) => c.width);
    }
    return members.map((run) => ({ ...base, width: 1.2, values: projfree.held(run, grid).map((v, i) => (grid[i] <= run.x.at(-1) ? v : null)) }));
  };

  // A reference: a height, or a column (a bound), drawn over the curves.
  const references = (panel, grid, shown, x) => panel.lines.flatMap((line) => {
    const look = { colour: "#444444", dash: DASHES.dashdot, width: 1.2, opacity: 1, label: line.label ?? line.column ?? "" };
    if (line.column === undefined) return [{ ...look, height: line.y, values: grid.map(() => line.y) }];
    if (!data.columns[line.column]) return [];
    const members = shown.map((run) => projfree.points(data, { ...run, column: line.column }, x, { value: "current" })).filter((run) => run.x.length);
    if (!members.length) return [];
    const values = (panel.draw === "points" ? projfree.places : projfree.band)(members, grid).median;
    return [{ ...look, values: values.map((v) => (v === null ? null : v * (line.factor ?? 1))) }];
  });

  const measure = () => {
    const panel = panels[state.panel], places = projfree.axis(data, state.x, state.cost) ?? [];
    const shown = projfree.runs(data, panel, state);
    const members = shown.map((run) => projfree.points(data, run, places, state)).filter((run) => run.x.length);
    const whole = projfree.extent(members.flatMap((run) => run.x), state.xs);
    if (!state.zoom && panel.x_max && state.x === panel.x) whole[1] = Math.min(whole[1], panel.x_max);
    const spanX = state.zoom ? state.zoom.slice(0, 2) : whole;
    const grid = panel.draw === "points"
      ? [...new Set(members.flatMap((run) => run.x))].sort((a, b) => a - b) : projfree.grid(...spanX, state.xs, POINTS);
    const groups = new Map();
    for (const run of members) groups.set(run.method, [...(groups.get(run.method) ?? []), run]);
    const found = [...groups].flatMap(([name, runs]) => curves(runs, grid, panel.methods[name], panel));
    const spanY = state.zoom ? state.zoom.slice(2) : padded(projfree.extent(found.flatMap((c) => c.values), state.ys));
    view = { panel, places, shown, grid, spanX, spanY, curves: [...found, ...references(panel, grid, shown, places)] };
  };
  const padded = ([low, high]) => state.ys === "log" ? [low / (high / low || 2) ** 0.04 / 1.05, high * (high / low || 2) ** 0.04 * 1.05]
    : [low - 0.04 * (high - low || 1), high + 0.04 * (high - low || 1)];

  const drawable = (values) => (state.ys === "log" ? values.map((v) => (v > 0 ? v : null)) : values);
  const options = (width) => ({
    width, height: HEIGHT, legend: { show: false },
    scales: { x: { time: false, distr: state.xs === "log" ? 3 : 1, range: () => view.spanX }, y: { distr: state.ys === "log" ? 3 : 1, range: () => view.spanY } },
    axes: [axisOf("x", projfree.label(data, view.panel, state.x)), axisOf("y", projfree.label(data, view.panel, state.y ?? view.panel.y_label) ?? "")],
    series: [{}, ...view.curves.map((c) => ({ stroke: toned(c.colour), width: c.width, dash: c.dash, alpha: c.opacity, spanGaps: view.panel.draw === "points", points: { show: view.panel.draw === "points" } }))],
    cursor: { drag: { x: true, y: true, uni: ALONG, setScale: false }, points: { show: false }, bind: { dblclick: () => () => changed({ zoom: null }) } },
    hooks: { drawClear: [shade], draw: [heights], setCursor: [tell], setSelect: [selected] },
  });
  // The range that the paper draws, with its ticks along the upper edge.
  const ticks = () => (state.x === view.panel.x && view.panel.ticks?.length ? view.panel.ticks : null);
  const shade = (u) => {
    if (!ticks()) return;
    const { ctx, bbox } = u, [low, high] = view.spanX, wide = 5 * devicePixelRatio, at = (v) => u.valToPos(v, "x", true);
    const [from, to] = [Math.max(ticks()[0], low), Math.min(ticks().at(-1), high)];
    ctx.save();
    ctx.fillStyle = ink("--drawn");
    if (from < to) ctx.fillRect(at(from), bbox.top, at(to) - at(from), bbox.height);
    ctx.fillStyle = ink("color");
    for (const x of ticks().filter((v) => v >= low && v <= high).map(at))
      ctx.fill(new Path2D(`M${x - wide} ${bbox.top}h${2 * wide}l${-wide} ${1.4 * wide}z`));
    ctx.restore();
  };
  // What lines at one height are, written on them; left of the words of a line so near above that both would meet.
  const written = (u) => {
    const { ctx, bbox } = u, ratio = devicePixelRatio, found = [];
    ctx.font = `${11 * ratio}px system-ui, sans-serif`;
    const lines = view.curves.filter((c) => c.height !== undefined).map((c) => ({ words: c.label, at: u.valToPos(c.height, "y") }));
    for (const line of lines.filter(({ at }) => at > 0 && at < bbox.height / ratio).sort((a, b) => a.at - b.at)) {
      const right = Math.max(4, ...found.filter((other) => line.at - other.at < 13).map((other) => other.left + 8));
      found.push({ ...line, right, left: right + ctx.measureText(line.words).width / ratio });
    }
    return found;
  };
  const heights = (u) => {
    const { ctx, bbox } = u, ratio = devicePixelRatio;
    ctx.save();
    Object.assign(ctx, { fillStyle: ink("color"), textAlign: "right" });
    for (const { words, at, right } of written(u)) ctx.fillText(words, bbox.left + bbox.width - right * ratio, bbox.top + (at - 5) * ratio);
    ctx.restore();
  };
  // Ticks of a logarithmic axis: 1 to 9 of each decade, of which 1, 2 and 5 are named; decades alone where there
  // are many; evenly spaced where the axis is shorter than half a decade. (uPlot's own begin at any lower end.)
  const decades = (low, high) => {
    const first = Math.floor(Math.log10(low)), last = Math.ceil(Math.log10(high)), count = last - first;
    const step = Math.ceil(count / 12), digits = count > 4 ? [1] : [1, 2, 3, 4, 5, 6, 7, 8, 9];
    if (high / low < 3) return projfree.grid(low, high, "linear", 7).slice(1, -1).map((v) => Number(v.toPrecision(2)));
    return Array.from({ length: Math.floor(count / step) + 1 }, (_, i) => digits.map((d) => Number(`${d}e${first + i * step}`)))
      .flat().filter((v) => v >= low && v <= high);
  };
  const plain = (v) => v === 0 ? "0" : Math.abs(v) >= 1e4 || Math.abs(v) < 1e-3 ? v.toExponential().replace("+", "") : String(Number(v.toPrecision(6)));
  const named10 = (v) => ["1", "2", "5"].includes(v.toExponential().split("e")[0]);
  const ink = (property) => getComputedStyle(place.querySelector(".chart")).getPropertyValue(property).trim();
  const axisOf = (side, label) => {
    const scale = side === "x" ? state.xs : state.ys, line = { stroke: ink("--grid"), width: 1 };
    const size = { stroke: ink("color"), grid: line, ticks: line, ...(side === "x" ? {} : { size: 70 }) };
    if (scale !== "log") return { label, ...size, values: (_, splits) => splits.map((v) => (v === null ? null : plain(Number(v.toPrecision(10))))) };
    const all = (splits) => splits.length < 8;
    return { label, ...size, filter: (_, splits) => splits, splits: (_u, _i, low, high) => decades(low, high),
      values: (_, splits) => splits.map((v) => (all(splits) || named10(v) ? plain(v) : null)) };
  };

  const draw = () => {
    measure();
    const box = place.querySelector(".chart");
    chart?.destroy();
    chart = new uPlot(options(box.clientWidth), [view.grid, ...view.curves.map((c) => drawable(c.values))], box);
    const visible = new Set(view.curves.map((c) => c.method).filter(Boolean));
    place.querySelector(".state").textContent = `${visible.size} curves, ${view.shown.length} runs` + (data.every > 1 ? `; every ${data.every}th record` : "")
      + (ticks() ? `; shaded: the paper's axis, ${ticks()[0]} to ${ticks().at(-1)}, with its ticks on top` : "");
    place.dataset.ready = String(Number(place.dataset.ready ?? 0) + 1);
  };

  const selected = (u) => {
    const { left, top, width, height } = u.select, { clientWidth, clientHeight } = u.over;
    if (width < 8 || height < 8) return;
    const at = (position, scale) => u.posToVal(position, scale);
    const x = width < clientWidth ? [at(left, "x"), at(left + width, "x")] : view.spanX;
    const y = height < clientHeight ? [at(top + height, "y"), at(top, "y")] : view.spanY;
    queueMicrotask(() => changed({ zoom: [...x, ...y] })); // once the old chart has let go of the mouse
  };
  // Both axes narrower or wider about the reading line, or about the middle.
  const zoom = (by) => {
    const span = ([low, high], scale, centre) => {
      const [to, from] = scale === "log" ? [Math.log, Math.exp] : [(v) => v, (v) => v];
      return [low, high].map((v) => from(to(centre) + (to(v) - to(centre)) * by));
    };
    const middle = (low, high, scale) => (scale === "log" ? Math.sqrt(low * high) : (low + high) / 2);
    const x = view.grid[chart.cursor.idx] ?? middle(...view.spanX, state.xs);
    changed({ zoom: [...span(view.spanX, state.xs, x), ...span(view.spanY, state.ys, middle(...view.spanY, state.ys))] });
  };

  // Values of the curves at the reading line, beside their names.
  const tell = (u) => {
    const at = u.cursor.idx;
    for (const told of place.querySelectorAll(".told")) {
      const value = view.curves.find((c) => c.method === told.dataset.method)?.values[at ?? -1];
      told.textContent = value === null || value === undefined ? "" : value.toPrecision(4);
    }
    place.querySelector(".at").textContent = at === null || at === undefined ? "" : `at ${Number(view.grid[at].toPrecision(4))}`;
  };
  const KEYS = { ArrowLeft: -8, ArrowRight: 8 };
  const press = (event) => {
    if (event.key in KEYS) {
      const { left } = chart.cursor, width = chart.bbox.width / devicePixelRatio;
      chart.setCursor({ left: Math.min(Math.max((left < 0 ? width / 2 : left) + KEYS[event.key], 0), width - 1), top: 10 });
    } else if (event.key === "+") zoom(1 - 2 * STEP);
    else if (event.key === "-") zoom(1 / (1 - 2 * STEP));
    else if (event.key === "0") changed({ zoom: null });
    else return;
    event.preventDefault();
  };

  const drawing = () => {
    const [ratio, { bbox }] = [devicePixelRatio, chart];
    const box = { left: bbox.left / ratio, top: bbox.top / ratio + 20, right: (bbox.left + bbox.width) / ratio, bottom: (bbox.top + bbox.height) / ratio + 20 };
    const at = (value, scale) => chart.valToPos(value, scale);
    const ticks = ["x", "y"].flatMap((side, i) => chart.axes[i]._splits.map((value, k) => ({
      side, words: chart.axes[i]._values[k] ?? "", at: at(value, side) + (side === "x" ? box.left : box.top),
    }))).filter((t) => t.words !== "" && (t.side === "x" ? t.at >= box.left - 1 && t.at <= box.right + 1 : t.at >= box.top - 1 && t.at <= box.bottom + 1));
    const names = new Map(view.curves.filter((c) => c.height === undefined).map((c) => [c.label, c]));
    return {
      ...box, ticks, grid: view.grid, width: chart.width, height: HEIGHT + 20, legend: [...names.values()],
      notes: written(chart).map((note) => ({ words: note.words, x: box.right - note.right, y: box.top + note.at - 5 })),
      title: [place.dataset.name, view.panel.title].filter(Boolean).join(": "),
      xLabel: projfree.label(data, view.panel, state.x), yLabel: projfree.label(data, view.panel, state.y ?? view.panel.y_label),
      x: (v) => at(v, "x") + box.left, y: (v) => at(v, "y") + box.top,
      curves: view.curves.map((c) => ({ ...c, values: drawable(c.values) })),
    };
  };

  // --- the whole
  const renew = () => place.querySelector(".controls").replaceWith(controls());
  const start = async () => {
    read();
    try {
      data = await projfree.load(panels[state.panel].experiment);
    } catch (error) {
      return place.replaceChildren(el("p", { textContent: `No curves to explore: ${error.message}.` }));
    }
    const area = el("div", { className: "chart", tabIndex: 0, onkeydown: press });
    area.setAttribute("role", "application");
    area.setAttribute("aria-label", "Curves. Left and right move the reading line, plus and minus zoom, 0 resets. Drag along an axis to zoom it, across both to zoom both; a double click resets.");
    const status = el("p", { className: "soft" }, el("span", { className: "state" }), " ", el("span", { className: "at number" }));
    status.setAttribute("role", "status");
    chart = null;
    measure();
    place.replaceChildren(controls(), area, status, methods(), ...folded("Seeds, zoom and files", buttons(), seeds()));
    draw();
  };
  addEventListener("hashchange", start);
  dark.addEventListener("change", () => {
    for (const path of place.querySelectorAll("path[data-colour]")) path.setAttribute("stroke", toned(path.dataset.colour));
    if (chart) draw();
  });
  let width = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== width && chart) { width = innerWidth; draw(); } });
  start();
})();

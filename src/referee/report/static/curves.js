"use strict";
// From records to curves: places and values of each run, medians and quartiles over runs. Nothing is drawn here.
const projfree = (() => {
  const loaded = {}, wanted = {};
  const folder = document.currentScript.dataset.records;  // of the paper; this script serves all papers
  const MODEL = "priced";

  // Records come as scripts, which a page opened from a folder may load; each file is asked for once.
  const load = (name) => (wanted[name] ??= new Promise((done, fail) => {
    const script = document.createElement("script");
    script.src = `${folder}${encodeURIComponent(name)}.js`;
    script.onload = () => done(loaded[name]);
    script.onerror = () => fail(new Error(`the records of ${name} are not beside this page`));
    document.head.append(script);
  }));
  window.projfreeData = (name, data) => { loaded[name] = data; };

  // Seconds in each oracle: of counts times unit costs where they are known, else of this machine's clock.
  const total = (data) => (data.columns.model_seconds ? "model_seconds" : "cpu_seconds");
  const timers = (data) => {
    const prefix = total(data) === "model_seconds" ? "model_seconds_" : "seconds_";
    return Object.keys(data.columns).filter((name) => name.startsWith(prefix));
  };

  const oracle = (timer) => timer.replace(/^(model_)?seconds_/, "").split("_in_")[0];

  // A column; or seconds on a machine where each oracle costs its factor times as much as here.
  const axis = (data, name, factors) => {
    if (name !== MODEL) return data.columns[name];
    const changed = timers(data).filter((timer) => (factors[timer] ?? 1) !== 1);
    return data.columns[total(data)].map((cpu, i) =>
      cpu === null ? null : changed.reduce((sum, t) => sum + (factors[t] - 1) * (data.columns[t][i] ?? 0), cpu));
  };

  const label = (data, panel, name) =>
    name === MODEL ? "time at other costs of oracles (s)" : name === panel.x && panel.x_label ? panel.x_label
      : name === panel.y && panel.y_label ? panel.y_label : data.labels[name] ?? name;

  // Runs that are shown: of each curve its label, its look, its seed, and where its records stand.
  const runs = (data, panel, state) => {
    const series = Object.entries(panel.series);
    const chosen = data.runs.filter(([method, seed]) => !state.seeds.has(seed)
      && (series.length ? panel.rows.includes(method) : method in panel.methods && !state.off.has(method)));
    const one = ([method, seed, from, to, status], name, column) =>
      ({ method: name, run: method, seed, from, to, status, column });
    return series.length
      ? series.filter(([name]) => !state.off.has(name)).flatMap(([name]) => chosen.map((r) => one(r, name, name)))
      : chosen.map((r) => one(r, r[0], state.y));
  };

  const better = (data, name) => (data.rising.includes(name) ? Math.max : Math.min);

  // Places and values of one run, without those that are no numbers.
  const points = (data, run, x, state) => {
    const y = data.columns[run.column], found = { ...run, x: [], y: [] }, pick = better(data, run.column);
    if (!y) return found;
    let best = null;
    for (let i = run.from; i < run.to; i++) {
      if (x[i] === null || y[i] === null) continue;
      best = best === null ? y[i] : pick(best, y[i]);
      found.x.push(x[i]);
      found.y.push(state.value === "best" ? best : y[i]);
    }
    return found;
  };

  // A run's value holds until its next record.
  const held = (run, grid) => {
    let at = -1;
    return grid.map((place) => {
      while (at + 1 < run.x.length && run.x[at + 1] <= place) at++;
      return at < 0 ? null : run.y[at];
    });
  };

  const quantile = (sorted, share) => {
    const place = (sorted.length - 1) * share, low = Math.floor(place), high = Math.ceil(place);
    return sorted[low] + (sorted[high] - sorted[low]) * (place - low);
  };

  // Median and quartiles; a run that ended keeps its value as long as half of the runs go on.
  const band = (members, grid) => {
    const rows = members.map((run) => held(run, grid));
    const end = quantile(members.map((run) => run.x.at(-1)).sort((a, b) => a - b), 0.5);
    const found = { median: [], low: [], high: [] };
    grid.forEach((place, i) => {
      const values = rows.map((row) => row[i]);
      const told = place <= end && !values.includes(null);
      if (told) values.sort((a, b) => a - b);
      for (const [name, share] of [["median", 0.5], ["low", 0.25], ["high", 0.75]])
        found[name].push(told ? quantile(values, share) : null);
    });
    return found;
  };

  // Quartiles over all records at a place: for points, which are few.
  const places = (members, grid) => {
    const at = new Map(grid.map((place) => [place, []]));
    members.forEach((run) => run.x.forEach((place, i) => at.get(place)?.push(run.y[i])));
    const rows = grid.map((place) => at.get(place).sort((a, b) => a - b));
    const told = (share) => rows.map((row) => (row.length ? quantile(row, share) : null));
    return { median: told(0.5), low: told(0.25), high: told(0.75) };
  };

  const grid = (low, high, scale, count) => Array.from({ length: count }, (_, i) => {
    const share = i / (count - 1);
    return i === count - 1 ? high : scale === "log" ? low * (high / low) ** share : low + (high - low) * share;
  });

  const extent = (values, scale) => {
    let low = Infinity, high = -Infinity;
    for (const value of values) {
      if (value === null || (scale === "log" && value <= 0)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return low <= high ? [low, high] : scale === "log" ? [0.1, 1] : [0, 1];
  };

  return { MODEL, load, timers, oracle, axis, label, runs, points, held, band, places, grid, extent };
})();

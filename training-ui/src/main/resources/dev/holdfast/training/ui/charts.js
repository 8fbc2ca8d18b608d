// The curves: eight small uPlot charts over one x-axis (timesteps), with one cursor and one zoom.

/** What is drawn where. A metric with right: true has its own axis on the right side. */
export const CHARTS = [
  { id: "return", metrics: [{ key: "ep_rew_mean" }] },
  { id: "length", metrics: [{ key: "ep_len_mean" }] },
  { id: "losses", metrics: [{ key: "value_loss" }, { key: "loss" }, { key: "policy_gradient_loss", right: true }] },
  { id: "kl", metrics: [{ key: "approx_kl" }] },
  { id: "clip", metrics: [{ key: "clip_fraction" }] },
  { id: "entropy", metrics: [{ key: "entropy_loss" }] },
  { id: "variance", metrics: [{ key: "explained_variance" }] },
  { id: "speed", metrics: [{ key: "fps" }] },
];
const KEYS = CHARTS.flatMap((chart) => chart.metrics.map((metric) => metric.key));
const HEIGHT = 190;
const DASHES = { main: undefined, 0: [7, 4], 1: [2, 3] };

/** The points of one run, by column, in order of timesteps. */
export class Points {
  constructor() {
    this.x = [];
    this.columns = Object.fromEntries(KEYS.map((key) => [key, []]));
  }

  get length() {
    return this.x.length;
  }

  /**
   * Adds points behind those that are here. A run that was resumed from an older checkpoint goes back in steps:
   * what it replaces is dropped. Two points of the same step become one.
   */
  append(rows) {
    for (const row of rows) {
      const at = row.timesteps;
      if (!Number.isFinite(at)) continue;
      while (this.length && this.x[this.length - 1] > at) this.#pop();
      const same = this.length && this.x[this.length - 1] === at;
      if (!same) this.x.push(at);
      for (const key of KEYS) {
        const value = Number.isFinite(row[key]) ? row[key] : null;
        const column = this.columns[key];
        if (!same) column.push(value);
        else if (value !== null) column[column.length - 1] = value;
      }
    }
    return this;
  }

  #pop() {
    this.x.pop();
    for (const key of KEYS) this.columns[key].pop();
  }
}

/** Exponential moving average that starts unbiased; weight 0 gives the values themselves. */
export function smooth(values, weight) {
  if (weight <= 0) return values;
  let sum = 0;
  let norm = 0;
  return values.map((value) => {
    if (value === null) return null;
    sum = weight * sum + (1 - weight) * value;
    norm = weight * norm + (1 - weight);
    return sum / norm;
  });
}

/** All x of several runs, ascending, each once. */
function union(lists) {
  if (lists.length === 1) return lists[0];
  const all = Float64Array.from(lists.flat()).sort();
  const out = [];
  for (const value of all) if (out.length === 0 || out[out.length - 1] !== value) out.push(value);
  return out;
}

/** The values of one run laid onto the common x, null between. */
function align(x, values, common) {
  if (x === common) return values;
  const out = new Array(common.length).fill(null);
  let at = 0;
  for (let i = 0; i < x.length; i++) {
    while (common[at] < x[i]) at++;
    out[at] = values[i];
  }
  return out;
}

/**
 * The board of charts. `root` gets the elements; `view` says how things are written:
 * ready(), title(id), metricName(key), definition(id), number(value), compact(value), empty(), latest(id, parts, x), at(x), rightAxis(text).
 */
export class Board {
  #root; #view; #charts = []; #points = new Points(); #overlays = []; #weight = 0.6; #zoom = null; #full = [0, 1];
  #dirty = false; #frame = 0; #colours = {}; #onZoom; #observer; #rebuild = true;

  constructor(root, view, onZoom) {
    this.#root = root;
    this.#view = view;
    this.#onZoom = onZoom;
    this.#observer = new ResizeObserver((entries) => {
      for (const entry of entries) {
        const chart = this.#charts.find((one) => one.canvas === entry.target);
        const width = Math.floor(entry.contentRect.width);
        if (chart?.plot && width > 0 && width !== chart.plot.width) chart.plot.setSize({ width, height: HEIGHT });
      }
    });
    for (const definition of CHARTS) this.#charts.push(this.#element(definition));
    this.readColours();
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.#dirty) this.#later();
    });
  }

  setPoints(points) {
    this.#points = points;
    this.#later();
  }

  /** overlays: [{name, points}], at most two. */
  setOverlays(overlays) {
    this.#overlays = overlays;
    this.#rebuild = true;
    this.#later();
  }

  setSmoothing(weight) {
    this.#weight = weight;
    this.#later();
  }

  resetZoom() {
    this.#setZoom(null);
  }

  /** After another language: headings, axes and values are written anew. */
  retitle() {
    this.#rebuild = true;
    this.#later();
  }

  /** After another theme. */
  readColours() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["c1", "c2", "c3", "o1", "o2", "grid", "axis", "text"]) this.#colours[name] = style.getPropertyValue("--" + name).trim();
    for (const chart of this.#charts) chart.plot?.redraw(false, true);
  }

  #element(definition) {
    const make = (tag, className) => Object.assign(document.createElement(tag), { className });
    const box = make("figure", "chart");
    const head = make("div", "chart-head");
    const title = make("h3", "");
    title.id = "title-" + definition.id;
    const latest = make("span", "latest");
    head.append(title, latest);
    const readout = make("div", "readout");
    readout.setAttribute("aria-hidden", "true");
    const canvas = make("div", "canvas empty");
    canvas.id = "chart-" + definition.id;
    canvas.setAttribute("role", "img");
    canvas.dataset.points = "0";
    canvas.dataset.last = "";
    box.append(head, readout, canvas);
    let legend = null;
    if (definition.metrics.length > 1) {
      legend = make("ul", "legend");
      box.append(legend);
    }
    this.#root.append(box);
    this.#observer.observe(canvas);
    return { definition, title, latest, readout, canvas, legend, plot: null };
  }

  #later() {
    this.#dirty = true;
    if (document.hidden || this.#frame || !this.#view.ready()) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#dirty = false;
      this.#draw();
    });
  }

  #setZoom(zoom) {
    this.#zoom = zoom;
    for (const { plot } of this.#charts) plot?.setScale("x", { min: this.#range()[0], max: this.#range()[1] });
    this.#onZoom(zoom !== null);
  }

  #range() {
    return this.#zoom ?? this.#full;
  }

  #runs() {
    return [{ points: this.#points, who: "main" }, ...this.#overlays.map((overlay, i) => ({ points: overlay.points, who: i, name: overlay.name }))];
  }

  #draw() {
    const runs = this.#runs().filter((run) => run.who === "main" || run.points.length);
    const filled = runs.filter((run) => run.points.length);
    const x = filled.length ? union(filled.map((run) => run.points.x)) : [];
    const first = x.length ? x[0] : 0;
    const last = x.length ? x[x.length - 1] : 1;
    this.#full = first < last ? [first, last] : [Math.max(0, first - 1), first + 1];
    for (const chart of this.#charts) {
      this.#describe(chart);
      if (!window.uPlot) continue;
      if (this.#rebuild || !chart.plot) this.#build(chart, runs);
      chart.plot.setData(this.#data(chart.definition, runs, x), true);
    }
    this.#rebuild = false;
  }

  #data(definition, runs, x) {
    const data = [x];
    for (const metric of definition.metrics) {
      for (const run of runs) {
        const raw = run.points.columns[metric.key];
        if (run.who === "main") data.push(this.#weight > 0 ? align(run.points.x, raw, x) : new Array(x.length).fill(null));
        data.push(align(run.points.x, smooth(raw, this.#weight), x));
      }
    }
    return data;
  }

  #build(chart, runs) {
    const { definition, canvas } = chart;
    chart.plot?.destroy();
    const series = [{}];
    definition.metrics.forEach((metric, i) => {
      const scale = metric.right ? "right" : "y";
      for (const run of runs) {
        const colour = run.who === "main" ? "c" + (i + 1) : "o" + (run.who + 1);
        const stroke = () => this.#colours[colour];
        if (run.who === "main") series.push({ scale, stroke, width: 1, alpha: 0.35, spanGaps: true, points: { show: false }, raw: true });
        series.push({ scale, stroke, width: 2, spanGaps: true, dash: DASHES[run.who], points: { size: 4, fill: stroke }, metric: metric.key, name: run.name });
      }
    });
    const axis = { stroke: () => this.#colours.axis, font: "11px system-ui, sans-serif", grid: { stroke: () => this.#colours.grid, width: 1 }, ticks: { show: false } };
    const values = (plot, splits) => splits.map((split) => (split === null ? "" : this.#view.compact(split)));
    const axes = [
      { ...axis, size: 26, gap: 2, space: 60, values },
      { ...axis, size: (plot, labels) => this.#width(labels), gap: 4, space: 32, values, scale: "y" },
    ];
    if (definition.metrics.some((metric) => metric.right)) axes.push({ ...axis, grid: { show: false }, side: 1, size: 54, gap: 4, space: 32, values, scale: "right" });
    chart.plot = new window.uPlot({
      width: Math.max(120, Math.floor(canvas.clientWidth)), height: HEIGHT,
      padding: [8, definition.metrics.some((metric) => metric.right) ? 0 : 12, 0, 0],
      legend: { show: false },
      scales: { x: { time: false, range: () => this.#range() }, y: { auto: true }, right: { auto: true } },
      series, axes,
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: true, y: false, setScale: false },
        sync: { key: "holdfast", setSeries: false, scales: ["x", null], filters: { pub: (type) => type === "mousemove" || type === "mouseleave" } },
        bind: { dblclick: () => () => { this.#setZoom(null); return null; } },
      },
      hooks: {
        setSelect: [(plot) => {
          const { left, width } = plot.select;
          if (width < 4) return;
          const zoom = [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          if (zoom[0] < zoom[1]) this.#setZoom(zoom);
        }],
        setCursor: [(plot) => this.#read(chart, plot)],
      },
    }, this.#data(definition, runs, []), canvas);
  }

  #width(labels) {
    const longest = Math.max(3, ...(labels ?? []).map((label) => String(label).length));
    return 12 + longest * 6.4;
  }

  /** The values under the cursor. */
  #read(chart, plot) {
    const at = plot.cursor.left >= 0 ? plot.cursor.idx : null;
    if (at === null || at === undefined) {
      chart.readout.textContent = "";
      return;
    }
    const parts = [];
    plot.series.forEach((series, i) => {
      if (i === 0 || series.raw) return;
      let value = plot.data[i][at];
      for (let back = at; value === null && back > 0 && back > at - 200; back--) value = plot.data[i][back - 1];
      if (value === null || value === undefined) return;
      parts.push((series.name ? series.name + " " : chart.definition.metrics.length > 1 ? this.#view.metricName(series.metric) + " " : "") + this.#view.number(value));
    });
    chart.readout.textContent = parts.length ? this.#view.at(plot.data[0][at]) + ": " + parts.join(" · ") : "";
  }

  /** Heading, latest value, label and counts: all that doesn't need a canvas. */
  #describe({ definition, title, latest, canvas, legend }) {
    const view = this.#view;
    const { x, columns } = this.#points;
    let drawn = 0;
    let last = -1;
    for (let i = 0; i < x.length; i++) {
      if (definition.metrics.some((metric) => columns[metric.key][i] !== null)) {
        drawn++;
        last = i;
      }
    }
    const parts = definition.metrics.map((metric) => {
      const column = columns[metric.key];
      let value = null;
      for (let i = last; i >= 0 && value === null; i--) value = column[i];
      return { key: metric.key, value };
    });
    title.textContent = view.title(definition.id);
    const help = view.definition(definition.metrics.map((metric) => metric.key));
    if (help) title.title = help;
    else title.removeAttribute("title");
    const single = parts.length === 1;
    latest.textContent = single ? (parts[0].value === null ? "–" : view.number(parts[0].value)) : "";
    canvas.dataset.points = String(drawn);
    canvas.dataset.last = last < 0 ? "" : String(x[last]);
    canvas.setAttribute("aria-label", view.latest(definition.id, parts.filter((part) => part.value !== null), last < 0 ? null : x[last]));
    canvas.dataset.empty = window.uPlot ? view.empty() : view.missing();
    const any = this.#overlays.some((overlay) => definition.metrics.some((metric) => overlay.points.columns[metric.key].some((value) => value !== null)));
    canvas.classList.toggle("empty", (drawn === 0 && !any) || !window.uPlot);
    if (!legend) return;
    legend.replaceChildren(...definition.metrics.map((metric, i) => {
      const item = document.createElement("li");
      const swatch = document.createElement("span");
      swatch.className = "swatch c" + (i + 1);
      const name = view.metricName(metric.key);
      const text = document.createElement("span");
      text.textContent = metric.right ? view.rightAxis(name) : name;
      const value = document.createElement("span");
      value.className = "latest";
      value.textContent = parts[i].value === null ? "–" : view.number(parts[i].value);
      item.append(swatch, text, value);
      return item;
    }));
  }
}

// The training page: starts, watches and controls one training run over the server's JSON calls.
import { Board, Points } from "/charts.js";

const $ = (id) => document.getElementById(id);
const HIDDEN_FIELDS = new Set(["control_file", "progress_json", "verbose", "resume"]);
const LIVE = new Set(["created", "running", "paused", "stopping"]);
const OPEN_GROUPS = new Set(["environment", "run"]);
const STATUS_LOOK = {
  none: ["○", "gray"], created: ["…", "accent"], running: ["▶", "ok"], paused: ["Ⅱ", "warn"], stopping: ["…", "warn"],
  stopped: ["■", "gray"], exited: ["✓", "ok"], failed: ["✕", "bad"],
};
const TONE_ICONS = { ok: "✓", warn: "!", bad: "✕", gray: "•" };
const MAX_POINTS = 20000;
const THIN_LIMIT = 4000;
const LOG_TAIL = 500;
const RUNS_SHOWN = 10;

// ---------------------------------------------------------------- small helpers

/** An element with attributes and children; text is always set as text. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name === "class") element.className = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Changes the text only if it is another one: the page stays quiet for screen readers and the layout. */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function store(kind, name, value) {
  try {
    const storage = kind === "session" ? sessionStorage : localStorage;
    if (value === undefined) return storage.getItem("holdfast." + name);
    if (value === null) storage.removeItem("holdfast." + name);
    else storage.setItem("holdfast." + name, value);
  } catch {
    // Storage may be switched off; then nothing is remembered.
  }
  return null;
}

const finite = (value) => typeof value === "number" && Number.isFinite(value);

// ---------------------------------------------------------------- texts

let language = store("local", "language");
let texts = {};
let textsReady = false;
let textsLoading = false;

function t(key, ...values) {
  const text = texts[key] ?? key;
  return values.length ? text.replace(/\{(\d)\}/g, (whole, i) => (i in values ? String(values[i]) : whole)) : text;
}

function textOr(key, otherwise) {
  return texts[key] ?? otherwise;
}

const WORDS = { kl: "KL", gae: "GAE", ppo: "PPO", cpu: "CPU", gpu: "GPU", id: "ID", csv: "CSV", json: "JSON", env: "environment", envs: "environments", obs: "observations", eval: "evaluation", args: "arguments", lr: "learning rate" };

/** A key as words, for what the texts have no name of: "n_envs" becomes "Number of environments". */
function humanised(key) {
  const words = key.split(/[_\s-]+/).filter(Boolean).map((word, i) => (i === 0 && word === "n" ? "number of" : WORDS[word] ?? word)).join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

let formats = {};
function makeFormats() {
  const lang = language || "en";
  formats = {
    whole: new Intl.NumberFormat(lang, { maximumFractionDigits: 0 }),
    short: new Intl.NumberFormat(lang, { maximumSignificantDigits: 4 }),
    compact: new Intl.NumberFormat(lang, { notation: "compact", maximumSignificantDigits: 3 }),
    date: new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short" }),
  };
}

function whole(value) {
  return finite(value) ? formats.whole.format(value) : "–";
}

function number(value) {
  if (!finite(value)) return "–";
  const size = Math.abs(value);
  return size !== 0 && (size < 0.001 || size >= 1e7) ? value.toExponential(2) : size >= 1000 ? formats.whole.format(value) : formats.short.format(value);
}

function compact(value) {
  const size = Math.abs(value);
  return size !== 0 && (size < 0.001 || size >= 1e12) ? value.toExponential(0) : formats.compact.format(value);
}

function duration(seconds) {
  if (!finite(seconds) || seconds < 0) return "–";
  const s = Math.round(seconds);
  if (s < 60) return t("time.s", s);
  if (s < 3600) return t("time.m", Math.floor(s / 60), s % 60);
  if (s < 86400) return t("time.h", Math.floor(s / 3600), Math.floor((s % 3600) / 60));
  return t("time.d", Math.floor(s / 86400), Math.floor((s % 86400) / 3600));
}

function applyTexts() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-text]")) {
    const text = texts[element.dataset.text];
    if (text !== undefined) setText(element, text);
  }
  for (const [data, attribute] of [["textTitle", "title"], ["textLabel", "aria-label"], ["textPlaceholder", "placeholder"]]) {
    const name = "data-" + data.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase());
    for (const element of document.querySelectorAll("[" + name + "]")) {
      const text = texts[element.dataset[data]];
      if (text !== undefined) element.setAttribute(attribute, text);
    }
  }
  $("language").value = language;
}

async function loadTexts() {
  let answer;
  textsLoading = true;
  try {
    answer = await api("/texts.json");
  } finally {
    textsLoading = false;
  }
  texts = answer.texts ?? {};
  textsReady = true;
  language = answer.lang === "zh-CN" || String(answer.lang).startsWith("zh") ? "zh-CN" : "en";
  makeFormats();
  applyTexts();
  showSchema();
  runsSignature = "";
  renderRuns();
  render();
}

// ---------------------------------------------------------------- calls

class ApiError extends Error {
  constructor(status, message, field) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

async function api(path, { body, signal } = {}) {
  const headers = {};
  if (language) headers["Accept-Language"] = language;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const response = await fetch(path, {
    method: body === undefined ? "GET" : "POST", headers, signal, credentials: "same-origin", cache: "no-store",
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  let answer = null;
  try {
    answer = await response.json();
  } catch {
    if (response.ok) throw new ApiError(0, "no JSON");
  }
  if (!response.ok) throw new ApiError(response.status, answer?.error || response.status + " " + response.statusText, answer?.field || null);
  return answer ?? {};
}

/** What a call's failure is called in front of the user. */
function describe(error) {
  if (error instanceof ApiError && error.status === 401) return t("connection.cookie");
  if (error instanceof ApiError && error.status > 0) return error.message;
  return t("connection.lost");
}

// ---------------------------------------------------------------- theme

function applyTheme(theme) {
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  $("theme").value = theme === "light" || theme === "dark" ? theme : "auto";
  board?.readColours();
}

// ---------------------------------------------------------------- form

let schema = null;
/** What was typed: text per field, boolean per flag; and the environment's own parameters, per environment. */
let draft = { values: {}, args: {} };
try {
  const saved = JSON.parse(store("session", "draft") ?? "{}");
  if (saved.values && saved.args) draft = saved;
} catch {
  // An unreadable draft is no draft.
}
const fields = new Map();

function saveDraft() {
  store("session", "draft", JSON.stringify(draft));
}

const ARGUMENTS = "env_args";

function schemaField(key) {
  return schema?.fields.find((field) => field.key === key) ?? null;
}

function fieldLabel(key) {
  return textOr("field." + key, humanised(key));
}

const isNumeric = (type) => type === "integer" || type === "number";

/** A number field that also takes the word "none" can't be a number input. */
function takesNone(field) {
  return isNumeric(field.type) && field.default !== "none" && /\bnone\b/i.test(field.range ?? "");
}

function pairsText(value) {
  return value && typeof value === "object" ? Object.entries(value).map(([name, one]) => name + "=" + one).join("\n") : String(value ?? "");
}

function defaultText(field) {
  if (field.type === "pairs") return pairsText(field.default);
  return field.default === null || field.default === undefined ? "" : String(field.default);
}

/** What the form says of a field: what was typed, or the default. */
function chosen(key) {
  return String(draft.values[key] ?? schemaField(key)?.default ?? "");
}

function currentEnvironment() {
  const name = chosen("env");
  return schema?.environments.find((environment) => environment.name === name) ?? null;
}

function currentBackend() {
  const name = chosen("backend");
  return schema?.backends.find((backend) => backend.name === name) ?? null;
}

/** The options of a select: [{value, text, disabled}], or null for other kinds of input. */
function optionsOf(field) {
  const plain = (values) => values.map((value) => ({ value: String(value), text: String(value) }));
  switch (field.key) {
    case "env": return plain(schema.environments.map((environment) => environment.name));
    case "backend": return schema.backends.map((backend) => ({
      value: backend.name, disabled: !backend.available,
      text: backend.available ? backend.name : t("backend.missing", backend.name),
    }));
    case "config_profile": return plain(currentEnvironment()?.config_profiles ?? []);
    case "reward_profile": return plain(currentEnvironment()?.reward_profiles ?? []);
    default: return field.type === "choice" ? plain(field.choices ?? []) : null;
  }
}

function fillSelect(select, options, defaultValue, value) {
  const list = [...options];
  if (!list.some((option) => option.value === defaultValue)) list.unshift({ value: defaultValue, text: defaultValue || t("choice.default") });
  select.replaceChildren(...list.map((option) => make("option", {
    value: option.value, disabled: option.disabled,
    text: option.value === defaultValue && option.text ? t("choice.marked", option.text) : option.text,
  })));
  select.value = list.some((option) => option.value === value) ? value : defaultValue;
  return select.value;
}

/** One field: label, input, help, error. `entry` has get and set of the draft's value. */
function fieldElement(id, field, label, options, access) {
  const helpId = "help-" + id;
  const errorId = "error-" + id;
  const common = { id: "field-" + id, name: id, "aria-describedby": helpId + " " + errorId };
  const fallback = defaultText(field);
  let input;
  if (options) {
    input = make("select", common);
    fillSelect(input, options, fallback, String(access.get() ?? fallback));
  } else if (field.type === "flag") {
    input = make("input", { ...common, type: "checkbox" });
    const value = access.get() ?? field.default;
    input.checked = value === true || value === "true";
  } else if (field.type === "pairs") {
    input = make("textarea", { ...common, rows: 2, placeholder: fallback || t("pairs.placeholder"), spellcheck: "false" });
    input.value = access.get() ?? "";
  } else if (isNumeric(field.type) && !takesNone(field)) {
    input = make("input", {
      ...common, type: "number", min: finite(field.low) ? field.low : null, max: finite(field.high) ? field.high : null,
      step: field.type === "integer" ? 1 : "any", inputmode: field.type === "integer" && !(field.low < 0) ? "numeric" : "decimal", placeholder: fallback,
    });
    input.value = access.get() ?? "";
  } else {
    input = make("input", { ...common, type: "text", placeholder: fallback, spellcheck: "false", autocapitalize: "none" });
    input.value = access.get() ?? "";
  }
  const labelElement = make("label", { for: common.id, text: label });
  const flag = field.flag ? make("code", { class: "key", text: field.flag }) : null;
  const help = make("p", { class: "help", id: helpId });
  const error = make("p", { class: "error", id: errorId, role: "alert", hidden: true });
  const box = make("div", { class: "field" });
  if (input.type === "checkbox") box.append(make("div", { class: "name" }, make("span", { class: "check" }, input, labelElement), ...(flag ? [flag] : [])));
  else box.append(make("div", { class: "name" }, labelElement, ...(flag ? [flag] : [])), input);
  box.append(help, error);
  const entry = { id, field, box, input, help, error, access, label, fallback };
  input.addEventListener(input.tagName === "SELECT" || input.type === "checkbox" ? "change" : "input", () => edited(entry));
  input.addEventListener("change", () => checkEntry(entry));
  setHelp(entry);
  return entry;
}

function setHelp(entry, extra) {
  const { field } = entry;
  const parts = [field.help, extra];
  const range = field.range && !(field.type === "choice" || field.type === "flag") ? t("field.range", field.range) : null;
  parts.push(range);
  setText(entry.help, parts.filter(Boolean).map((part) => (/[.。!?]$/.test(part) ? part : part + ".")).join(" "));
}

function rawValue(entry) {
  return entry.input.type === "checkbox" ? entry.input.checked : entry.input.value.trim();
}

function edited(entry) {
  const raw = rawValue(entry);
  const same = entry.input.type === "checkbox" ? raw === (entry.field.default === true || entry.field.default === "true") : raw === "" || (entry.input.tagName === "SELECT" && raw === entry.fallback);
  entry.access.set(same ? undefined : raw);
  setError(entry, null);
  $("preset").value = "";
  if (entry.id === "env" || entry.id === "backend") dependents();
  saveDraft();
  countChanges();
}

function setError(entry, message) {
  setText(entry.error, message ?? "");
  entry.error.hidden = !message;
  if (message) entry.input.setAttribute("aria-invalid", "true");
  else entry.input.removeAttribute("aria-invalid");
}

/** The client's own check; the server decides in the end. Only text that is no number stops the start. */
function checkEntry(entry) {
  const { field, input } = entry;
  if (!isNumeric(field.type) || input.tagName === "SELECT") return true;
  if (input.validity.badInput) {
    setError(entry, t("error.number"));
    return false;
  }
  const raw = rawValue(entry);
  if (raw === "" || (raw === "none" && (takesNone(field) || field.default === "none"))) return true;
  const value = Number(raw);
  let message = null;
  if (!Number.isFinite(value)) message = t("error.number");
  else if (field.type === "integer" && !Number.isInteger(value)) message = t("error.integer");
  else if (finite(field.low) && value < field.low) message = t("error.low", field.low);
  else if (finite(field.high) && value > field.high) message = t("error.high", field.high);
  if (message) setError(entry, message);
  return true;
}

function buildForm() {
  const opened = new Map([...document.querySelectorAll("#groups > details")].map((group) => [group.dataset.group, group.open]));
  fields.clear();
  const container = $("groups");
  container.replaceChildren();
  const order = schema.groups.map((group) => group.key);
  for (const field of schema.fields) if (!order.includes(field.group)) order.push(field.group);
  for (const key of order) {
    const members = schema.fields.filter((field) => field.group === key && !HIDDEN_FIELDS.has(field.key));
    if (members.length === 0) continue;
    const list = make("div", { class: "fields" });
    for (const field of members) {
      if (field.key === ARGUMENTS) {
        list.append(make("fieldset", { id: "field-" + field.key, tabindex: "-1", hidden: true },
          make("legend", { text: t("arguments.heading") }), make("div", { class: "arguments", id: "arguments" }),
          make("p", { class: "error", id: "error-" + field.key, role: "alert", hidden: true })));
        continue;
      }
      const entry = fieldElement(field.key, field, fieldLabel(field.key), optionsOf(field), {
        get: () => draft.values[field.key],
        set: (value) => {
          if (value === undefined) delete draft.values[field.key];
          else draft.values[field.key] = value;
        },
      });
      if (field.key === "device") {
        entry.input.setAttribute("list", "devices");
        entry.box.append(make("datalist", { id: "devices" }));
      }
      fields.set(field.key, entry);
      list.append(entry.box);
    }
    container.append(make("details", { class: "group", "data-group": key, open: opened.get(key) ?? OPEN_GROUPS.has(key) },
      make("summary", {}, make("h3", { text: textOr("group." + key, humanised(key)) }), make("span", { class: "count", hidden: true })), list));
  }
  const preset = $("preset");
  const chosen = preset.value;
  preset.replaceChildren(make("option", { value: "", text: t("preset.none") }),
    ...schema.presets.map((one) => make("option", { value: one.key, text: textOr("preset." + one.key, one.key) })));
  preset.value = schema.presets.some((one) => one.key === chosen) ? chosen : "";
  setText($("about"), t("about", schema.version ?? "", schema.outputs ?? ""));
  dependents();
  filterFields();
  countChanges();
}

/** All that depends on the chosen environment and backend. */
function dependents() {
  const environment = currentEnvironment();
  const backend = currentBackend();
  const show = (key, visible) => {
    const entry = fields.get(key);
    entry.box.dataset.away = visible ? "" : "yes";
    entry.box.hidden = !visible;
    return entry;
  };
  setHelp(fields.get("env"), environment?.description);
  setHelp(fields.get("backend"), schema.backends.filter((one) => !one.available).map((one) => t("backend.reason", one.name, one.reason ?? "")).join(" "));
  for (const [key, list] of [["config_profile", environment?.config_profiles], ["reward_profile", environment?.reward_profiles]]) {
    const entry = show(key, (list?.length ?? 0) > 0);
    const value = fillSelect(entry.input, (list ?? []).map((name) => ({ value: name, text: name })), entry.fallback, String(entry.access.get() ?? entry.fallback));
    if (value === entry.fallback) entry.access.set(undefined);
  }
  for (const [key, count, text] of [["problem", environment?.problems ?? 1, "problem.count"], ["stage", environment?.stages ?? 1, "stage.count"]]) {
    setHelp(show(key, count > 1), count > 1 ? t(text, count) : null);
  }
  const devices = $("devices");
  devices?.replaceChildren(...(backend?.devices ?? []).map((name) => make("option", { value: name })));
  buildArguments(environment);
}

function buildArguments(environment) {
  const key = ARGUMENTS;
  const holder = $("arguments");
  for (const id of [...fields.keys()]) if (fields.get(id).parameter) fields.delete(id);
  const parameters = environment?.parameters ?? [];
  const box = $("field-" + key);
  box.hidden = parameters.length === 0;
  box.dataset.away = parameters.length === 0 ? "yes" : "";
  holder.replaceChildren(...parameters.map((parameter) => {
    const id = key + "-" + parameter.name;
    const field = { ...parameter, key: id, flag: null };
    const options = parameter.type === "choice" ? (parameter.choices ?? []).map((value) => ({ value: String(value), text: String(value) })) : null;
    const entry = fieldElement(id, field, humanised(parameter.name), options, {
      get: () => draft.args[environment.name]?.[parameter.name],
      set: (value) => {
        const values = (draft.args[environment.name] ??= {});
        if (value === undefined) delete values[parameter.name];
        else values[parameter.name] = value;
      },
    });
    entry.parameter = parameter.name;
    fields.set(id, entry);
    return entry.box;
  }));
}

/** The configuration to send: only what differs from the default. */
function configuration() {
  const out = {};
  for (const entry of fields.values()) {
    if (entry.parameter || entry.box.dataset.away === "yes") continue;
    const raw = entry.access.get();
    if (raw === undefined || raw === "") continue;
    const { field } = entry;
    if (field.type === "flag") {
      if (raw !== field.default) out[field.key] = raw === true || raw === "true";
    } else if (field.type === "pairs") {
      const pairs = {};
      for (const part of String(raw).split(/[\n,;]+/)) {
        const at = part.indexOf("=");
        if (at > 0) pairs[part.slice(0, at).trim()] = part.slice(at + 1).trim();
        else if (part.trim()) pairs[part.trim()] = "";
      }
      if (pairsText(pairs) !== entry.fallback) out[field.key] = pairs;
    } else if (isNumeric(field.type) && raw !== "none" && Number.isFinite(Number(raw))) {
      if (Number(raw) !== field.default) out[field.key] = Number(raw);
    } else if (String(raw) !== entry.fallback) {
      out[field.key] = String(raw);
    }
  }
  const args = {};
  for (const entry of fields.values()) {
    if (!entry.parameter) continue;
    const raw = entry.access.get();
    if (raw !== undefined && raw !== "" && String(raw) !== entry.fallback) args[entry.parameter] = String(raw);
  }
  if (Object.keys(args).length) out[ARGUMENTS] = args;
  return out;
}

function countChanges() {
  const config = configuration();
  const args = config[ARGUMENTS] ?? {};
  let total = 0;
  for (const group of document.querySelectorAll("#groups > details")) {
    let count = 0;
    for (const entry of fields.values()) {
      if (!group.contains(entry.box)) continue;
      const changed = entry.parameter ? entry.parameter in args : entry.field.key in config;
      entry.box.classList.toggle("changed", changed);
      if (changed) count++;
    }
    const badge = group.querySelector(".count");
    badge.hidden = count === 0;
    setText(badge, count ? t("form.changed", count) : "");
    total += count;
  }
  $("changed-count").hidden = total === 0;
  setText($("changed-count"), total ? t("form.changed", total) : "");
}

function fillFromPreset(key) {
  const preset = schema?.presets.find((one) => one.key === key);
  if (!preset) return;
  draft = { values: {}, args: {} };
  const known = new Map(schema.fields.map((field) => [field.key, field]));
  for (const [name, value] of Object.entries(preset.config)) {
    const field = known.get(name);
    if (!field || HIDDEN_FIELDS.has(name) || value === null) continue;
    if (name === ARGUMENTS) {
      draft.args[preset.config.env] = Object.fromEntries(Object.entries(value).map(([one, text]) => [one, String(text)]));
    } else if (field.type === "flag") draft.values[name] = value === true || value === "true";
    else draft.values[name] = field.type === "pairs" ? pairsText(value) : String(value);
  }
  saveDraft();
  clearErrors();
  buildForm();
  $("preset").value = key;
}

function clearErrors() {
  for (const entry of fields.values()) setError(entry, null);
  formError(null);
  const all = $("error-" + ARGUMENTS);
  if (all) {
    all.hidden = true;
    all.textContent = "";
  }
}

function formError(message) {
  const element = $("form-error");
  setText(element, message ?? "");
  element.hidden = !message;
  if (message) {
    $("form-panel").open = true;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "center" });
  }
}

/** Shows an error where it belongs: opens the section, scrolls there, moves the focus. */
function showError(key, message) {
  $("form-panel").open = true;
  const entry = fields.get(key);
  const reveal = (box, target) => {
    if ($("filter").value) {
      $("filter").value = "";
      filterFields();
    }
    box.closest("details.group").open = true;
    box.scrollIntoView({ block: "center" });
    target.focus({ preventScroll: true });
  };
  if (entry && entry.box.dataset.away !== "yes") {
    setError(entry, message);
    reveal(entry.box, entry.input);
    return;
  }
  const box = $("field-" + ARGUMENTS);
  if (key === ARGUMENTS && box.dataset.away !== "yes") {
    const all = $("error-" + ARGUMENTS);
    setText(all, message);
    all.hidden = false;
    reveal(box, box);
    return;
  }
  formError(key && !message.includes(key) ? t("error.elsewhere", key, message) : message);
}

let openedBeforeFilter = null;
function filterFields() {
  const words = $("filter").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const groups = [...document.querySelectorAll("#groups > details")];
  if (words.length && !openedBeforeFilter) openedBeforeFilter = new Map(groups.map((group) => [group.dataset.group, group.open]));
  let shown = 0;
  for (const entry of fields.values()) {
    const text = [entry.id, entry.label, entry.field.flag, entry.field.help].join(" ").toLowerCase().replace(/_/g, " ") + " " + entry.id;
    const hit = words.every((word) => text.includes(word));
    entry.box.hidden = !hit || entry.box.dataset.away === "yes";
    if (!entry.box.hidden) shown++;
  }
  const argumentsBox = $("field-" + ARGUMENTS);
  if (argumentsBox) argumentsBox.hidden = argumentsBox.dataset.away === "yes" || ![...argumentsBox.querySelectorAll(".field")].some((box) => !box.hidden);
  for (const group of groups) {
    const any = [...group.querySelectorAll(".field")].some((box) => !box.hidden);
    group.hidden = !any;
    if (words.length) group.open = any;
    else if (openedBeforeFilter) group.open = openedBeforeFilter.get(group.dataset.group) ?? false;
  }
  if (!words.length) openedBeforeFilter = null;
  setText($("filter-count"), words.length ? t("filter.count", shown) : "");
}

// ---------------------------------------------------------------- control of the run

let job = null;
let pending = false;

function canStart() {
  return schema !== null && !preview() && (!job || !LIVE.has(job.status));
}

async function start(body) {
  const answer = await api("/api/train/start", { body });
  afterStart = true;
  pollNow();
  return answer;
}

async function startFromForm(event) {
  event.preventDefault();
  if (pending || !canStart()) return;
  clearErrors();
  let sound = true;
  for (const entry of fields.values()) {
    if (entry.box.dataset.away === "yes" || checkEntry(entry)) continue;
    if (sound) showError(entry.id, entry.error.textContent);
    sound = false;
  }
  if (!sound) return;
  const config = configuration();
  await busy([$("start"), $("start-form")], async () => {
    try {
      await start(config);
    } catch (error) {
      if (error.field) showError(error.field, error.message);
      else formError(describe(error));
    }
  });
}

async function busy(buttons, action) {
  if (pending) return;
  pending = true;
  for (const button of buttons) button.setAttribute("aria-busy", "true");
  try {
    await action();
  } finally {
    pending = false;
    for (const button of buttons) button.removeAttribute("aria-busy");
  }
}

function command(name) {
  return busy([$(name)], async () => {
    actionError(null);
    try {
      await api("/api/train/" + name, { body: {} });
      pollNow();
    } catch (error) {
      actionError(describe(error));
    }
  });
}

function actionError(message) {
  setText($("action-error"), message ?? "");
  $("action-error").hidden = !message;
}

function renderButtons() {
  const status = job?.status ?? "none";
  const own = !preview();
  const allowed = {
    start: canStart(), pause: own && status === "running", resume: own && status === "paused",
    stop: own && (status === "created" || status === "running" || status === "paused"),
  };
  const active = document.activeElement;
  const hadFocus = Object.keys(allowed).some((id) => $(id) === active);
  for (const [id, on] of Object.entries(allowed)) $(id).disabled = !on;
  $("start-form").disabled = !allowed.start;
  if (hadFocus && active.disabled) (["pause", "resume", "stop", "start"].map($).find((button) => !button.disabled) ?? $("run-heading")).focus();
}

// ---------------------------------------------------------------- state

let points = new Points();
let jobId = null;
let cursor = 0;
let restarts = 0;
let generation = 0;
let timer = 0;
let inFlight = null;
let again = false;
let failures = 0;
let afterStart = false;
let board = null;

const preview = () => $("scenario").value;

function clearPoints() {
  points = new Points();
  board.setPoints(points);
}

/** Takes one answer in; gives the pause until the next request. */
function take(answer, asked) {
  const before = job;
  const next = answer.job ?? null;
  if (!next) {
    if (jobId !== null || points.length) clearPoints();
    jobId = null;
    cursor = 0;
    job = null;
    changed(before);
    return 1000;
  }
  job = next;
  const other = next.job_id !== jobId;
  if (other) {
    jobId = next.job_id;
    if (points.length) clearPoints();
  }
  if (asked > 0 && (other || !(next.metric_end > 0) || next.metric_end < asked)) {
    cursor = 0;
    changed(before);
    return restarts++ < 2 ? 0 : 1000;
  }
  const rows = next.metrics ?? [];
  if (asked === 0) {
    if (rows.length || points.length) {
      points = new Points().append(rows);
      board.setPoints(points);
    }
  } else {
    restarts = 0;
    if (rows.length) board.setPoints(points.append(rows));
  }
  cursor = Math.max(0, next.metric_end ?? 0);
  if (points.length > MAX_POINTS) cursor = 0;
  changed(before);
  return LIVE.has(next.status) ? 1000 : 3000;
}

async function poll() {
  clearTimeout(timer);
  if (inFlight) {
    again = true;
    return;
  }
  if (document.hidden && failures === 0 && generation > 0) return;
  const mine = generation;
  const asked = cursor;
  const controller = new AbortController();
  inFlight = controller;
  const limit = setTimeout(() => controller.abort(), 15000);
  let pause = 1000;
  try {
    const query = new URLSearchParams({ log_tail: LOG_TAIL, after_metric: asked, metric_limit: THIN_LIMIT });
    if (preview()) {
      query.set("preview", "1");
      query.set("scenario", preview());
    }
    const answer = await api("/api/train/state?" + query, { signal: controller.signal });
    if (mine === generation) {
      failures = 0;
      connection(null);
      pause = take(answer, asked);
      if (!schema) loadSchema();
      if (!textsReady && !textsLoading) loadTexts().catch(() => {});
      if (runsFailed) loadRuns();
    }
  } catch (error) {
    if (mine === generation) {
      failures++;
      const refused = error instanceof ApiError && error.status === 401;
      connection(refused ? t("connection.cookie") : error instanceof ApiError && error.status > 0 ? t("connection.error", error.message) : t("connection.lost"));
      pause = refused ? 3000 : Math.min(5000, 1000 * failures);
    }
  } finally {
    clearTimeout(limit);
    inFlight = null;
    if (again || mine !== generation) pause = 0;
    again = false;
    if (!document.hidden) timer = setTimeout(poll, pause);
  }
}

function pollNow() {
  poll();
}

function connection(message) {
  const element = $("connection");
  setText(element, message ?? "");
  element.hidden = !message;
}

/** After another scenario was chosen, or the preview left. */
function switchPreview() {
  generation++;
  inFlight?.abort();
  job = null;
  jobId = null;
  cursor = 0;
  restarts = 0;
  lastStatus = null;
  logSignature = "";
  clearPoints();
  render();
  if (!inFlight) poll();
}

let lastStatus = null;

function changed(before) {
  const status = job?.status ?? "none";
  if (lastStatus !== null && (status !== lastStatus || (before && job && before.job_id !== job.job_id))) {
    setText($("live"), t("live.status", t("status." + status)));
    if (!preview()) loadRuns();
  }
  if (status !== lastStatus && !preview()) {
    const live = LIVE.has(status);
    const wasLive = lastStatus !== null && LIVE.has(lastStatus);
    if (live && !wasLive) $("form-panel").open = false;
    if (!live && (wasLive || lastStatus === null)) $("form-panel").open = true;
    if (live && afterStart) {
      afterStart = false;
      window.scrollTo(0, 0);
    }
  }
  lastStatus = status;
  render();
}

/** The name of a run: where its model lies under the outputs folder, without the ending. */
function runName(model) {
  if (!model) return "";
  const path = String(model).replaceAll("\\", "/").replace(/\.zip$/, "");
  const root = String(schema?.outputs ?? "").replaceAll("\\", "/").replace(/\/$/, "");
  return root && path.startsWith(root + "/") ? path.slice(root.length + 1) : path.split("/").slice(-2).join("/");
}

function planned() {
  const steps = Number(job?.config?.timesteps);
  return Number.isFinite(steps) && steps > 0 ? steps : null;
}

function render() {
  if (!formats.whole) return;
  const status = job?.status ?? "none";
  const process = job?.process ?? {};
  const [icon, tone] = STATUS_LOOK[status] ?? STATUS_LOOK.none;
  setText($("status"), textOr("status." + status, status));
  $("status").dataset.status = status;
  setText($("status-icon"), icon);
  $("status-pill").dataset.tone = tone;
  setText($("run-name"), runName(job?.model));

  const steps = planned();
  const percent = finite(process.percent) ? Math.max(0, Math.min(100, process.percent)) : null;
  const bar = $("progress");
  bar.dataset.tone = status === "failed" ? "bad" : status === "paused" ? "warn" : status === "exited" ? "ok" : "accent";
  $("progress-bar").style.width = (percent ?? 0) + "%";
  if (percent === null && job) bar.removeAttribute("aria-valuenow");
  else bar.setAttribute("aria-valuenow", String(Math.round(percent ?? 0)));
  const stepText = job ? (steps ? t("steps.of", whole(process.done_steps), whole(steps)) : whole(process.done_steps)) : "–";
  bar.setAttribute("aria-valuetext", job ? t("progress.text", percent === null ? "–" : Math.round(percent), stepText) : t("status.none"));
  setText($("steps"), stepText);
  setText($("rate"), finite(process.rate_per_s) ? t("rate", number(process.rate_per_s)) : "–");
  setText($("remaining"), LIVE.has(status) ? duration(process.remaining_s) : "–");
  setText($("elapsed"), duration(job?.elapsed_s));
  setText($("phase"), process.label || (process.phase ? textOr("phase." + process.phase, process.phase) : "–"));
  $("phase").dataset.phase = process.phase ?? "";
  const config = job?.config ?? {};
  setText($("device"), [config.backend, config.device].filter(Boolean).join(" · ") || "–");
  renderTimeline(process.timeline ?? []);

  renderJudgement();
  renderFailure();
  renderRecovery();
  renderLog();
  renderButtons();
  renderDownload();

  $("preview-banner").hidden = !preview();
  setText($("preview-name"), preview() ? textOr("scenario." + preview(), preview()) : "");
  document.title = (job ? (percent !== null && LIVE.has(status) ? Math.round(percent) + "% " : "") + textOr("status." + status, status) + " · " : "") + t("page.title");
}

let timelineSignature = "";
function renderTimeline(timeline) {
  // The words, too: they may come after the language was changed.
  const signature = textOr("timeline.done", "") + JSON.stringify(timeline);
  if (signature === timelineSignature) return;
  timelineSignature = signature;
  const marks = { done: "✓", active: "●", pending: "○" };
  $("timeline").hidden = timeline.length === 0;
  $("timeline").replaceChildren(...timeline.map((stage) => make("li", { "data-state": stage.state, "aria-current": stage.state === "active" ? "step" : null },
    make("span", { class: "mark", "aria-hidden": "true", text: marks[stage.state] ?? "○" }),
    make("span", { text: textOr("timeline." + stage.key, stage.key) }),
    make("span", { class: "hidden-text", text: textOr("timeline.state." + stage.state, stage.state) }))));
}

let notesSignature = "";
function renderJudgement() {
  const judgement = job?.convergence;
  const tone = judgement?.tone in TONE_ICONS ? judgement.tone : "gray";
  $("judgement").dataset.tone = tone;
  $("judgement-icon").dataset.tone = tone;
  setText($("judgement-icon"), TONE_ICONS[tone]);
  setText($("judgement-tone"), judgement ? t("tone." + tone) + ": " : "");
  setText($("judgement"), judgement?.status || t(job ? "judgement.waiting" : "judgement.none"));
  const notes = judgement?.notes ?? [];
  const signature = JSON.stringify(notes);
  if (signature === notesSignature) return;
  notesSignature = signature;
  $("judgement-notes").hidden = notes.length === 0;
  $("judgement-notes").replaceChildren(...notes.map((note) => make("li", { text: note })));
}

function renderFailure() {
  const failure = job?.failure ?? null;
  $("failure-panel").hidden = !failure;
  $("failure").hidden = !failure;
  setText($("failure"), failure ?? "");
}

let recoveryFor = null;
function renderRecovery() {
  const recovery = job?.recovery;
  const shown = Boolean(recovery) && !LIVE.has(job.status);
  $("recovery").hidden = !shown;
  if (!shown) {
    recoveryFor = null;
    return;
  }
  const can = recovery.can_resume === true;
  setText($("recovery-summary"), can ? t("recovery.can", whole(recovery.timesteps)) : t("recovery.cannot"));
  setText($("recovery-steps"), whole(recovery.timesteps));
  setText($("recovery-file"), recovery.model || "–");
  setText($("recovery-source"), recovery.source || "–");
  setText($("recovery-reason"), recovery.reason || "–");
  $("recovery-action").hidden = !can || Boolean(preview());
  $("recovery-resume").disabled = !can || Boolean(preview());
  const key = job.job_id + job.status;
  if (key === recoveryFor) return;
  recoveryFor = key;
  recoveryError(null);
  const steps = planned();
  const finished = job.status === "exited" || (steps && (recovery.timesteps ?? job.process?.done_steps ?? 0) >= steps);
  $("recovery-timesteps").value = steps ? String(finished ? 2 * steps : steps) : "";
}

function recoveryError(message) {
  setText($("recovery-error"), message ?? "");
  $("recovery-error").hidden = !message;
  if (message) $("recovery-timesteps").setAttribute("aria-invalid", "true");
  else $("recovery-timesteps").removeAttribute("aria-invalid");
}

function resumeBody(model, timesteps) {
  const body = { model, resume: true };
  if (timesteps !== "" && Number.isFinite(Number(timesteps))) body.timesteps = Number(timesteps);
  return body;
}

function resumeJob() {
  if (!job?.model || preview()) return;
  busy([$("recovery-resume")], async () => {
    recoveryError(null);
    try {
      await start(resumeBody(job.model, $("recovery-timesteps").value));
    } catch (error) {
      recoveryError(describe(error));
      $("recovery-timesteps").focus();
    }
  });
}

// ---------------------------------------------------------------- log

let logSignature = "";
function renderLog() {
  const lines = job?.log_lines ?? [];
  const query = $("log-search").value.trim().toLowerCase();
  const signature = [language, jobId, job?.log_total, lines.length, lines[lines.length - 1], query].join("\u0000");
  if (signature === logSignature) return;
  logSignature = signature;
  const log = $("log");
  const hits = query ? lines.filter((line) => line.toLowerCase().includes(query)) : lines;
  if (query) log.replaceChildren(...hits.flatMap((line) => [...marked(line, query), "\n"]));
  else log.textContent = hits.length ? hits.join("\n") : t("log.empty");
  setText($("log-count"), query ? t("log.matches", hits.length) : lines.length ? t("log.lines", lines.length, whole(job?.log_total)) : "");
  followLog();
}

function marked(line, query) {
  const out = [];
  const lower = line.toLowerCase();
  let from = 0;
  for (let at = lower.indexOf(query); at >= 0 && lower.length === line.length; at = lower.indexOf(query, from)) {
    out.push(line.slice(from, at), make("mark", { text: line.slice(at, at + query.length) }));
    from = at + query.length;
  }
  out.push(line.slice(from));
  return out;
}

function followLog() {
  if ($("log-follow").checked) $("log").scrollTop = $("log").scrollHeight;
}

// ---------------------------------------------------------------- earlier runs

let runs = [];
let runsFailed = false;
let runsLoading = false;
let showAll = false;
let runsSignature = "";
/** The runs laid over the charts: name to points (null while they load). */
const overlays = new Map();

async function loadRuns() {
  if (runsLoading) return;
  runsLoading = true;
  try {
    runs = (await api("/api/train/runs")).runs ?? [];
    runsFailed = false;
    runsError(null);
    renderRuns();
    renderDownload();
  } catch (error) {
    runsFailed = true;
    if (error instanceof ApiError && error.status !== 401) runsError(describe(error));
  } finally {
    runsLoading = false;
  }
}

function runsError(message) {
  setText($("runs-error"), message ?? "");
  $("runs-error").hidden = !message;
}

const download = (run, file) => "/api/train/download?" + new URLSearchParams({ run, file });

function renderRuns() {
  const startable = canStart();
  const signature = JSON.stringify([t("runs.steps"), runs, showAll, [...overlays.keys()], startable]);
  if (signature === runsSignature || !formats.whole) return;
  runsSignature = signature;
  $("runs").hidden = runs.length === 0;
  $("runs-empty").hidden = runs.length > 0;
  const focused = document.activeElement?.dataset?.key;
  const rows = showAll ? runs : runs.filter((run, i) => i < RUNS_SHOWN || overlays.has(run.run));
  $("runs-body").replaceChildren(...rows.map((run) => runRow(run, startable)));
  if (focused) document.querySelector("[data-key=\"" + CSS.escape(focused) + "\"]")?.focus();
  $("runs-all").hidden = runs.length <= RUNS_SHOWN;
  setText($("runs-all"), showAll ? t("runs.fewer") : t("runs.all", runs.length));
  $("runs-all").setAttribute("aria-expanded", String(showAll));
}

function runRow(run, startable) {
  const overlay = make("input", { type: "checkbox", class: "overlay", "data-key": "overlay:" + run.run, "aria-label": t("runs.overlay.label", run.run) });
  overlay.checked = overlays.has(run.run);
  overlay.disabled = !overlay.checked && overlays.size >= 2;
  if (overlay.disabled) overlay.title = t("runs.overlay.full");
  overlay.addEventListener("change", () => toggleOverlay(run.run, overlay.checked));
  const which = [...overlays.keys()].indexOf(run.run);
  const cell = (key, attributes, ...children) => make("td", { "data-label": t(key), ...attributes }, ...children);
  const actions = make("span", { class: "row-actions" },
    make("a", { href: download(run.run, "csv"), download: true, text: t("runs.csv"), "aria-label": t("runs.csv.label", run.run) }),
    run.has_model ? make("a", { href: download(run.run, "model"), download: true, text: t("runs.model"), "aria-label": t("runs.model.label", run.run) }) : null);
  if (run.can_resume) {
    const button = make("button", { type: "button", class: "small", "data-key": "resume:" + run.run, text: t("runs.resume"), "aria-label": t("runs.resume.label", run.run), title: t("recovery.button.title") });
    button.disabled = !startable;
    button.addEventListener("click", () => openResume(run));
    actions.append(button);
  }
  return make("tr", {},
    cell("runs.overlay", {}, make("span", { class: "overlay-cell" }, overlay, which >= 0 ? make("span", { class: "swatch o" + (which + 1), "aria-hidden": "true" }) : null)),
    make("th", { scope: "row", class: "run-cell", text: run.run }),
    cell("runs.env", {}, [run.env, run.backend].filter(Boolean).join(" · ") || "–"),
    cell("runs.steps", { class: "number" }, whole(run.timesteps)),
    cell("runs.return", { class: "number" }, number(run.ep_rew_mean)),
    cell("runs.date", {}, finite(run.modified_unix_s) ? formats.date.format(new Date(run.modified_unix_s * 1000)) : "–"),
    cell("runs.actions", {}, actions));
}

async function toggleOverlay(name, on) {
  if (!on) overlays.delete(name);
  else if (overlays.size < 2) overlays.set(name, null);
  renderRuns();
  showOverlays();
  if (!on) return;
  try {
    const answer = await api("/api/train/run?" + new URLSearchParams({ run: name }));
    if (!overlays.has(name)) return;
    overlays.set(name, new Points().append(answer.metrics ?? []));
    runsError(null);
  } catch (error) {
    overlays.delete(name);
    runsError(describe(error));
  }
  renderRuns();
  showOverlays();
}

function showOverlays() {
  board.setOverlays([...overlays].map(([name, loaded]) => ({ name, points: loaded ?? new Points() })));
  const legend = $("curve-legend");
  legend.hidden = overlays.size === 0;
  legend.replaceChildren(make("li", {}, make("span", { class: "swatch c1" }), make("span", { text: t("charts.current") })),
    ...[...overlays.keys()].map((name, i) => make("li", {}, make("span", { class: "swatch o" + (i + 1) }), make("span", { text: name }))));
}

/** The links to the files of the run that is shown, or of the newest one. */
function renderDownload() {
  renderRuns();
  const name = runName(job?.model);
  const run = preview() ? null : runs.find((one) => job?.model && (one.model === job.model || one.run === name)) ?? (job ? null : runs[0]);
  $("download-line").hidden = !run;
  if (!run) return;
  setText($("download-name"), run.run);
  for (const [id, file] of [["download-csv", "csv"], ["download-model", "model"]]) {
    const href = download(run.run, file);
    if ($(id).getAttribute("href") !== href) $(id).setAttribute("href", href);
    $(id).setAttribute("aria-label", t("runs." + file + ".label", run.run));
  }
}

let resumeRun = null;
function openResume(run) {
  resumeRun = run;
  setText($("resume-name"), run.run);
  $("resume-timesteps").value = job && job.model === run.model && planned() ? String(planned() > (run.timesteps ?? 0) ? planned() : 2 * planned()) : "";
  setText($("resume-help"), t("resume.help", whole(run.timesteps)));
  resumeError(null);
  $("resume-dialog").showModal();
  $("resume-timesteps").focus();
}

function resumeError(message) {
  setText($("resume-error"), message ?? "");
  $("resume-error").hidden = !message;
}

function resumeGo() {
  busy([$("resume-go")], async () => {
    resumeError(null);
    try {
      await start(resumeBody(resumeRun.model, $("resume-timesteps").value));
      $("resume-dialog").close();
      $("run-heading").focus();
    } catch (error) {
      resumeError(describe(error));
    }
  });
}

// ---------------------------------------------------------------- schema and start

/** All that is written from the schema: once it and the texts are here, and again in another language. */
function showSchema() {
  if (schema) {
    buildForm();
    fillScenarios();
  }
  board.retitle();
  render();
  if (schema) performance.mark("usable");
}

let schemaLoading = false;
async function loadSchema() {
  if (schemaLoading) return;
  schemaLoading = true;
  try {
    schema = await api("/api/train/schema");
    if (formats.whole) showSchema();
  } catch (error) {
    schema = null;
    if (!(error instanceof ApiError) || error.status !== 401) formErrorQuiet(describe(error));
  } finally {
    schemaLoading = false;
  }
}

function formErrorQuiet(message) {
  const holder = $("groups");
  holder.replaceChildren(make("p", { class: "help", text: message }));
}

function fillScenarios() {
  const select = $("scenario");
  const chosen = select.value;
  select.replaceChildren(make("option", { value: "", text: t("scenario.none") }),
    ...(schema?.scenarios ?? []).map((name) => make("option", { value: name, text: textOr("scenario." + name, humanised(name)) })));
  select.value = (schema?.scenarios ?? []).includes(chosen) ? chosen : "";
}

const metricName = (key) => textOr("metric." + key, humanised(key));
const view = {
  ready: () => formats.whole !== undefined,
  title: (id) => t("chart." + id),
  metricName,
  rightAxis: (name) => t("charts.right", name),
  number,
  compact,
  empty: () => t("charts.empty"),
  missing: () => t("charts.missing"),
  at: (x) => t("charts.at", whole(x)),
  definition: (keys) => keys.map((key) => {
    const metric = schema?.metrics.find((one) => one.key === key);
    return metric?.definition ? (keys.length > 1 ? metricName(key) + ": " : "") + metric.definition : "";
  }).filter(Boolean).join("\n"),
  latest: (id, parts, x) => (parts.length && x !== null
    ? t("charts.label", t("chart." + id), parts.map((part) => (parts.length > 1 ? metricName(part.key) + " " : "") + number(part.value)).join(", "), whole(x))
    : t("charts.label.empty", t("chart." + id))),
};

function setSmoothing(value) {
  const weight = Math.min(0.98, Math.max(0, Number(value) || 0));
  $("smoothing").value = String(weight);
  setText($("smoothing-value"), weight.toFixed(2));
  board.setSmoothing(weight);
}

function wire() {
  $("form").addEventListener("submit", startFromForm);
  for (const name of ["pause", "resume", "stop"]) $(name).addEventListener("click", () => command(name));
  $("recovery-resume").addEventListener("click", resumeJob);
  $("recovery-timesteps").addEventListener("input", () => recoveryError(null));
  $("resume-go").addEventListener("click", resumeGo);
  $("resume-cancel").addEventListener("click", () => $("resume-dialog").close());
  $("resume-timesteps").addEventListener("keydown", (event) => {
    if (event.key === "Enter") resumeGo();
  });
  $("preset").addEventListener("change", () => fillFromPreset($("preset").value));
  $("filter").addEventListener("input", filterFields);
  $("reset").addEventListener("click", () => {
    draft = { values: {}, args: {} };
    saveDraft();
    $("preset").value = "";
    clearErrors();
    buildForm();
  });
  $("form-panel").addEventListener("toggle", () => $("columns").classList.toggle("collapsed", !$("form-panel").open));
  $("scenario").addEventListener("change", switchPreview);
  $("preview-leave").addEventListener("click", () => {
    $("scenario").value = "";
    switchPreview();
    $("scenario").focus();
  });
  $("log-search").addEventListener("input", renderLog);
  $("log-follow").addEventListener("change", followLog);
  $("log").addEventListener("scroll", () => {
    const log = $("log");
    if (log.scrollHeight - log.scrollTop - log.clientHeight > 40) $("log-follow").checked = false;
  });
  $("runs-refresh").addEventListener("click", loadRuns);
  $("runs-all").addEventListener("click", () => {
    showAll = !showAll;
    renderRuns();
  });
  $("smoothing").addEventListener("input", () => {
    store("local", "smoothing", $("smoothing").value);
    setSmoothing($("smoothing").value);
  });
  $("zoom-reset").addEventListener("click", () => {
    board.resetZoom();
    $("charts-heading").focus();
  });
  $("language").addEventListener("change", async () => {
    const before = language;
    language = $("language").value;
    store("local", "language", language);
    try {
      await loadTexts();
      showOverlays();
      pollNow();
    } catch (error) {
      language = before;
      $("language").value = before ?? "en";
      connection(describe(error));
    }
  });
  $("theme").addEventListener("change", () => {
    const theme = $("theme").value;
    store("local", "theme", theme === "auto" ? null : theme);
    applyTheme(theme);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => board.readColours());
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) clearTimeout(timer);
    else pollNow();
  });
  for (const id of ["run-heading", "charts-heading"]) $(id).tabIndex = -1;
}

applyTheme(store("local", "theme") ?? "auto");
board = new Board($("charts"), view, (zoomed) => {
  $("zoom-reset").hidden = !zoomed;
});
setSmoothing(store("local", "smoothing") ?? 0.6);
wire();
const textsLoaded = loadTexts().catch(() => {
  // Without texts the page still works in the English that it was written with.
  language ??= "en";
  makeFormats();
  showSchema();
});
loadSchema();
poll();
textsLoaded.finally(() => loadRuns());

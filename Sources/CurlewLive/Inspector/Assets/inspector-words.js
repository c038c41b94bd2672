// ---- Words and numbers. -------------------------------------------------------------------------

function number(value, otherwise) {
  const isNumeral = typeof value === "string" && value.length < 40 && value.trim() !== "";
  const result = typeof value === "number" || isNumeral ? Number(value) : NaN;
  return Number.isFinite(result) ? Math.max(-1e12, Math.min(1e12, result)) : otherwise;
}

// Returns a single, short line of text for any value.
function text(value, limit = 160) {
  if (typeof value !== "string" && typeof value !== "number") return "";
  const line = String(value).slice(0, limit + 1).replace(/[\p{Cc}\s]+/gu, " ").trim();
  return line.length > limit ? line.slice(0, limit).replace(/[\ud800-\udbff]$/, "") + "…" : line;
}

const listOf = (value) => (Array.isArray(value) ? value : [])
  .filter((item) => item && typeof item === "object");

const short = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const count = (n, one, many = one + "s") => `${short.format(n)} ${n === 1 ? one : many}`;
const times = (n) => n === 1 ? "once" : n === 2 ? "twice" : `${n} times`;
const plural = (word) => /(s|sh|ch|x)$/.test(word) ? word + "es" : word + "s";

function seconds(value) {
  if (!(value > 0.0995)) return `${Math.max(1, Math.round(value * 1000) || 0)} ms`;
  return value < 9.95 ? `${Number(value.toFixed(2))} s`
    : value < 100 ? `${short.format(value)} s` : `${short.format(Math.round(value / 60))} min`;
}

function bytes(size) {
  return size < 1000 ? count(Math.round(size), "byte")
    : size < 1e6 ? `${short.format(size / 1e3)} KB` : `${short.format(size / 1e6)} MB`;
}

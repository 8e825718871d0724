"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const put = (id, text) => { byId(id).textContent = text; };
const number = (n) => n.toLocaleString("en");

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

put("title", data.title);
put("failure", data.failure);
put("summary", data.summary);
put("reproduce", data.reproduce);
put("before-title", "original, " + number(data.size_before) + " " + data.unit);
put("after-title", "result, " + number(data.size_after) + " " + data.unit);
put("passes-title", data.unit[0].toUpperCase() + data.unit.slice(1) + " removed by each pass");
put("before", data.before);
put("after", data.after);
put("footer", data.footer);

if (data.reasons) {
  byId("explained").append(element("p", `Why the ${data.unit} were kept or removed (-):`, "dim"), element("pre", data.reasons));
}

function showResult() {
  const pane = byId("result"), parts = data.explanation ? data.explanation.parts : [];
  if (!parts.length) { pane.textContent = data.after; return; }
  // Places count bytes, and text counts code units: bytes are cut, then decoded.
  const bytes = Uint8Array.from(atob(data.explanation.content), (c) => c.charCodeAt(0));
  const decode = (start, end) => new TextDecoder().decode(bytes.slice(start, end));
  let position = 0;
  for (const part of parts) {
    pane.append(decode(position, part.start));
    const kind = part.may_be ? "free" : { pass: "gone", unresolved: "unclear", fail: "unneeded" }[part.without.outcome];
    const span = element("span", decode(part.start, part.end), "part " + kind);
    const without = { pass: "Without it, no failure", unresolved: "Without it, another outcome", fail: "Not needed" };
    const tried = part.tried.map((value) => JSON.stringify(value)).join(", ");
    span.dataset.tip = part.may_be ? `Can be ${part.may_be}. Tried: ${tried}.` :
      without[part.without.outcome] + (part.without.reason ? `: ${part.without.reason}` : "") + ".";
    span.tabIndex = 0;
    pane.append(span);
    position = part.end;
  }
  pane.append(decode(position, bytes.length));
  for (const [kind, text] of [["gone", "needed: without it, no failure"], ["unclear", "without it, another outcome"],
    ["free", "can be anything of its kind"], ["unneeded", "not needed"]]) {
    if (pane.querySelector("." + kind)) byId("legend").append(element("span", text, kind));
  }
  if (data.explanation.free.length) {
    byId("explained").append(element("p", "Replaceable parts, as placeholders:", "dim"), element("pre", data.explanation.abstract));
  }
  if (data.explanation.passes !== null) {
    byId("explained").append(element("p", "Small change that makes the failure disappear:", "dim"), element("pre", data.explanation.passes));
  }
}
showResult();

const tip = byId("tip");
function showTip(target, x, y) {
  tip.hidden = !target;
  if (!target) return;
  tip.textContent = target.dataset.tip;
  tip.style.left = Math.min(x + 12, innerWidth - tip.offsetWidth - 8) + "px";
  tip.style.top = Math.min(y + 16, innerHeight - tip.offsetHeight - 8) + "px";
}
byId("result").addEventListener("mousemove", (event) => showTip(event.target.closest(".part"), event.clientX, event.clientY));
byId("result").addEventListener("mouseleave", () => showTip(null));
byId("result").addEventListener("focusin", (event) => {
  const box = event.target.getBoundingClientRect();
  showTip(event.target.closest(".part"), box.left, box.bottom);
});
byId("result").addEventListener("focusout", () => showTip(null));

let chart = null;
function draw() {
  const by = byId("axis").value, style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const xs = data.curve.map((point) => point[by]), ys = data.curve.map((point) => point.size);
  const axis = { stroke: colour("--dim"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line") } };
  const logarithmic = byId("log").checked && ys.every((y) => y > 0);
  if (chart) chart.destroy();
  chart = new uPlot({
    width: Math.min(document.body.clientWidth, 1150), height: 300,
    scales: { x: { time: false }, y: logarithmic ? { distr: 3 } : { range: (u, min, max) => [0, max * 1.05] } },
    axes: [{ ...axis, label: by === "tests" ? "tests" : data.seconds_mean }, { ...axis, label: data.unit, size: 70 }],
    series: [{ label: by }, { label: data.unit, stroke: colour("--accent"), width: 2, paths: uPlot.paths.stepped({ align: 1 }), points: { show: ys.length < 200 } }],
  }, [xs, ys], byId("chart"));
}
for (const id of ["axis", "log"]) byId(id).addEventListener("change", draw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
addEventListener("resize", draw);
byId("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  draw();
});
draw();

const contents = [data.first];
function contentAt(index) {
  while (contents.length <= index) {
    const step = data.steps[contents.length - 1], before = contents[contents.length - 1];
    contents.push(before.slice(0, step.start) + step.middle + before.slice(step.end));
  }
  return contents[index];
}

function lineDiff(before, after) {
  // The longest common subsequence of the lines between what both begin and end with.
  const a = before.split("\n"), b = after.split("\n");
  let head = 0, tail = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const x = a.slice(head, a.length - tail), y = b.slice(head, b.length - tail), out = [];
  const context = 3;
  for (const line of a.slice(Math.max(0, head - context), head)) out.push([" ", line]);
  if (x.length * y.length > 250000) {
    for (const line of x) out.push(["-", line]);
    for (const line of y) out.push(["+", line]);
  } else {
    const best = Array.from({ length: x.length + 1 }, () => new Uint32Array(y.length + 1));
    for (let i = x.length - 1; i >= 0; i--) for (let j = y.length - 1; j >= 0; j--)
      best[i][j] = x[i] === y[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
    let i = 0, j = 0;
    while (i < x.length || j < y.length) {
      if (i < x.length && j < y.length && x[i] === y[j]) { out.push([" ", x[i]]); i++; j++; }
      else if (j >= y.length || (i < x.length && best[i + 1][j] >= best[i][j + 1])) out.push(["-", x[i++]]);
      else out.push(["+", y[j++]]);
    }
  }
  for (const line of a.slice(a.length - tail, a.length - tail + context)) out.push([" ", line]);
  return out;
}

function showStep(index) {
  const pane = byId("diff");
  pane.textContent = "";
  if (index === 0) {
    put("step", `start, ${number(data.first_size)} ${data.unit}` + (data.skipped ? ` (${data.skipped} earlier steps are not shown: too large)` : ""));
    pane.textContent = data.first;
    return;
  }
  const step = data.steps[index - 1];
  put("step", `step ${index} of ${data.steps.length}: ${step.label}, ${number(step.size)} ${data.unit} after ${number(step.tests)} checks, ${step.seconds.toFixed(1)} s`);
  let same = 0;
  for (const [sign, line] of lineDiff(contentAt(index - 1), contentAt(index))) {
    same = sign === " " ? same + 1 : 0;
    if (same > 12) continue;
    pane.append(sign === " " ? element("span", line + "\n") : element(sign === "+" ? "ins" : "del", sign + " " + line));
  }
}
byId("slider").max = data.steps.length;
byId("slider").addEventListener("input", (event) => showStep(Number(event.target.value)));
showStep(0);

function table(id, head, rows) {
  const top = element("tr");
  for (const text of head) top.append(element("th", text));
  if (head.length) byId(id).append(top);
  for (const row of rows) {
    const line = element("tr");
    for (const cell of row) line.append(element("td", typeof cell === "number" ? number(cell) : cell));
    byId(id).append(line);
  }
}
table("passes", ["pass", "steps", data.unit + " removed", "checks", "seconds in checks"], data.passes);
table("environment", [], data.environment);

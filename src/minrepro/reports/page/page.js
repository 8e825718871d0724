"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const put = (id, text) => { byId(id).textContent = text; };
const number = (n) => n.toLocaleString("en");
const counted = (n, things) => `${number(n)} ${n === 1 ? things.replace(/s$/, "") : things}`;

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
put("passes-title", "Cost by pass, and " + data.unit + " removed");
put("footer", data.footer);
put("masked", data.masked ? "Words that the result does not have are hidden (▒): the original is not part of this report." : "");
byId("whole").hidden = !data.original;
put("original", data.original);
put("original-size", number(data.size_before) + " " + data.unit);

const KINDS = { pass: "gone", unresolved: "unclear", fail: "unneeded" };
const WITHOUT = { pass: "Without it, no failure", unresolved: "Without it, another outcome", fail: "Not needed" };

function told(part, text) {
  const what = text.length > 60 ? text.slice(0, 60) + "…" : text, tried = part.tried.map((value) => JSON.stringify(value)).join(", ");
  if (part.may_be) return `${what}\nCan be ${part.may_be}. Tried: ${tried}.`;
  return `${what}\n${WITHOUT[part.without.outcome]}${part.without.reason ? ": " + part.without.reason : ""}.`;
}

function explained(name, explanation) {
  // Places count bytes, and text counts code units: bytes are cut, then decoded. Parts are inside of one another.
  const pane = region(name ? `Result: ${name}` : "Result"), open = [[pane, Infinity]];
  const bytes = Uint8Array.from(atob(explanation.content), (c) => c.charCodeAt(0));
  const decode = (start, end) => new TextDecoder().decode(bytes.slice(start, end));
  let position = 0;
  function upTo(next) {
    while (open.length > 1 && open[open.length - 1][1] <= next) {
      const [holder, end] = open.pop();
      holder.append(decode(position, end));
      position = end;
    }
    open[open.length - 1][0].append(decode(position, next));
    position = next;
  }
  for (const part of explanation.parts) {
    upTo(part.start);
    const span = element("span", undefined, "part " + (part.may_be ? "free" : KINDS[part.without.outcome]));
    span.dataset.tip = told(part, decode(part.start, part.end));
    span.tabIndex = -1;
    open[open.length - 1][0].append(span);
    open.push([span, part.end]);
  }
  upTo(bytes.length);
  return pane;
}

function region(label) {
  const pane = element("pre");
  pane.tabIndex = 0;
  pane.setAttribute("role", "region");
  pane.setAttribute("aria-label", label);
  return pane;
}

function noted(text, content) {
  const pane = region(text);
  pane.textContent = content;
  byId("explained").append(element("p", text + ":", "dim"), pane);
}

function showResult() {
  const holder = byId("result"), names = Object.keys(data.explanations).filter((name) => data.explanations[name].parts.length);
  if (data.difference) {
    const pane = region("Difference");
    for (const line of data.difference.split("\n")) pane.append(element({ "+": "ins", "-": "del" }[line[0]] || "span", line + "\n"));
    holder.append(pane);
  } else if (!names.length) {
    const pane = region("Result");
    pane.textContent = data.result;
    holder.append(pane);
  }
  for (const name of names) {
    if (names.length > 1) holder.append(element("h3", name));
    holder.append(explained(name, data.explanations[name]));
  }
  for (const [kind, text] of [["gone", "needed: without it, no failure"], ["unclear", "without it, another outcome"],
    ["free", "can be anything of its kind"], ["unneeded", "not needed"]]) {
    if (holder.querySelector("." + kind)) byId("legend").append(element("span", text, kind));
  }
  if (names.length) byId("legend").append(element("span", "(point at a part, or use the arrow keys in the text)", "dim"));
  for (const name of names) {
    const explanation = data.explanations[name], of = names.length > 1 ? ` (${name})` : "";
    if (explanation.free.length) noted("Replaceable parts, as placeholders" + of, explanation.abstract);
    if (explanation.passes !== null) noted("Small change that makes the failure disappear" + of, explanation.passes);
  }
  if (data.reasons) noted(`Why the ${data.unit} were kept or removed (-)`, data.reasons);
}
showResult();

const tip = byId("tip");
let over = null;
function showTip(target, x, y) {
  if (over) over.classList.remove("over");
  over = target;
  tip.hidden = !target;
  if (!target) return;
  target.classList.add("over");
  tip.textContent = target.dataset.tip;
  tip.style.whiteSpace = "pre-wrap";
  tip.style.left = Math.max(4, Math.min(x + 12, innerWidth - tip.offsetWidth - 8)) + "px";
  tip.style.top = Math.min(y + 16, innerHeight - tip.offsetHeight - 8) + "px";
}
byId("result").addEventListener("mousemove", (event) => showTip(event.target.closest(".part"), event.clientX, event.clientY));
byId("result").addEventListener("mouseleave", () => showTip(null));
byId("result").addEventListener("focusin", (event) => {
  const part = event.target.closest(".part"), box = event.target.getBoundingClientRect();
  if (part) part.setAttribute("aria-describedby", "tip");
  showTip(part, box.left, box.bottom);
});
byId("result").addEventListener("focusout", () => showTip(null));
byId("result").addEventListener("keydown", (event) => {
  const pane = event.target.closest("pre"), to = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const parts = pane ? [...pane.querySelectorAll(".part")] : [];
  if (event.key === "Escape") showTip(null);
  if (!to || !parts.length) return;
  event.preventDefault();
  parts[Math.min(Math.max(parts.indexOf(document.activeElement) + to, 0), parts.length - 1)].focus();
});

for (const button of document.querySelectorAll(".copy")) {
  button.addEventListener("click", async () => {
    const text = button.dataset.from === "reproduce" ? data.reproduce : data.difference || data.result;
    try {
      await navigator.clipboard.writeText(text);
    } catch {  // pages from a file may not use the clipboard everywhere
      const area = element("textarea", text);
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      button.focus();
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
}

byId("session").hidden = !data.pictures.length;
for (const [text, image] of data.pictures) {
  const entry = element("li", text), picture = element("img");
  picture.src = "data:image/jpeg;base64," + image;
  picture.alt = "The page after: " + text;
  entry.append(picture);
  byId("pictures").append(entry);
}

let chart = null;
function draw() {
  const by = byId("axis").value, style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const xs = data.curve.map((point) => point[by]), ys = data.curve.map((point) => point.size);
  const axis = { stroke: colour("--dim"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line") } };
  const logarithmic = byId("log").checked && ys.every((y) => y > 0);
  if (chart) chart.destroy();
  chart = new uPlot({
    width: byId("chart").clientWidth, height: 300,
    scales: { x: { time: false }, y: logarithmic ? { distr: 3 } : { range: (u, min, max) => [0, max * 1.05] } },
    axes: [{ ...axis, label: by === "tests" ? "checks" : data.seconds_mean }, { ...axis, label: data.unit, size: 70 }],
    series: [{ label: by === "tests" ? "checks" : data.seconds_mean }, { label: data.unit, stroke: colour("--accent"), width: 2, paths: uPlot.paths.stepped({ align: 1 }), points: { show: ys.length < 200 } }],
  }, [xs, ys], byId("chart"));
  const from = number(ys[0]), to = number(ys[ys.length - 1]), until = number(xs[xs.length - 1]);
  byId("chart").setAttribute("aria-label", `Size from ${from} to ${to} ${data.unit} in ${until} ${by === "tests" ? "checks" : data.seconds_mean}`);
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
    put("step", `start, ${counted(data.first_size, data.unit)}` + (data.skipped ? ` (${counted(data.skipped, "earlier steps")} not shown: too large)` : ""));
    pane.textContent = data.first.length > 20000 ? data.first.slice(0, 20000) + "\n…" : data.first;
    return;
  }
  const step = data.steps[index - 1];
  put("step", `step ${index} of ${data.steps.length}: ${step.label}, ${counted(step.size, data.unit)} after ${counted(step.tests, "checks")}, ${step.seconds.toFixed(1)} s`);
  let same = 0;
  for (const [sign, line] of lineDiff(contentAt(index - 1), contentAt(index))) {
    same = sign === " " ? same + 1 : 0;
    if (same > 12) continue;
    pane.append(sign === " " ? element("span", line + "\n") : element(sign === "+" ? "ins" : "del", sign + " " + line));
  }
}
const slider = byId("slider");
slider.max = data.steps.length;
slider.addEventListener("input", () => showStep(Number(slider.value)));
for (const [id, by] of [["back", -1], ["on", 1]]) {
  byId(id).addEventListener("click", () => { slider.value = Number(slider.value) + by; showStep(Number(slider.value)); });
}
showStep(0);

function table(id, head, rows) {
  const top = element("tr");
  for (const text of head) top.append(Object.assign(element("th", text), { scope: "col" }));
  if (head.length) byId(id).append(top);
  for (const row of rows) {
    const line = element("tr");
    row.forEach((cell, at) => line.append(element(at || head.length ? "td" : "th", typeof cell === "number" ? number(cell) : cell)));
    byId(id).append(line);
  }
}
const COLUMNS = ["pass", "steps", data.unit + " removed", "checks", "seconds in checks"];
const known = COLUMNS.map((_, at) => data.passes.some((row) => row[at] !== ""));  // a journal does not know all of them
table("passes", COLUMNS.filter((_, at) => known[at]), data.passes.map((row) => row.filter((_, at) => known[at])));
table("environment", [], data.environment);

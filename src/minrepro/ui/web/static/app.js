// The debugger: asks the server, listens to its news, and lets the user act.
import { byId, showEvents, showFailures, showResult, showRules, showStrip } from './view.js';

const token = new URLSearchParams(location.search).get('token') || '';
const state = { view: { events: [] }, removed: new Map(), tried: null, stops: new Set(), at: 0, byRule: {},
  counts: { tests: 0, saved: 0, pass: 0, fail: 0, unresolved: 0 }, began: 0 };

async function ask(path, body, method = 'POST') {
  const headers = { 'X-Minrepro-Token': token };
  const answer = await fetch(path, method === 'GET' ? { headers } : { method, headers, body });
  if (answer.headers.get('content-type').startsWith('application/json')) {
    const data = await answer.json();
    if (data.error) throw new Error(data.error);
    return data;
  }
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

async function doing(action) {
  byId('message').textContent = '';
  try { await action(); } catch (error) { byId('message').textContent = error.message; }
}

const confidence = () => 1 - 2 ** -Number(byId('confidence').value);
const chosenFailure = () => (document.querySelector('input[name=failure]:checked') || {}).value;

function enable() {
  const { view } = state;
  const idle = !view.work;
  const open = view.events.length > 0;
  byId('observe').disabled = !open || !idle;
  byId('logs').disabled = !open;
  byId('confidence').disabled = !view.logs;
  byId('reduce').disabled = !idle || !chosenFailure();
  byId('reduce').textContent = view.resumable ? 'Resume' : 'Minimise';
  byId('pause').disabled = byId('stop').disabled = view.work !== 'reduce';
  byId('pause').textContent = view.paused ? 'Go on' : 'Pause';
  for (const id of ['first', 'next', 'run']) byId(id).disabled = !open || !idle;
}

function show() {
  const { view } = state;
  byId('about').textContent = view.url ? `${view.title || 'A session'} at ${view.url}: ${view.events.length} events`
    : byId('about').textContent;
  showStrip(state);
  showEvents(state, token);
  showResult(view.result);
  enable();
}

async function refresh() {
  const before = JSON.stringify(state.view.observed);
  state.view = await ask('/api/view', null, 'GET');
  if (JSON.stringify(state.view.observed) !== before) showFailures(state, enable);
  show();
}

function showProgress() {
  const { counts } = state;
  const seconds = Math.round((performance.now() - state.began) / 1000);
  const left = state.view.events.length - state.removed.size;
  byId('progress').textContent = `${state.view.events.length} → ${left} events; ${counts.tests} replays, ${counts.saved} `
    + `saved; ${counts.fail} fail, ${counts.pass} pass, ${counts.unresolved} unresolved; ${seconds} s`;
}

const heard = {
  fired: (news) => { byId('fired').textContent = `event ${news.number} of ${state.view.events.length}`; },
  tried: (news) => { state.tried = new Set(news.kept); showStrip(state); },
  tested: (news) => {
    state.counts[news.saved ? 'saved' : 'tests'] += 1;
    if (!news.saved) state.counts[news.outcome] += 1;
    showProgress();
  },
  accepted: (news) => {
    const kept = new Set(news.kept);
    state.view.events.forEach((_, i) => {
      if (kept.has(i)) state.removed.delete(i);
      else if (!state.removed.has(i)) state.removed.set(i, news.rule ? 'rule' : 'test');
    });
    showStrip(state);
    showProgress();
  },
  warned: (news) => { byId('message').textContent = news.text; },
  failed: (news) => { byId('message').textContent = news.text; },
};

function listen() {
  const news = new EventSource(`/api/news?token=${encodeURIComponent(token)}`);
  news.onmessage = (message) => {
    const item = JSON.parse(message.data);
    if (heard[item.kind]) heard[item.kind](item);
    if (['opened', 'observed', 'reduced', 'ended', 'paused', 'going'].includes(item.kind)) {
      if (item.kind === 'ended') state.tried = null;
      setTimeout(refresh, 30);
    }
  };
}

async function openFile(file) {
  state.removed.clear();
  state.byRule = {};
  state.at = 0;
  byId('failures').hidden = true;
  byId('fired').textContent = byId('progress').textContent = '';
  state.view = await ask('/api/open', await file.text());
  show();
}

async function previewRules() {
  byId('confidence-value').textContent = confidence().toFixed(3);
  const answer = await ask(`/api/rules?confidence=${confidence()}`, null, 'GET');
  state.byRule = answer.removed;
  showRules(answer);
  showEvents(state, token);
}

async function play(until) {
  const result = state.view.result;
  const whole = result ? result.trace.length : state.view.events.length;
  state.at = Math.max(0, Math.min(until, whole));
  byId('where').textContent = 'replaying …';
  const seen = await ask('/api/play', JSON.stringify({ which: result ? 'result' : 'original', until: state.at }));
  byId('shot').hidden = !seen.picture;
  if (seen.picture) byId('shot').src = `data:image/jpeg;base64,${seen.picture}`;
  byId('where').textContent = [`after ${state.at} of ${whole}`, seen.impossible, ...seen.failures].filter(Boolean).join('; ');
  if (result && state.at) state.at = result.trace[state.at - 1].number;
  showEvents(state, token);
  state.at = Math.max(0, Math.min(until, whole));
}

function nextStop() {
  const result = state.view.result;
  const numbers = result ? result.trace.map((event) => event.number) : state.view.events.map((_, i) => i + 1);
  const found = numbers.findIndex((number, i) => i + 1 > state.at && state.stops.has(number));
  return found < 0 ? numbers.length : found + 1;
}

byId('file').addEventListener('change', (event) => doing(() => openFile(event.target.files[0])));
byId('drop').addEventListener('dragover', (event) => { event.preventDefault(); byId('drop').classList.add('over'); });
byId('drop').addEventListener('dragleave', () => byId('drop').classList.remove('over'));
byId('drop').addEventListener('drop', (event) => {
  event.preventDefault();
  byId('drop').classList.remove('over');
  if (event.dataTransfer.files.length) doing(() => openFile(event.dataTransfer.files[0]));
});
byId('find').addEventListener('input', () => showEvents(state, token));
byId('observe').addEventListener('click', () => doing(async () => { await ask('/api/observe'); await refresh(); }));
byId('logs').addEventListener('change', (event) => doing(async () => {
  for (const file of event.target.files) await ask('/api/log', await file.text());
  await refresh();
  await previewRules();
}));
byId('confidence').addEventListener('input', () => doing(previewRules));
byId('reduce').addEventListener('click', () => doing(async () => {
  state.removed.clear();
  state.view.result = null;
  state.counts = { tests: 0, saved: 0, pass: 0, fail: 0, unresolved: 0 };
  state.began = performance.now();
  await ask('/api/reduce', JSON.stringify({ failure: chosenFailure(), confidence: confidence() }));
  await refresh();
}));
byId('pause').addEventListener('click', () => doing(() => ask(state.view.paused ? '/api/go' : '/api/pause')));
byId('stop').addEventListener('click', () => doing(() => ask('/api/stop')));
byId('export').addEventListener('click', () => doing(async () => {
  const text = await ask(`/api/export?to=${byId('form').value}`, null, 'GET');
  byId('exported').textContent = text;
  byId('exported').hidden = false;
}));
byId('first').addEventListener('click', () => doing(() => play(1)));
byId('next').addEventListener('click', () => doing(() => play(state.at + 1)));
byId('run').addEventListener('click', () => doing(() => play(nextStop())));

listen();
doing(async () => { await refresh(); if (state.view.observed) showFailures(state, enable); });

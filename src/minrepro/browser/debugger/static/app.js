// The debugger: asks the server, listens to its news, and lets the user act.
import { useKeys } from './keys.js';
import { showFailures, showProgress, showResult, showRules } from './panels.js';
import { byId, made, showEvents, showHere, showStrip } from './view.js';

const token = new URLSearchParams(location.search).get('token') || '';
const OUTCOMES = { fail: 'reproduces', pass: 'does not reproduce', unresolved: 'unresolved' };
const LOST = 'minrepro does not respond. Is `minrepro web ui` still running?';
const none = () => ({ tests: 0, saved: 0, fired: 0, pass: 0, fail: 0, unresolved: 0 });
const state = { view: { events: [] }, removed: new Map(), tried: null, stops: new Set(), at: 0, here: 0, focus: 0, byRule: {},
  counts: none(), began: 0, folded: false };

async function ask(path, given, method = 'POST') {
  const headers = { 'X-Minrepro-Token': token };
  const body = typeof given === 'string' ? given : JSON.stringify(given || {});
  const sent = fetch(path, method === 'GET' ? { headers } : { method, headers, body });
  const answer = await sent.catch(() => { throw new Error(LOST); });
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
const chosenFailure = () => (document.querySelector('input[name=failure]:checked') || {}).value || '';

const act = {
  mark: (i, mark) => doing(async () => {
    state.focus = i;
    state.view = await ask('/api/mark', { number: i, mark });
    state.removed.clear();
    showFailures(state, failureChosen);
    show();
    if (state.view.logs) await previewRules();
  }),
  enlarge: (source, caption) => {
    byId('large').src = source;
    byId('caption').textContent = byId('large').alt = caption;
    byId('picture').showModal();
  },
  help: () => byId('keys').showModal(),
};

function enable() {
  const { view } = state;
  const idle = !view.work;
  const open = view.events.length > 0;
  byId('observe').disabled = !open || !idle;
  byId('logs').disabled = !open;
  byId('confidence').disabled = !view.logs;
  byId('resumed').hidden = !view.resumable || !idle;
  byId('reduce').disabled = !idle || !chosenFailure();
  byId('pause').disabled = byId('stop').disabled = view.work !== 'reduce';
  byId('pause').textContent = view.paused ? 'Continue' : 'Pause';
  byId('record').textContent = view.work === 'record' ? 'Stop recording' : 'Record';
  byId('record').disabled = !idle && view.work !== 'record';
  for (const id of ['first', 'next', 'run']) byId(id).disabled = !open || !idle;
}

function show() {
  const { view } = state;
  if (view.events.length && !state.folded) {
    state.folded = true;
    byId('drop').open = false;
  }
  if (view.url) byId('about').textContent = `${view.title || 'A session'} at ${view.url}: ${view.events.length} events`;
  showStrip(state);
  showEvents(state, act, token);
  showResult(view.result);
  saveAs();
  enable();
}

function failureChosen() {
  const chosen = chosenFailure();
  const { choices } = state.view;
  byId('part-row').hidden = !chosen;
  byId('part').value = choices && choices.failure === chosen && choices.part ? choices.part : chosen;
  enable();
}

async function refresh() {
  const before = JSON.stringify(state.view.observed);
  state.view = await ask('/api/view', null, 'GET');
  if (JSON.stringify(state.view.observed) !== before) showFailures(state, failureChosen);
  show();
}

const heard = {
  fired: (news) => { byId('fired').textContent = `event ${news.number} of ${state.view.events.length}`; },
  measured: (news) => { byId('fired').textContent = `replay ${news.run + 1} of ${news.times}`; },
  recorded: (news) => {
    byId('live').append(made('li', { textContent: news.text }));
    byId('live').scrollTop = byId('live').scrollHeight;
    if (news.failures) byId('message').textContent = 'An exception was thrown: you can stop recording now.';
  },
  played: (news) => { here(news.number); },
  tried: (news) => {
    state.tried = new Set(news.kept);
    byId('trying').textContent = `trying ${news.kept.length} events`;
    showStrip(state);
  },
  tested: (news) => {
    state.counts[news.saved ? 'saved' : 'tests'] += 1;
    if (!news.saved) {
      state.counts[news.outcome] += 1;
      state.counts.fired += news.fired;
      byId('trying').textContent = `${news.size} events: ${OUTCOMES[news.outcome]} (${news.reason})`;
    }
    showProgress(state);
  },
  accepted: (news) => {
    const kept = new Set(news.kept);
    const dropped = new Set(state.view.choices.dropped);
    state.view.events.forEach((_, i) => {
      if (kept.has(i)) state.removed.delete(i);
      else if (!state.removed.has(i) && !dropped.has(i)) state.removed.set(i, news.rule ? 'rule' : 'test');
    });
    showStrip(state);
    showEvents(state, act, token);
    showProgress(state);
  },
  opened: () => { state.folded = false; },
  warned: (news) => { byId('message').textContent = news.text; },
  failed: (news) => { byId('message').textContent = news.text; },
};

function listen() {
  const news = new EventSource(`/api/news?token=${encodeURIComponent(token)}`);
  news.onmessage = (message) => {
    const item = JSON.parse(message.data);
    if (heard[item.kind]) heard[item.kind](item);
    if (['opened', 'recording', 'observed', 'reduced', 'ended', 'paused', 'going'].includes(item.kind)) {
      if (item.kind === 'ended') {
        state.tried = null;
        byId('trying').textContent = byId('fired').textContent = '';
        if (item.work === 'record') byId('live').hidden = true;
      }
      setTimeout(() => doingQuietly(async () => {
        await refresh();
        if (item.kind === 'reduced') byId('result').scrollIntoView({ block: 'nearest' });
      }), 30);
    }
  };
  news.onerror = () => { byId('message').textContent = LOST; };
  news.onopen = () => {
    if (byId('message').textContent !== LOST) return;
    byId('message').textContent = '';
    doingQuietly(refresh);
  };
}

// News must not wipe away a message that is still to be read.
async function doingQuietly(action) {
  try { await action(); } catch (error) { byId('message').textContent = error.message; }
}

function forget() {
  state.removed.clear();
  state.stops.clear();
  state.byRule = {};
  state.at = state.here = state.focus = 0;
  byId('failures').hidden = byId('shot').hidden = byId('exported').hidden = byId('copy').hidden = true;
  for (const id of ['fired', 'progress', 'preview', 'where']) byId(id).textContent = '';
}

async function openFile(file) {
  const view = await ask('/api/open', await file.text());
  forget();
  state.view = view;
  show();
}

async function previewRules() {
  byId('confidence-value').textContent = confidence().toFixed(3);
  const { without } = state.view.choices;
  const answer = await ask('/api/rules', { confidence: confidence(), without });
  state.byRule = answer.removed;
  showRules(answer, (rule, used) => doing(async () => {
    state.view.choices.without = used ? without.filter((one) => one !== rule) : [...without, rule];
    await previewRules();
  }));
  showEvents(state, act, token);
}

const played = () => (byId('which').value === 'result' && state.view.result
  ? state.view.result.trace.map((event) => event.number) : state.view.events.map((_, i) => i + 1));

function here(at) {
  state.here = at ? played()[at - 1] : 0;
  showHere(state);
}

async function play(until) {
  const numbers = played();
  const wanted = Math.max(0, Math.min(until, numbers.length));
  byId('where').textContent = 'replaying …';
  for (const id of ['first', 'next', 'run']) byId(id).disabled = true;
  try {
    const seen = await ask('/api/play', { which: byId('which').value, until: wanted });
    state.at = seen.fired;
    byId('shot').hidden = !seen.picture;
    if (seen.picture) byId('shot').src = `data:image/jpeg;base64,${seen.picture}`;
    const failures = seen.failures.map((failure) => failure.signature);
    byId('where').textContent = [`after ${state.at} of ${numbers.length}`, seen.impossible, ...failures].filter(Boolean).join('; ');
    here(state.at);
  } catch (error) {
    byId('where').textContent = '';
    throw error;
  } finally {
    enable();
  }
}

function nextStop() {
  const numbers = played();
  const found = numbers.findIndex((number, i) => i + 1 > state.at && state.stops.has(number));
  return found < 0 ? numbers.length : found + 1;
}

function saveAs() {
  const form = byId('form').value;
  const names = { pytest: 'test_session.py', playwright: 'session.spec.js', puppeteer: 'session.js', recorder: 'session.json',
    side: 'session.side', text: 'steps.txt' };
  byId('save').href = `/api/export?to=${form}&token=${encodeURIComponent(token)}`;
  byId('save').download = names[form];
}

async function minimise(path, given) {
  state.removed.clear();
  state.view.result = null;
  state.counts = none();
  state.began = performance.now();
  await ask(path, given);
  await refresh();
}

const on = (id, name, action) => byId(id).addEventListener(name, (event) => doing(() => action(event)));

on('file', 'change', (event) => event.target.files.length && openFile(event.target.files[0]));
document.addEventListener('dragover', (event) => { event.preventDefault(); byId('drop').classList.add('over'); });
document.addEventListener('dragleave', (event) => event.relatedTarget || byId('drop').classList.remove('over'));
document.addEventListener('drop', (event) => {
  event.preventDefault();
  byId('drop').classList.remove('over');
  if (event.dataTransfer.files.length) doing(() => openFile(event.dataTransfer.files[0]));
});
byId('recorder').addEventListener('submit', (event) => {
  event.preventDefault();
  doing(async () => {
    if (state.view.work === 'record') {
      await ask('/api/stop');
      return;
    }
    await ask('/api/record', { url: byId('url').value });
    byId('live').replaceChildren();
    byId('live').hidden = false;
    await refresh();
  });
});
byId('find').addEventListener('input', () => showEvents(state, act, token));
on('observe', 'click', async () => {
  await ask('/api/observe', { predicate: byId('predicate').value, times: Number(byId('times').value) || 1 });
  await refresh();
});
on('logs', 'change', async (event) => {
  for (const file of event.target.files) await ask('/api/log', await file.text());
  await refresh();
  await previewRules();
});
on('confidence', 'input', previewRules);
on('reduce', 'click', () => {
  const failure = chosenFailure();
  const part = byId('part').value.trim();
  return minimise('/api/reduce', { failure, part: part === failure ? '' : part });
});
on('resume', 'click', () => minimise('/api/resume'));
on('pause', 'click', () => ask(state.view.paused ? '/api/go' : '/api/pause'));
on('stop', 'click', () => ask('/api/stop'));
byId('form').addEventListener('change', saveAs);
on('export', 'click', async () => {
  byId('exported').textContent = await ask(`/api/export?to=${byId('form').value}`, null, 'GET');
  byId('exported').hidden = byId('copy').hidden = false;
});
on('copy', 'click', () => navigator.clipboard.writeText(byId('exported').textContent));
byId('which').addEventListener('change', () => { state.at = 0; here(0); });
on('first', 'click', () => play(0));
on('next', 'click', () => play(state.at + 1));
on('run', 'click', () => play(nextStop() > state.at ? nextStop() : played().length));
byId('help').addEventListener('click', act.help);
byId('theme').addEventListener('click', () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
});

useKeys(state, act);
listen();
doing(async () => {
  await refresh();
  const { choices, logs } = state.view;
  if (!choices) return;
  byId('predicate').value = choices.predicate;
  byId('confidence').value = Math.round(-Math.log2(1 - choices.confidence));
  if (logs) await previewRules();
});

// The debugger: keeps what is shown, listens to the server's news, and lets the user act.
import { addressOf, ask, doing, doingQuietly, get, LOST, say } from './ask.js';
import { byId, made } from './dom.js';
import { showEditor, useEditor } from './edit.js';
import { useKeys, useTabs } from './keys.js';
import { layOut, reveal, rowOf, showList } from './list.js';
import { showFailures, showPart, showProgress, showResult, showRules, showRuns, showSessions } from './panels.js';
import { eventAt, showStrip, standing } from './strip.js';
import { enlarge, showDom, showStep } from './viewer.js';

const OUTCOMES = { fail: 'reproduces', pass: 'does not reproduce', unresolved: 'unresolved' };
const none = () => ({ tests: 0, saved: 0, fired: 0, pass: 0, fail: 0, unresolved: 0 });
const state = {
  view: { count: 0, sessions: [] }, events: [], words: [], rows: [], kinds: [], failures: [], failing: [], version: -1, seen: 0,
  removed: new Map(), needed: new Set(), tried: null, left: null, stops: new Set(), opened: new Set(), byRule: {}, here: 0, step: null,
  counts: none(), began: 0, playing: 0, recorded: false,
};
const confidence = () => 1 - 2 ** -Number(byId('confidence').value);
let chooseTab = () => {};

function drawNow() {
  state.kinds = standing(state);
  layOut(state);
  showStrip(state);
  showList(state, act);
}

let drawing = 0;
// However much news there is, all is drawn at most once in a frame.
function draw() {
  drawing ||= requestAnimationFrame(() => {
    drawing = 0;
    drawNow();
  });
}

function select(number, focus) {
  state.here = Math.max(0, Math.min(number, state.events.length));
  state.kinds = standing(state);
  layOut(state);
  reveal(state, focus);
  drawNow(); // the next key acts on this row
  showEditor(state);
  doingQuietly(() => showStep(state));
}

// The next or the previous of the events that are shown; with the result, of those that are left.
function beside(by) {
  if (byId('which').value === 'result' && state.view.result) {
    const numbers = [0, ...state.view.result.trace.map((event) => event.number)];
    return by > 0 ? numbers.find((number) => number > state.here) : numbers.findLast((number) => number < state.here);
  }
  const at = state.here ? rowOf(state, state.here) : -1;
  if (at + by < 0) return 0;
  return state.rows[at + by] && state.rows[at + by].from + 1;
}

function stopPlaying() {
  clearInterval(state.playing);
  state.playing = 0;
  byId('play').textContent = 'Play';
}

const act = state.act = {
  select: (number) => { stopPlaying(); select(number, false); },
  move: (by, focus) => { stopPlaying(); const next = beside(by); if (next !== undefined) select(next, focus); },
  unfold: (from) => { if (!state.opened.delete(from)) state.opened.add(from); draw(); },
  enlarge: () => enlarge(state),
  mark: (numbers, mark) => doing(async () => {
    take(await ask('/api/mark', { numbers, mark }));
    if (state.view.logs) await previewRules();
  }),
};

function play() {
  if (state.playing) {
    stopPlaying();
    return;
  }
  byId('play').textContent = 'Pause';
  if (beside(1) === undefined) select(0);
  state.playing = setInterval(() => {
    const next = beside(1);
    if (next === undefined) stopPlaying();
    else {
      select(next);
      if (state.stops.has(next)) stopPlaying();
    }
  }, Number(byId('pace').value));
}

function enable() {
  const { view } = state;
  const idle = !view.work;
  const open = view.count > 0;
  const ready = open && idle && Boolean(byId('failure').value);
  const long = ['reduce', 'compare'].includes(view.work);
  byId('observe').disabled = !open || !idle;
  byId('logs').disabled = byId('login').disabled = !open || !idle;
  byId('confidence').disabled = !view.logs;
  byId('resume').hidden = !view.resumable || !idle;
  byId('reduce').disabled = byId('compare').disabled = !ready;
  byId('pause').disabled = byId('stop').disabled = !long;
  byId('pause').textContent = view.paused ? 'Continue' : 'Pause';
  byId('record').textContent = view.work === 'record' ? 'Stop recording' : 'Record';
  byId('record').disabled = !idle && view.work !== 'record';
  byId('bar').hidden = !view.work || view.work === 'record';
  for (const id of ['play', 'first', 'back', 'next', 'run', 'export', 'try']) byId(id).disabled = !open;
  byId('try').disabled = !open || !idle;
  byId('jump').disabled = !state.failing.length;
}

// Show a view that came from the server, and fetch what is not in it.
function take(view) {
  const before = state.view;
  const changedSeen = JSON.stringify(view.observed) !== JSON.stringify(before.observed);
  state.view = view;
  if (view.version !== state.version) {
    doingQuietly(fetchEvents);
    return;
  }
  if (view.id !== before.id) forget();
  if (changedSeen) seenAnew(before.observed);
  show();
}

async function fetchEvents() {
  const { view } = state;
  forget();
  const told = view.count ? await get('/api/events') : { events: [], words: [], version: view.version };
  Object.assign(state, { events: told.events, words: told.words, version: told.version });
  state.here = Math.min(state.here, state.events.length);
  seenAnew(null);
  show();
  select(state.here);
  const { choices, logs } = state.view;
  if (!choices) return;
  byId('predicate').value = choices.predicate;
  byId('base').value = choices.base;
  byId('most-replays').value = choices.most_replays || '';
  byId('most-seconds').value = choices.most_seconds || '';
  byId('algorithm').value = choices.algorithm;
  byId('confidence').value = Math.round(-Math.log2(1 - choices.confidence));
  if (logs) await previewRules();
}

function seenAnew() {
  const { observed } = state.view;
  state.seen += 1;
  state.failures = observed ? observed.failures : [];
  state.failing = [...new Set(state.failures.map((one) => one.number).filter(Boolean))];
  const told = showFailures(state);
  if (told) say(told);
  if (observed) select(observed.impossible ? observed.at : failingEvent() || state.events.length);
}

const failingEvent = () => (state.failures.find((one) => one.signature === byId('failure').value) || {}).number || 0;

function show() {
  const { view } = state;
  byId('about').textContent = view.count ? `${view.title || 'A session'} at ${view.url}: ${view.count} events`
    : 'Drop the recording of a failing session to find the events that matter.';
  byId('given-login').textContent = view.login ? `${view.login} events are replayed before each replay` : '';
  byId('empty').hidden = view.count > 0;
  showSessions(state);
  showResult(state);
  showRuns(view.runs);
  showExported(view.exported);
  enable();
  draw();
}

function showExported(exported) {
  byId('run-told').replaceChildren(...((exported && exported.told) || []).map((text) => made('li', { textContent: text })));
  saveAs();
}

const refresh = async () => take(await get('/api/view'));

const heard = {
  fired: (news) => {
    byId('bar').value = news.number / Math.max(1, state.view.count);
    byId('status').textContent = `replaying: event ${news.number} of ${state.view.count}`;
  },
  measured: (news) => {
    byId('status').textContent = news.size === undefined ? `replay ${news.run + 1} of ${news.times}` : `${state.algorithm}: ${news.size} events tried`;
  },
  comparing: (news) => { state.algorithm = news.algorithm; byId('bar').removeAttribute('value'); },
  recorded: (news) => {
    byId('live').append(made('li', { textContent: news.text }));
    byId('live').scrollTop = byId('live').scrollHeight;
    if (news.failures) say('An exception was thrown: you can stop recording now.');
  },
  tried: (news) => {
    state.tried = new Set(news.kept);
    draw();
  },
  tested: (news) => {
    state.counts[news.saved ? 'saved' : 'tests'] += 1;
    if (!news.saved) {
      state.counts[news.outcome] += 1;
      state.counts.fired += news.fired;
      if (news.outcome !== 'fail' && state.left && state.tried && state.tried.size === state.left.length - 1) {
        for (const i of state.left) if (!state.tried.has(i)) state.needed.add(i);
      }
      byId('trying').textContent = `check ${news.check}: ${news.size} events: ${OUTCOMES[news.outcome]} (${news.reason})`;
    }
    showProgress(state);
  },
  accepted: (news) => {
    const kept = new Set(news.kept);
    const dropped = new Set(state.view.choices.dropped);
    state.left = news.kept;
    state.events.forEach((_, i) => {
      if (kept.has(i)) state.removed.delete(i);
      else if (!state.removed.has(i) && !dropped.has(i)) {
        state.removed.set(i, { kind: news.rule ? 'rule' : 'test', check: news.check });
        state.needed.delete(i);
      }
    });
    draw();
    showProgress(state);
  },
  reduced: () => { byId('status').textContent = ''; chooseTab('tab-result'); },
  compared: () => { chooseTab('tab-algorithms'); },
  exported: () => { chooseTab('tab-export'); showText(); },
  warned: (news) => { say(news.text); },
  failed: (news) => { say(news.text); },
};
const RENEWING = ['opened', 'recording', 'observed', 'reduced', 'replayed', 'compared', 'exported', 'ended', 'paused', 'going'];

function ended(news) {
  state.tried = null;
  byId('trying').textContent = '';
  if (['observe', 'compare', 'export'].includes(news.work)) byId('status').textContent = '';
  if (news.work === 'record') byId('live').hidden = true;
}

function listen() {
  const news = new EventSource(addressOf('/api/news'));
  news.onmessage = (message) => {
    const item = JSON.parse(message.data);
    if (heard[item.kind]) heard[item.kind](item);
    if (item.kind === 'ended') ended(item);
    if (!RENEWING.includes(item.kind)) return;
    setTimeout(() => doingQuietly(async () => {
      await refresh();
      if (item.kind === 'replayed') doingQuietly(() => showStep(state));
      // What was recorded is replayed once, to see where it diverges.
      if (item.kind === 'ended' && item.work === 'record' && state.view.count) await observe();
    }), 30);
  };
  news.onerror = () => say(LOST);
  news.onopen = () => {
    if (byId('message').textContent !== LOST) return;
    say('');
    doingQuietly(refresh);
  };
}

function forget() {
  state.removed.clear();
  state.needed.clear();
  state.stops.clear();
  state.opened.clear();
  Object.assign(state, { byRule: {}, here: 0, tried: null, left: null });
  byId('exported').hidden = byId('copy').hidden = true;
  for (const id of ['status', 'trying', 'preview']) byId(id).textContent = '';
  byId('rules').replaceChildren();
}

async function openFile(file) {
  byId('open').close();
  take(await ask(`/api/open?name=${encodeURIComponent(file.name)}`, await file.text()));
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
  draw();
}

function nextStop() {
  const wanted = [...state.stops].filter((number) => number > state.here);
  const last = byId('which').value === 'result' ? state.view.result.trace.at(-1).number : state.events.length;
  select(wanted.length ? Math.min(...wanted) : last);
}

function saveAs() {
  const form = byId('form').value;
  const names = { pytest: 'test_session.py', playwright: 'session.spec.ts', puppeteer: 'session.js', selenium: 'test_session.py',
    recorder: 'session.json', side: 'session.side', text: 'steps.txt' };
  byId('save').href = addressOf(`/api/export?to=${form}`);
  byId('save').download = names[form];
  byId('fixed').disabled = byId('try').hidden = !['pytest', 'playwright', 'puppeteer', 'selenium'].includes(form);
}

const showText = () => doing(async () => {
  byId('exported').textContent = await get(`/api/export?to=${byId('form').value}`);
  byId('exported').hidden = byId('copy').hidden = false;
});

const settle = () => ask('/api/settle', { base: byId('base').value, replays: Number(byId('most-replays').value) || 0,
  seconds: Number(byId('most-seconds').value) || 0 });

async function observe(more = {}) {
  await settle();
  await ask('/api/observe', { predicate: byId('predicate').value, times: Number(byId('times').value) || 1, ...more });
  await refresh();
}

async function minimise(path, given) {
  await settle();
  state.removed.clear();
  state.needed.clear();
  state.left = null;
  state.counts = none();
  state.began = performance.now();
  await ask(path, given);
  await refresh();
}

const wanted = () => {
  const failure = byId('failure').value;
  const part = byId('part').value.trim();
  return { failure, part: part === failure ? '' : part, algorithm: byId('algorithm').value };
};

const on = (id, name, action) => byId(id).addEventListener(name, (event) => doing(() => action(event)));
const plainly = (id, name, action) => byId(id).addEventListener(name, action);

on('file', 'change', (event) => event.target.files.length && openFile(event.target.files[0]));
document.addEventListener('dragover', (event) => { event.preventDefault(); document.body.classList.add('over'); });
document.addEventListener('dragleave', (event) => event.relatedTarget || document.body.classList.remove('over'));
document.addEventListener('drop', (event) => {
  event.preventDefault();
  document.body.classList.remove('over');
  if (event.dataTransfer.files.length) doing(() => openFile(event.dataTransfer.files[0]));
});
plainly('recorder', 'submit', (event) => {
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
on('session', 'change', async (event) => take(await ask('/api/choose', { id: Number(event.target.value) })));
on('discard', 'click', async () => take(await ask('/api/discard', { id: state.view.id })));
for (const id of ['find', 'kept-only']) byId(id).addEventListener('input', draw);
plainly('events-pane', 'scroll', draw);
plainly('strip', 'click', (event) => act.select(eventAt(state, event.offsetX)));
new ResizeObserver(draw).observe(byId('events-pane'));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
on('observe', 'click', () => observe());
on('more-pictures', 'click', () => observe({ around: state.here }));
on('failure', 'change', () => { showPart(state); select(failingEvent()); enable(); });
on('jump', 'click', () => act.select(failingEvent()));
on('logs', 'change', async (event) => {
  for (const file of event.target.files) await ask('/api/log', await file.text());
  await refresh();
  await previewRules();
});
on('login', 'change', async (event) => event.target.files.length && take(await ask('/api/login', await event.target.files[0].text())));
on('confidence', 'input', previewRules);
on('reduce', 'click', () => minimise('/api/reduce', wanted()));
on('compare', 'click', () => minimise('/api/compare', wanted()));
on('resume', 'click', () => minimise('/api/resume'));
on('pause', 'click', () => ask(state.view.paused ? '/api/go' : '/api/pause'));
on('stop', 'click', () => ask('/api/stop'));
plainly('form', 'change', saveAs);
on('export', 'click', showText);
on('try', 'click', async () => {
  byId('status').textContent = 'running the exported test';
  await ask('/api/run', { to: byId('form').value, fixed: byId('fixed').value.trim() });
  await refresh();
});
on('copy', 'click', () => navigator.clipboard.writeText(byId('exported').textContent));
on('which', 'change', () => select(byId('which').value === 'result' ? state.view.result.trace.at(-1).number : state.here));
plainly('first', 'click', () => act.select(0));
plainly('back', 'click', () => act.move(-1));
plainly('next', 'click', () => act.move(1));
plainly('play', 'click', play);
plainly('run', 'click', nextStop);
for (const id of ['before', 'after']) byId(id).addEventListener('dblclick', act.enlarge);
plainly('look', 'change', () => { byId('pictures').dataset.look = byId('look').value; });
for (const [button, dialog] of [['help', 'keys'], ['more', 'options'], ['opens', 'open']]) {
  byId(button).addEventListener('click', () => byId(dialog).showModal());
}
plainly('theme', 'click', () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  draw();
});

chooseTab = useTabs((id) => { if (id === 'tab-dom') doingQuietly(() => showDom(state)); });
useKeys(state, act);
useEditor(state, (view, given) => {
  const at = { add: given.number + 1, move: given.to + 1, change: given.number + 1, remove: given.number }[given.do];
  state.view = view;
  doingQuietly(async () => { await fetchEvents(); select(at); });
});
listen();
doing(refresh);

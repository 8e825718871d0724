// One step of a replay: the page before and after it, what was thrown, said and asked for, and the DOM.
import { addressOf, get } from './ask.js';
import { byId, made, table } from './dom.js';

const pictureOf = (state, when) => addressOf(`/api/picture/${byId('which').value}/${state.here}/${when}?v=${state.seen}`);

function showPicture(state, when, there, boxes) {
  const image = byId(when);
  image.hidden = !there;
  byId(`no-${when}`).hidden = there;
  if (there) image.src = pictureOf(state, when);
  const frame = image.parentElement;
  for (const old of frame.querySelectorAll('.box')) old.remove();
  for (const box of there ? boxes : []) {
    const mark = made('div', { className: 'box' });
    const [width, height] = state.step.size;
    const place = { left: box.x / width, top: box.y / height, width: box.width / width, height: box.height / height };
    for (const [name, share] of Object.entries(place)) mark.style[name] = `${share * 100}%`;
    frame.append(mark);
  }
}

function frames(error) {
  return error.frames.map((frame, i) => {
    const place = `${frame.url.replace(/^https?:\/\/[^/]+/, '')}:${frame.line}`;
    const lines = frame.source.map(({ line, text }) => made('div', { className: line === frame.line ? 'hit' : '' },
      made('span', { className: 'number', textContent: line }), text));
    return made('details', { open: i === 0 }, made('summary', {}, made('code', { textContent: frame.function }), ` ${place}`),
      made('pre', { tabIndex: 0, aria: { label: `Source at ${place}` } }, ...lines));
  });
}

const errorsOf = (step) => step.errors.map((error) =>
  made('div', { className: 'thrown' }, made('strong', { textContent: error.text }), ...frames(error)));

export async function showStep(state) {
  const which = byId('which').value;
  const { here, seen } = state;
  const event = state.events[here - 1];
  byId('where').textContent = event ? `${here} of ${state.events.length}: ${event.text}` : 'The page as it is opened';
  const step = state.events.length ? await get(`/api/step/${which}/${here}`) : { replayed: false };
  if (state.here !== here || state.seen !== seen || byId('which').value !== which) return;
  state.step = step;
  const { replayed } = step;
  showPicture(state, 'before', replayed && step.before, replayed ? step.boxes : []);
  showPicture(state, 'after', replayed && step.after, []);
  const why = state.view.observed ? 'no picture of this step' : 'not replayed yet';
  byId('no-before').textContent = here === 0 ? 'before the page was opened' : why;
  byId('no-after').textContent = why;
  byId('more-pictures').hidden = !(here && state.view.observed && !(replayed && step.after) && which === 'original');
  byId('address').textContent = replayed ? step.url : '';
  byId('errors').replaceChildren(...(replayed ? errorsOf(step) : []));
  const logged = replayed ? step.console : [];
  const asked = replayed ? step.network : [];
  byId('tab-console').textContent = `Console${logged.length ? ` ${logged.length}` : ''}`;
  byId('tab-network').textContent = `Network${asked.length ? ` ${asked.length}` : ''}`;
  byId('console').replaceChildren(...(logged.length ? table(['kind', 'text', 'from'], logged.map((one) =>
    made('tr', { className: one.type }, made('td', { textContent: one.type }), made('td', { textContent: one.text }),
      made('td', { textContent: one.where })))) : [made('caption', { textContent: 'Nothing was written to the console at this step.' })]));
  byId('network').replaceChildren(...(asked.length ? table(['method', 'address', 'type', 'status'], asked.map((one) =>
    made('tr', { className: /^[123]/.test(one.status) ? '' : 'error' }, made('td', { textContent: one.method }),
      made('td', { textContent: one.url }), made('td', { textContent: one.type }), made('td', { textContent: one.status }))))
    : [made('caption', { textContent: 'Nothing was asked for at this step.' })]));
  if (!byId('panel-dom').hidden) await showDom(state);
}

export async function showDom(state) {
  const { here } = state;
  const dom = await get(`/api/dom/${byId('which').value}/${here}`);
  if (state.here !== here) return;
  const changed = dom.changes.map(({ mark, text }) =>
    made('div', { className: mark === '+' ? 'added' : 'gone', textContent: `${mark} ${text}` }));
  byId('dom-changes').replaceChildren(...(changed.length ? changed : [dom.lines.length ? 'Nothing.' : 'The DOM of this step was not kept.']));
  byId('dom').replaceChildren(...dom.lines.map((text) => made('div', { textContent: text })),
    ...(dom.more ? [made('div', { className: 'why', textContent: `${dom.more} more lines` })] : []));
}

export function enlarge(state) {
  const when = state.step && state.step.after ? 'after' : 'before';
  if (byId(when).hidden) return;
  byId('large').src = pictureOf(state, when);
  byId('caption').textContent = byId('large').alt = `${when} ${byId('where').textContent}`;
  byId('picture').showModal();
}

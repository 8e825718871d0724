// The list of events. Only the rows that can be seen are in the page, so that 5,000 of them are as quick as 50.
import { byId, made } from './dom.js';
import { isLeft, KINDS } from './strip.js';

const HEIGHT = 46;

const typed = (event) => event.text.replace(/^press (Shift\+)?/, '');

// One row for each event; keys of one word are one row until it is opened.
export function layOut(state) {
  const { events, words, kinds } = state;
  const wanted = byId('find').value.toLowerCase();
  const keptOnly = byId('kept-only').checked;
  const begins = new Map(words.map(([begin, end]) => [begin, end]));
  const rows = [];
  for (let i = 0; i < events.length; i += 1) {
    const end = begins.get(i);
    if (end) rows.push({ from: i, to: end, word: true, text: `type '${events.slice(i, end).map(typed).join('')}'` });
    if (end && !state.opened.has(i)) i = end - 1;
    else rows.push({ from: i, to: i + 1, text: events[i].text });
  }
  state.rows = rows.filter((row) => row.text.toLowerCase().includes(wanted)
    && (!keptOnly || kinds.slice(row.from, row.to).some(isLeft)));
}

export const rowOf = (state, number) => {
  const exact = state.rows.findIndex((row) => !row.word && row.from === number - 1);
  return exact >= 0 ? exact : state.rows.findIndex((row) => row.from < number && number <= row.to);
};

function noteOf(state, row) {
  const { result } = state.view;
  const i = row.from;
  const failure = state.failures.find((one) => one.number > row.from && one.number <= row.to);
  if (failure) return ['bad', failure.signature];
  const simpler = result && result.trace.find((event) => event.number === i + 1);
  if (simpler && simpler.changed) return ['changed', `now: ${simpler.text}`];
  if (result && row.to - row.from === 1) {
    const { text, kept } = result.reasons[i];
    return ['', kept && text === 'needed' && result.why !== 'finished' ? 'not tested alone' : text];
  }
  const kinds = [...new Set(state.kinds.slice(row.from, row.to))];
  const removed = state.removed.get(i);
  if (kinds.length === 1 && removed) return ['', `${KINDS[removed.kind]}${removed.kind === 'test' ? ` (check ${removed.check})` : ''}`];
  if (state.byRule[i] && !result) return ['rule', `would be removed by rule ${state.byRule[i]}`];
  return ['', kinds.map((kind) => KINDS[kind]).join(', ')];
}

function textOf(state, row) {
  const text = made('span', { className: 'text', title: row.text });
  const gone = (i) => !isLeft(state.kinds[i]);
  if (!row.word) text.append(gone(row.from) ? made('del', { textContent: row.text }) : row.text);
  else {
    const letters = state.events.slice(row.from, row.to).map((event, i) =>
      (gone(row.from + i) ? made('del', { textContent: typed(event) }) : typed(event)));
    text.append('type \'', ...letters, '\'');
  }
  return text;
}

function markButton(state, act, row, mark, label, title, marked) {
  const numbers = Array.from({ length: row.to - row.from }, (_, i) => row.from + i);
  const on = numbers.every((number) => marked.includes(number));
  const button = made('button', { textContent: label, title, disabled: Boolean(state.view.work),
    aria: { pressed: on, label: `${label}: ${title.toLowerCase()}, event ${row.from + 1}` }, data: { mark } });
  button.addEventListener('click', () => act.mark(numbers, on ? '' : mark));
  return button;
}

function madeRow(state, act, row, at) {
  const number = row.from + 1;
  const { pinned, dropped } = state.view.choices;
  const stop = made('input', { type: 'checkbox', className: 'stop', checked: state.stops.has(number),
    title: 'Breakpoint', aria: { label: `Break at ${number}` } });
  stop.addEventListener('change', () => (stop.checked ? state.stops.add(number) : state.stops.delete(number)));
  const [kind, note] = noteOf(state, row);
  const label = row.to - row.from > 1 ? `${number}–${row.to}` : `${number}`;
  const main = made('button', { className: 'event' }, made('span', { className: 'number', textContent: label }),
    textOf(state, row), made('span', { className: `why ${kind}`, textContent: note, title: note }));
  main.addEventListener('click', () => act.select(number));
  const item = made('li', { data: { number }, aria: { setsize: state.rows.length, posinset: at + 1 } }, stop, main,
    markButton(state, act, row, 'pin', 'pin', 'Never remove', pinned),
    markButton(state, act, row, 'drop', '×', 'Exclude', dropped));
  if (row.word) {
    const open = state.opened.has(row.from);
    const more = made('button', { className: 'more', textContent: open ? '▾' : '▸', aria: { expanded: open, label: `${open ? "▾" : "▸"} keys of event ${label}` } });
    more.addEventListener('click', () => act.unfold(row.from));
    item.append(more);
  }
  item.style.transform = `translateY(${at * HEIGHT}px)`;
  item.className = state.kinds[row.from];
  const here = state.here >= number && state.here <= row.to;
  item.classList.toggle('here', here && rowOf(state, state.here) === at);
  if (item.classList.contains('here')) main.setAttribute('aria-current', 'step');
  item.classList.toggle('pinned', pinned.includes(row.from));
  item.classList.toggle('failing', kind === 'bad');
  return item;
}

export function showList(state, act) {
  const pane = byId('events-pane');
  const list = byId('events');
  const focused = list.contains(document.activeElement) && document.activeElement.closest('li');
  const was = focused && [Number(focused.dataset.number), [...focused.children].indexOf(document.activeElement)];
  list.style.height = `${state.rows.length * HEIGHT}px`;
  const first = Math.max(0, Math.floor(pane.scrollTop / HEIGHT) - 5);
  const last = Math.ceil((pane.scrollTop + pane.clientHeight) / HEIGHT) + 5;
  list.replaceChildren(...state.rows.slice(first, last).map((row, i) => madeRow(state, act, row, first + i)));
  if (was) [...list.children].find((item) => Number(item.dataset.number) === was[0])?.children[was[1]]?.focus({ preventScroll: true });
  byId('shown').textContent = state.rows.length ? `${state.rows.length} of ${state.events.length}` : '';
}

// Have the row of the event that is looked at in sight.
export function reveal(state, focus) {
  const at = rowOf(state, state.here);
  const pane = byId('events-pane');
  if (at < 0) return;
  if (at * HEIGHT < pane.scrollTop) pane.scrollTop = at * HEIGHT;
  if ((at + 1) * HEIGHT > pane.scrollTop + pane.clientHeight) pane.scrollTop = (at + 1) * HEIGHT - pane.clientHeight;
  if (focus) requestAnimationFrame(() => byId('events').querySelector('.here .event')?.focus({ preventScroll: true }));
}

// The events of the session and how each stands. All text goes into the page as text, never as markup.

export const byId = (id) => document.getElementById(id);

export function made(tag, properties = {}, ...children) {
  const { aria = {}, data = {}, ...own } = properties;
  const element = Object.assign(document.createElement(tag), own);
  for (const [name, value] of Object.entries(aria)) element.setAttribute(`aria-${name}`, value);
  Object.assign(element.dataset, data);
  element.append(...children);
  return element;
}

const chosen = (state) => state.view.choices || { pinned: [], dropped: [] };

// How each event stands: 'kept', or what removed it: 'rule', 'test', or 'drop' where the user left it out.
export function standing(state) {
  const reasons = state.view.result && state.view.result.reasons;
  const dropped = new Set(chosen(state).dropped);
  return state.view.events.map((_, i) => {
    if (dropped.has(i)) return 'drop';
    if (reasons) return reasons[i].kept ? 'kept' : reasons[i].rule ? 'rule' : 'test';
    return state.removed.get(i) || 'kept';
  });
}

export function showStrip(state) {
  const how = standing(state);
  const tried = state.tried;
  byId('strip').replaceChildren(...how.map((kind, i) =>
    made('i', { className: tried && tried.has(i) ? `${kind} tried` : kind, title: `${i + 1}: ${kind}` })));
  const left = how.filter((kind) => kind === 'kept').length;
  byId('strip').setAttribute('aria-label', `${left} of ${how.length} events are kept`);
  byId('legend').hidden = byId('search').hidden = !how.length;
}

function markButton(state, act, i, mark, text, title, on) {
  const button = made('button', { textContent: text, title, disabled: Boolean(state.view.work),
    aria: { pressed: on, label: `${title}: event ${i + 1}` }, data: { mark } });
  button.addEventListener('click', () => act.mark(i, on ? '' : mark));
  return button;
}

function notes(state, i) {
  const { result, observed } = state.view;
  const found = [];
  const note = (text, kind = '') => found.push(made('div', { className: `why ${kind}`, textContent: text }));
  if (result) note(result.reasons[i].text);
  else if (state.byRule[i]) note(`rule ${state.byRule[i]}`);
  const simpler = result && result.trace.find((event) => event.number === i + 1);
  if (simpler && simpler.changed) note(`now: ${simpler.text}`, 'changed');
  for (const failure of (observed ? observed.failures : []).filter((one) => one.number === i + 1)) {
    note(failure.signature, 'bad');
  }
  return found;
}

function eventRow(state, act, token, event, i, kind) {
  const number = i + 1;
  const stop = made('input', { type: 'checkbox', className: 'stop', checked: state.stops.has(number),
    title: 'Breakpoint', aria: { label: `Break at ${number}` } });
  stop.addEventListener('change', () => (stop.checked ? state.stops.add(number) : state.stops.delete(number)));
  const middle = made('div', {}, made('div', { className: 'text', textContent: event.text }), ...notes(state, i));
  if (event.selectors.length) {
    middle.append(made('details', {}, made('summary', { textContent: 'selectors' }),
      ...event.selectors.map((text) => made('div', {}, made('code', { textContent: text })))));
  }
  const { pinned, dropped } = chosen(state);
  const marks = made('span', { className: 'marks' },
    markButton(state, act, i, 'pin', 'pin', 'Never remove', pinned.includes(i)),
    markButton(state, act, i, 'drop', '×', 'Exclude', dropped.includes(i)));
  const row = made('li', { className: kind, tabIndex: i === state.focus ? 0 : -1, data: { number } },
    stop, made('span', { className: 'number', textContent: number }), middle, marks);
  if (pinned.includes(i)) row.classList.add('pinned');
  if (state.here === number) row.classList.add('here');
  if (event.picture) {
    const source = `/api/picture/${number}?token=${encodeURIComponent(token)}`;
    const thumb = made('button', { className: 'thumb', aria: { label: `The page after event ${number}, larger` } },
      made('img', { src: source, loading: 'lazy', alt: '' }));
    thumb.addEventListener('click', () => act.enlarge(source, `after ${number}: ${event.text}`));
    row.append(thumb);
  }
  return row;
}

export function showEvents(state, act, token) {
  const how = standing(state);
  const wanted = byId('find').value.toLowerCase();
  const list = byId('events');
  const inside = list.contains(document.activeElement) && document.activeElement.closest('li');
  const scrolled = list.scrollTop;
  list.replaceChildren(...state.view.events.map((event, i) => {
    const row = eventRow(state, act, token, event, i, how[i]);
    row.hidden = !event.text.toLowerCase().includes(wanted);
    return row;
  }));
  list.scrollTop = scrolled;
  if (inside) list.children[state.focus]?.focus({ preventScroll: true });
}

export function showHere(state) {
  for (const row of byId('events').children) {
    const here = Number(row.dataset.number) === state.here;
    row.classList.toggle('here', here);
    if (here) row.scrollIntoView({ block: 'nearest' });
  }
}

// Changes the session by hand: the steps of an event, their selectors, new events, another order.
import { ask, doing } from './ask.js';
import { byId, made } from './dom.js';

const TEMPLATES = {
  hover: { type: 'hover', selectors: [''] }, click: { type: 'click', selectors: [''], anywhere: true },
  change: { type: 'change', selectors: [''], value: '' }, waitForElement: { type: 'waitForElement', selectors: [''] },
  shows: { type: 'waitForExpression', expression: "document.body.innerText.includes('')" },
  waitForExpression: { type: 'waitForExpression', expression: 'document.readyState === "complete"' },
};
const plain = (selector) => (Array.isArray(selector) ? selector.join(' >>> ') : selector);
const FIELDS = ['value', 'expression', 'url', 'key'];

let draft = { steps: [], adding: false };

// The step that acts: the others are keys that are held meanwhile.
const acting = () => draft.steps.find((step) => !step.type.startsWith('key')) || draft.steps[0] || {};

function showFields(state) {
  const step = acting();
  const chosen = (i) => {
    step.selectors.unshift(...step.selectors.splice(i, 1));
    showDraft(state);
  };
  byId('selectors').hidden = !step.selectors;
  byId('selectors').replaceChildren(made('legend', { textContent: 'Found by (the first that finds it)' }),
    ...(step.selectors || []).map((selector, i) => {
      const choice = made('input', { type: 'radio', name: 'selector', checked: i === 0 });
      choice.addEventListener('change', () => chosen(i));
      return made('label', {}, choice, ' ', made('code', { textContent: plain(selector) || '(pick an element)' }));
    }));
  byId('fields').replaceChildren(...FIELDS.filter((name) => typeof step[name] === 'string').map((name) => {
    const field = made('input', { type: 'text', value: step[name], spellcheck: false });
    field.addEventListener('input', () => { step[name] = field.value; showJson(); });
    return made('label', { className: 'field' }, `${name} `, field);
  }));
}

function showJson() { byId('json').value = JSON.stringify(draft.steps, null, 1); }

function showDraft(state) {
  showFields(state);
  showJson();
  const idle = !state.view.work && state.events.length > 0;
  byId('editor').hidden = !state.here && !draft.adding;
  byId('edit-title').textContent = draft.adding ? `A new event after ${state.here}` : `Event ${state.here}`;
  for (const id of ['save-edit', 'pick']) byId(id).disabled = !idle;
  for (const id of ['up', 'down', 'remove']) byId(id).disabled = !idle || draft.adding || !state.here;
  byId('add').disabled = !idle;
}

export function showEditor(state) {
  const event = state.events[state.here - 1];
  draft = { steps: event ? structuredClone(event.steps) : [], adding: false };
  showDraft(state);
}

async function pickAt(state, event) {
  const image = event.target;
  const place = image.getBoundingClientRect();
  const [width, height] = state.step.size;
  const x = Math.round((event.clientX - place.x) / place.width * width);
  const y = Math.round((event.clientY - place.y) / place.height * height);
  document.body.classList.remove('picking');
  byId('pick').setAttribute('aria-pressed', false);
  const { steps } = draft;
  const found = await ask('/api/pick', { number: image.id === 'before' ? state.here - 1 : state.here, x, y });
  if (draft.steps !== steps) return;
  acting().selectors = found.selectors;
  showDraft(state);
}

export function useEditor(state, changed) {
  const send = (given) => doing(async () => changed(await ask('/api/edit', given), given));
  const number = () => state.here - 1;
  byId('json').addEventListener('input', () => {
    try { draft.steps = JSON.parse(byId('json').value); showFields(state); } catch { /* while it is being typed */ }
  });
  byId('save-edit').addEventListener('click', () => doing(async () => {
    let steps;
    try { steps = JSON.parse(byId('json').value); } catch (error) { throw new Error(`not JSON: ${error.message}`); }
    send(draft.adding ? { do: 'add', number: state.here, steps } : { do: 'change', number: number(), steps });
  }));
  byId('add').addEventListener('click', () => {
    draft = { steps: [structuredClone(TEMPLATES[byId('kind').value])], adding: true };
    showDraft(state);
    (byId('fields').querySelector('input') || byId('pick')).focus();
  });
  byId('up').addEventListener('click', () => state.here > 1 && send({ do: 'move', number: number(), to: number() - 1 }));
  byId('down').addEventListener('click', () => state.here < state.events.length && send({ do: 'move', number: number(), to: number() + 1 }));
  byId('remove').addEventListener('click', () => send({ do: 'remove', number: number() }));
  byId('pick').addEventListener('click', () => {
    const on = document.body.classList.toggle('picking');
    byId('pick').setAttribute('aria-pressed', on);
  });
  for (const id of ['before', 'after']) {
    byId(id).addEventListener('click', (event) => {
      if (document.body.classList.contains('picking')) doing(() => pickAt(state, event));
    });
  }
}

// The failures, the rules, the progress, the result, and what each algorithm took.
import { byId, made, table } from './dom.js';

export function showFailures(state) {
  const { observed, choices } = state.view;
  const select = byId('failure');
  const rows = state.failures;
  select.disabled = !rows.length;
  const often = (one) => (observed.times > 1 ? `, in ${one.shown} of ${observed.times} replays` : '');
  const place = (one) => (one.number ? `event ${one.number}` : 'as the page opens');
  select.replaceChildren(...(rows.length ? rows.map((one, i) => made('option', { value: one.signature,
    textContent: `${i + 1}. ${one.signature} (${place(one)}${often(one)})` }))
    : [made('option', { value: '', textContent: observed ? 'no failure in the replay' : 'not replayed yet' })]));
  if (choices && rows.some((one) => one.signature === choices.failure)) select.value = choices.failure;
  showPart(state);
  if (!observed) return '';
  if (observed.impossible) {
    return `Cannot replay event ${observed.at}: ${observed.impossible}\nThe page was at ${observed.instead || 'another place'}`;
  }
  const late = observed.pending ? ` A timer of ${observed.pending.toFixed(1)} s was pending.` : '';
  return rows.length ? '' : `No failure.${late} If the page shows one, describe it under Options.`;
}

export function showPart(state) {
  const { choices } = state.view;
  const chosen = byId('failure').value;
  byId('part').value = choices && choices.failure === chosen && choices.part ? choices.part : chosen;
}

export function showRules(answer, ticked) {
  byId('preview').textContent = `${answer.before} → ${answer.after} events`;
  byId('rules').replaceChildren(...table(['use', 'rule', 'kind', 'seen', 'confidence'], answer.rules.map((rule) => {
    const tick = made('input', { type: 'checkbox', checked: rule.used, aria: { label: `Use ${rule.rule}` } });
    tick.addEventListener('change', () => ticked(rule.rule, tick.checked));
    return made('tr', { className: rule.used ? '' : 'unused' }, made('td', {}, tick),
      made('td', {}, made('code', { textContent: rule.rule })), made('td', { textContent: rule.kind }),
      made('td', { textContent: `${rule.for}×` }), made('td', { textContent: rule.confidence.toFixed(3) }));
  })));
}

// How much is settled: events that are gone, and those without which it was seen not to reproduce.
export function showProgress(state) {
  const { counts, view } = state;
  const seconds = Math.round((performance.now() - state.began) / 1000);
  const whole = view.count - (view.choices ? view.choices.dropped.length : 0);
  const left = whole - state.removed.size;
  document.title = `${left} of ${whole} events: minrepro`;
  byId('bar').value = (state.removed.size + state.needed.size) / Math.max(1, whole);
  byId('status').textContent = `${whole} → ${left} events; ${counts.tests} replays of ${counts.fired} events, `
    + `${counts.saved} cache hits; ${counts.fail} reproduced, ${counts.pass} did not, ${counts.unresolved} unresolved; ${seconds} s`;
}

export function showResult(state) {
  const { result } = state.view;
  byId('no-result').hidden = Boolean(result);
  byId('result').hidden = !result;
  byId('which').disabled = !result;
  if (!result) {
    byId('which').value = 'original';
    return;
  }
  document.title = `${result.trace.length} of ${state.view.count - state.view.choices.dropped.length} events: minrepro`;
  const end = result.why === 'finished' ? '' : ` (${result.why})`;
  byId('summary').textContent = `${result.reasons.length} → ${result.trace.length} events in ${result.tests} replays of `
    + `${result.events} events, ${result.saved} cache hits, ${result.seconds} s${end}`;
  const also = (text) => byId('summary').append(made('div', { className: 'why', textContent: text }));
  also(`Failure: ${result.failure}`);
  if (result.confirmed) also(`Confirmed in a fresh browser context, as were ${result.confirmed - 1} earlier results.`);
  if (result.failed < result.replays) also(`Flaky: ${result.failed} of ${result.replays} replays of the whole recording reproduced the failure.`);
  for (const other of result.others) also(`Also seen: ${other}`);
  byId('kept').replaceChildren(...result.trace.map((event) => {
    const reason = result.reasons[event.number - 1];
    const jump = made('button', { className: 'link', textContent: event.text });
    jump.addEventListener('click', () => state.act.select(event.number));
    const item = made('li', { value: event.number }, jump, made('div', { className: 'why', textContent: reason ? reason.text : '' }));
    if (event.changed) item.append(made('div', { className: 'why changed', textContent: event.changed }));
    return item;
  }));
}

export function showRuns(runs) {
  const number = (value) => made('td', { className: 'figure', textContent: value.toLocaleString('en') });
  byId('no-runs').hidden = Boolean(runs && runs.length);
  byId('runs').replaceChildren(...(runs && runs.length
    ? table(['algorithm', 'rules', 'events left', 'replays', 'events replayed', 'seconds', 'end'], runs.map((run) =>
      made('tr', {}, made('th', { textContent: run.algorithm, scope: 'row' }), number(run.rules), number(run.left),
        number(run.replays), number(run.events), number(run.seconds), made('td', { textContent: run.why })))) : []));
}

export function showSessions(state) {
  const { sessions, id } = state.view;
  const told = (one) => `${one.title || one.url} (${one.left ? `${one.events} → ${one.left}` : `${one.events} events`})`;
  byId('session').replaceChildren(...(sessions.length ? [] : [made('option', { value: '0', textContent: 'no session yet' })]),
    ...sessions.map((one) => made('option', { value: one.id, textContent: `${one.id}. ${told(one)}` })));
  byId('session').value = String(id);
  byId('session').disabled = sessions.length < 2;
  byId('discard').disabled = !id;
}

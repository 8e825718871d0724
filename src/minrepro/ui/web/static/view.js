// Puts what the server says into the page. All text goes in as text, never as markup.

export const byId = (id) => document.getElementById(id);

export function made(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

// How each event stands: 'kept', or what removed it: 'rule' or 'test'.
export function standing(state) {
  const reasons = state.view.result && state.view.result.reasons;
  return state.view.events.map((_, i) => {
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
}

export function showEvents(state, token) {
  const how = standing(state);
  const reasons = state.view.result && state.view.result.reasons;
  const failures = (state.view.observed && state.view.observed.failures) || [];
  const wanted = byId('find').value.toLowerCase();
  byId('events').replaceChildren(...state.view.events.map((event, i) => {
    const number = i + 1;
    const stop = made('input', { type: 'checkbox', checked: state.stops.has(number), ariaLabel: `Break at ${number}` });
    stop.addEventListener('change', () => (stop.checked ? state.stops.add(number) : state.stops.delete(number)));
    const middle = made('div', {}, made('div', { className: 'text', textContent: event.text }));
    if (reasons) middle.append(made('div', { className: 'why', textContent: reasons[i].text }));
    else if (state.byRule[i]) middle.append(made('div', { className: 'why', textContent: `rule ${state.byRule[i]}` }));
    for (const failure of failures.filter((one) => one.number === number)) {
      middle.append(made('div', { className: 'why bad', textContent: failure.signature }));
    }
    if (event.selectors.length) {
      middle.append(made('details', {}, made('summary', { textContent: 'selectors' }),
        ...event.selectors.map((text) => made('div', {}, made('code', { textContent: text })))));
    }
    const row = made('li', { className: how[i], hidden: !event.text.toLowerCase().includes(wanted) },
      stop, made('span', { className: 'number', textContent: number }), middle);
    if (state.at === number) row.classList.add('here');
    if (event.picture) {
      row.append(made('img', { src: `/api/picture/${number}?token=${encodeURIComponent(token)}`, loading: 'lazy',
        alt: `The page after event ${number}` }));
    }
    return row;
  }));
}

export function showFailures(state, chosen) {
  const seen = state.view.observed;
  const box = byId('failures');
  box.hidden = !seen;
  if (!seen) return;
  const rows = seen.failures.map((failure, i) => {
    const choice = made('input', { type: 'radio', name: 'failure', value: failure.signature, checked: i === 0 });
    choice.addEventListener('change', chosen);
    return made('label', {}, choice, ` at event ${failure.number}: ${failure.signature}`);
  });
  const text = seen.impossible ? `Event ${seen.fired} is not possible: ${seen.impossible}` : 'Nothing went wrong.';
  box.replaceChildren(made('legend', { textContent: 'Seen in the replay' }),
    ...(rows.length && !seen.impossible ? rows : [...rows, made('p', { textContent: text })]));
}

export function showResult(result) {
  byId('result').hidden = !result;
  if (!result) return;
  const end = result.why === 'finished' ? '' : ` (${result.why})`;
  byId('summary').textContent = `${result.reasons.length} → ${result.trace.length} events in ${result.tests} replays of `
    + `${result.events} events, ${result.saved} replays saved, ${result.seconds} s${end}`;
  byId('kept').replaceChildren(...result.trace.map((event) => {
    const reason = result.reasons[event.number - 1];
    return made('li', {}, event.text, made('div', { className: 'why', textContent: reason ? reason.text : '' }));
  }));
  for (const other of result.others) byId('summary').append(made('div', { textContent: `Also seen: ${other}` }));
}

export function showRules(answer) {
  byId('preview').textContent = `${answer.before} → ${answer.after} events`;
  byId('rules').replaceChildren(...answer.rules.map((rule) => made('tr', {},
    made('td', { textContent: rule.rule }), made('td', { textContent: `+${rule.for}` }),
    made('td', { textContent: rule.confidence.toFixed(3) }))));
}

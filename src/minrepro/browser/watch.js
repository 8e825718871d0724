// Runs in every frame before the page's own scripts: knows whether the page still has work to do, and finds elements.
(() => {
  if (window.__minrepro) return;
  const DEEPEST = 4; // a timer that comes from a chain of so many timers is a clock, not work
  const live = new Map(); // what is still to be called, with the milliseconds it was put off for
  let depth = 0;
  const later = window.setTimeout.bind(window);
  const frame = window.requestAnimationFrame.bind(window);

  function counted(schedule, cancel, waits) {
    return [
      function (callback, ...rest) {
        if (typeof callback !== 'function') return schedule.call(window, callback, ...rest);
        const level = depth + 1;
        const token = {};
        const __minrepro_call = function (...args) {
          live.delete(token.id);
          const before = depth;
          depth = level;
          try { return callback.apply(this, args); } finally { depth = before; }
        };
        const id = schedule.call(window, __minrepro_call, ...rest);
        token.id = waits.name + id;
        if (level <= DEEPEST) live.set(token.id, waits.delay(rest));
        return id;
      },
      function (id) { live.delete(waits.name + id); return cancel.call(window, id); },
    ];
  }
  [window.setTimeout, window.clearTimeout] = counted(window.setTimeout, window.clearTimeout,
    { name: 't', delay: (rest) => Number(rest[0]) || 0 });
  [window.requestAnimationFrame, window.cancelAnimationFrame] = counted(window.requestAnimationFrame,
    window.cancelAnimationFrame, { name: 'f', delay: () => 0 });

  const macrotask = () => new Promise((done) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = done;
    channel.port2.postMessage(0);
  });
  const pause = (ms) => new Promise((done) => later(done, ms));
  const frames = () => Promise.race([new Promise((done) => frame(() => frame(done))), pause(100)]);

  // Resolves to whether the page came to rest within so many milliseconds; timers longer than `timer` do not count.
  async function settle(limit, timer, thorough) {
    const end = performance.now() + limit;
    if (thorough) await frames();
    await macrotask();
    while ([...live.values()].some((delay) => delay <= timer)) {
      if (performance.now() > end) return false;
      await pause(3);
    }
    return true;
  }

  const boxOf = (element) => {
    const box = element.getBoundingClientRect();
    return { x: box.x, y: box.y, width: box.width, height: box.height };
  };
  const isVisible = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && getComputedStyle(element).visibility !== 'hidden';
  };
  function* everything(root) {
    for (const element of root.querySelectorAll('*')) {
      yield element;
      if (element.shadowRoot) yield* everything(element.shadowRoot);
    }
  }
  const squeezed = (text) => (text || '').replace(/\s+/g, ' ').trim();
  const ROLES = { A: 'link', BUTTON: 'button', SELECT: 'combobox', TEXTAREA: 'textbox', IMG: 'img', LI: 'listitem',
    H1: 'heading', H2: 'heading', H3: 'heading', NAV: 'navigation', TABLE: 'table', OPTION: 'option' };
  const INPUTS = { checkbox: 'checkbox', radio: 'radio', button: 'button', submit: 'button', range: 'slider',
    number: 'spinbutton', search: 'searchbox' };
  function roleOf(element) {
    const given = element.getAttribute('role');
    if (given) return given;
    return element.tagName === 'INPUT' ? INPUTS[element.type] || 'textbox' : ROLES[element.tagName] || '';
  }
  function nameOf(element) {
    const by = element.getAttribute('aria-labelledby');
    if (by) {
      const text = by.split(/\s+/).map((id) => squeezed((element.getRootNode().getElementById(id) || {}).textContent));
      return squeezed(text.join(' '));
    }
    const label = element.labels && element.labels[0];
    const own = element.tagName === 'INPUT' && /^(button|submit|reset)$/.test(element.type) ? element.value : '';
    return squeezed(element.getAttribute('aria-label') || (label && label.textContent) || element.getAttribute('alt')
      || own || (/^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) ? '' : element.textContent)
      || element.getAttribute('title') || element.getAttribute('placeholder'));
  }

  function matching(part, root) {
    if (part.startsWith('xpath/')) {
      const found = document.evaluate(part.slice(6), root, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
      return Array.from({ length: found.snapshotLength }, (_, i) => found.snapshotItem(i));
    }
    if (part.startsWith('pierce/')) return [...everything(root)].filter((element) => element.matches(part.slice(7)));
    if (part.startsWith('text/')) {
      const text = squeezed(part.slice(5));
      const having = [...everything(root)].filter((element) => !/^(SCRIPT|STYLE|HEAD|TITLE)$/.test(element.tagName)
        && squeezed(element.textContent || element.value).includes(text));
      return having.filter((element) => !having.some((other) => other !== element && element.contains(other)));
    }
    if (part.startsWith('aria/')) {
      const [, name, role] = part.match(/^aria\/(.*?)(?:\[role="([^"]*)"\])?$/s);
      return [...everything(root)].filter((element) => (!role || roleOf(element) === role)
        && (!name || nameOf(element) === squeezed(name)));
    }
    return [...root.querySelectorAll(part)];
  }
  function all(alternative) {
    let roots = [document];
    const parts = Array.isArray(alternative) ? alternative : [alternative];
    for (const [i, part] of parts.entries()) {
      const found = roots.flatMap((root) => matching(part, root));
      if (i === parts.length - 1) return found;
      roots = found.map((element) => element.shadowRoot || element);
    }
    return [];
  }
  function attempt(alternative) {
    try { return all(alternative); } catch (error) { return []; }
  }

  // The first visible element that an alternative finds, scrolled into view, or null.
  function find(selectors) {
    for (const alternative of selectors) {
      const element = attempt(alternative).find(isVisible);
      if (element) {
        const box = boxOf(element);
        if (box.y < 0 || box.x < 0 || box.y + box.height > innerHeight || box.x + box.width > innerWidth) {
          element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        }
        api.last = element;
        return boxOf(element);
      }
    }
    return null;
  }

  // Makes the last element found ready for its new text; says whether that is already done without typing.
  function prepare(value) {
    const element = api.last;
    element.focus({ preventScroll: true });
    const typed = element.isContentEditable || element.tagName === 'TEXTAREA' || (element.tagName === 'INPUT'
      && /^(text|search|url|tel|email|password|)$/.test(element.getAttribute('type') || ''));
    if (typed) {
      if (element.isContentEditable) getSelection().selectAllChildren(element);
      else element.select();
      return false;
    }
    if (/^(checkbox|radio)$/.test(element.type)) {
      if (element.checked !== (value === 'on' || value === 'true')) element.click();
      return true;
    }
    const kind = Object.getPrototypeOf(element);
    Object.getOwnPropertyDescriptor(kind, 'value').set.call(element, value);
    element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
    return true;
  }

  function scroll(selectors, x, y) {
    const element = selectors ? (attempt(selectors[0])[0] || null) : document.scrollingElement;
    if (element) element.scrollTo(x || 0, y || 0);
    return Boolean(element);
  }

  // Whether as many elements are there as a waitForElement step asks for.
  function counts(step) {
    const alternative = step.selectors.find((one) => attempt(one).length);
    const found = (alternative ? attempt(alternative) : []).filter((element) =>
      (step.visible === undefined || isVisible(element) === step.visible)
      && Object.entries(step.attributes || {}).every(([name, value]) => element.getAttribute(name) === String(value))
      && Object.entries(step.properties || {}).every(([name, value]) =>
        JSON.stringify(element[name]) === JSON.stringify(value)));
    const wanted = step.count === undefined ? 1 : step.count;
    const operator = step.operator || '>=';
    return operator === '==' ? found.length === wanted : operator === '<=' ? found.length <= wanted
      : found.length >= wanted;
  }

  const api = { settle, find, prepare, scroll, counts, nameOf, roleOf, isVisible, last: null };
  Object.defineProperty(window, '__minrepro', { value: api });
})();

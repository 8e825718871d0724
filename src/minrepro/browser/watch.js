// Runs in every frame before the page's own scripts, after `rest.js`: finds elements and acts on them.
(() => {
  if (window.__minrepro) return;
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

  const quoted = (text) => JSON.stringify(text);
  const unique = (root, css) => {
    try { return root.querySelectorAll(css).length === 1; } catch (error) { return false; }
  };
  function css(element, root) {
    const parts = [];
    for (let here = element; here && here !== root && here.nodeType === 1; here = here.parentElement) {
      for (const name of ['data-testid', 'data-test', 'id', 'name']) {
        const value = here.getAttribute(name);
        const own = name === 'id' ? `#${CSS.escape(value || '')}` : `[${name}=${quoted(value)}]`;
        if (value && unique(root, own)) return [own, ...parts].join(' > ');
      }
      const tag = here.localName;
      const same = here.parentElement ? [...here.parentElement.children].filter((one) => one.localName === tag) : [];
      parts.unshift(same.length > 1 || /^(li|tr|td|option)$/.test(tag) ? `${tag}:nth-of-type(${same.indexOf(here) + 1})` : tag);
      if (!here.parentElement && here.parentNode === root) break;
    }
    return parts.join(' > ');
  }
  function path(element) {
    const parts = [];
    let here = element;
    while (here) {
      const root = here.getRootNode();
      parts.unshift(css(here, root));
      here = root.host;
    }
    return parts;
  }

  // The first visible element that an alternative finds, scrolled into view, or null.
  // With `all`, also every alternative that finds it, and its path.
  function find(selectors, all) {
    for (const alternative of selectors) {
      const element = attempt(alternative).find(isVisible);
      if (element) {
        const box = take(element);
        if (!all) return box;
        const others = selectors.filter((other) => other !== alternative && attempt(other).find(isVisible) === element);
        return { ...box, ways: [alternative, ...others, path(element)] };
      }
    }
    return null;
  }

  // The place of an element that is to be acted on, scrolled into view.
  function take(element) {
    const box = boxOf(element);
    if (box.y < 0 || box.x < 0 || box.y + box.height > innerHeight || box.x + box.width > innerWidth) {
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    }
    api.last = element;
    return boxOf(element);
  }
  // The same for one that was found from outside, with its path; null where it cannot be seen.
  const taken = (element) => (element.nodeType === 1 && isVisible(element)
    ? { ...take(element), ways: [path(element)] } : null);

  const prepared = PREPARE;
  const prepare = (value) => prepared(api.last, value);

  const first = (selectors) => selectors.map((one) => attempt(one)[0]).find(Boolean) || null;

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

  // Waits for timers of up to so many milliseconds, and resolves to the longest that is left.
  async function late(limit) {
    const settle = window.__minrepro_rest;
    if (limit) await settle(limit * 1.5 + 200, limit, false);
    return Math.max(0, ...[...settle.live.values()].filter((delay) => delay < 2 ** 31));
  }

  const api = { late, settle: window.__minrepro_rest, path, find, first, taken, prepare, scroll, counts, nameOf, roleOf, isVisible, last: null };
  Object.defineProperty(window, '__minrepro', { value: api });
})();

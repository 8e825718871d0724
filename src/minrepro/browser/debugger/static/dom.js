// Elements. All text goes into the page as text, never as markup.

export const byId = (id) => document.getElementById(id);

export function made(tag, properties = {}, ...children) {
  const { aria = {}, data = {}, ...own } = properties;
  const element = Object.assign(document.createElement(tag), own);
  for (const [name, value] of Object.entries(aria)) element.setAttribute(`aria-${name}`, value);
  Object.assign(element.dataset, data);
  element.append(...children);
  return element;
}

export const table = (names, rows) => [
  made('thead', {}, made('tr', {}, ...names.map((name) => made('th', { textContent: name, scope: 'col' })))),
  made('tbody', {}, ...rows),
];

// A board of notes on a server. A note that was edited is saved by a timer; with the bug, the timer of a note that was
// deleted meanwhile still runs out.
'use strict';

const PAUSE = 1500; // milliseconds after the last key in which a note is saved
const isFixed = FIXED;
const board = { notes: [], timers: new Map() };
const byId = (id) => document.getElementById(id);

async function asked(method, path, body) {
  const answer = await fetch(path, { method, body: body && JSON.stringify(body) });
  return answer.json();
}

function row(note) {
  const item = document.createElement('li');
  const input = document.createElement('input');
  input.value = note.text;
  input.setAttribute('aria-label', `note ${note.id}`);
  input.addEventListener('input', () => edit(note.id, input.value));
  const button = document.createElement('button');
  button.textContent = 'Delete';
  button.addEventListener('click', () => remove(note.id));
  item.append(input, ' ', button);
  return item;
}

const show = () => byId('notes').replaceChildren(...board.notes.map(row));

function edit(id, text) {
  board.notes.find((note) => note.id === id).text = text;
  byId('status').textContent = 'edited';
  clearTimeout(board.timers.get(id));
  board.timers.set(id, setTimeout(() => autosave(id), PAUSE));
}

async function autosave(id) {
  const note = board.notes.find((one) => one.id === id);
  await asked('PUT', `/api/notes/${id}`, { text: note.text }); // there is no such note any more
  byId('status').textContent = 'saved';
}

async function remove(id) {
  if (isFixed) clearTimeout(board.timers.get(id));
  board.notes = board.notes.filter((note) => note.id !== id);
  show();
  await asked('DELETE', `/api/notes/${id}`);
}

async function load() {
  board.notes = await asked('GET', '/api/notes');
  show();
}

byId('add').addEventListener('click', async () => {
  await asked('POST', '/api/notes', { text: byId('text').value });
  byId('text').value = '';
  await load();
});
load();

// A title in one line, edited with tiptap: its text can be made bold and italic.
import { Editor, Node } from '@tiptap/core';
import { Text } from '@tiptap/extension-text';
import { Bold } from '@tiptap/extension-bold';
import { Italic } from '@tiptap/extension-italic';

const Line = Node.create({ name: 'doc', topNode: true, content: 'inline*' });
document.getElementById('app').innerHTML =
  '<p><button id="bold">Bold</button> <button id="italic">Italic</button> <button id="clear">Clear</button></p><div id="title"></div>';
const editor = new Editor({ element: document.getElementById('title'), extensions: [Line, Text, Bold, Italic], content: 'a title' });
const on = (id, does) => document.getElementById(id).addEventListener('click', () => does(editor.chain().focus()).run());
on('bold', (chain) => chain.toggleBold());
on('italic', (chain) => chain.toggleItalic());
on('clear', (chain) => chain.clearContent());

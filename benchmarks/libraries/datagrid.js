// A table of products in React with MUI's data grid: rows are edited, saved and deleted by buttons in each row.
import * as React from 'react';
import { createRoot } from 'react-dom/client';
import { DataGrid, GridActionsCellItem } from '@mui/x-data-grid';

const h = React.createElement;
const PRODUCTS = ['tea', 'bread', 'apples'].map((name, i) => ({ id: i + 1, name, stock: 10 * (i + 1) }));

function Table() {
  const [rows, setRows] = React.useState(PRODUCTS);
  const [next, setNext] = React.useState(4);
  const add = () => {
    setRows([...rows, { id: next, name: `product ${next}`, stock: 0 }]);
    setNext(next + 1);
  };
  const remove = (id) => setRows((old) => old.filter((row) => row.id !== id));
  const sell = (id) => setRows((old) => old.map((row) => (row.id === id ? { ...row, stock: row.stock - 1 } : row)));
  const action = (label, id, done) => h(GridActionsCellItem, { icon: h('span', {}, label), label: `${label} ${id}`, onClick: () => done(id) });
  const columns = [
    { field: 'name', headerName: 'Name', width: 180, editable: true },
    { field: 'stock', headerName: 'Stock', type: 'number', width: 100, editable: true },
    { field: 'actions', type: 'actions', headerName: 'Actions', width: 160,
      getActions: ({ id }) => [action('sell', id, sell), action('delete', id, remove)] },
  ];
  return h('div', { style: { height: 420, width: 600 } }, h('button', { id: 'add', onClick: add }, 'Add a product'),
    h(DataGrid, { rows, columns, editMode: 'row', hideFooter: true }));
}

createRoot(document.getElementById('app')).render(h(Table));

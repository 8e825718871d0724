// A shop with the bug of the shopping cart in "Reduce first, debug later" (2014, figure 1): once the catalogue is open,
// emptying a cart that has nothing in it fails. The address with ?fixed is the shop without the bug.
'use strict';

const PRODUCTS = ['tea', 'bread', 'apples', 'soap', 'candles'];
const shop = { open: false, cart: [] };

const byId = (id) => document.getElementById(id);

function button(text, action) {
  const made = document.createElement('button');
  made.textContent = text;
  made.addEventListener('click', action);
  return made;
}

function row(text, made) {
  const item = document.createElement('li');
  item.append(`${text} `, made);
  return item;
}

function show() {
  const wanted = byId('search').value.toLowerCase();
  byId('catalogue').hidden = !shop.open;
  byId('products').replaceChildren(...PRODUCTS.filter((name) => name.includes(wanted))
    .map((name) => row(name, button('Add', () => add(name)))));
  byId('cart').replaceChildren(...shop.cart.map((name, i) => row(name, button('Delete', () => remove(i)))));
  byId('count').textContent = `${shop.cart.length} items`;
}

function add(name) {
  shop.cart.push(name);
  show();
}

function remove(i) {
  shop.cart.splice(i, 1);
  show();
}

function emptyCart() {
  const fixed = new URLSearchParams(location.search).has('fixed');
  if (shop.open && !fixed) {
    shop.last = shop.cart[0].length; // there is no first item in an empty cart
  }
  shop.cart = [];
  show();
}

byId('open').addEventListener('click', () => { shop.open = true; show(); });
byId('empty').addEventListener('click', emptyCart);
byId('search').addEventListener('input', show);
show();

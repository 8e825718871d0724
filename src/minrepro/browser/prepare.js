(element, value) => {
  // Makes an element ready for its new text; says whether that is already done without typing.
  element.focus({ preventScroll: true });
  const typed = element.isContentEditable || element.tagName === 'TEXTAREA' || (element.tagName === 'INPUT'
    && /^(text|search|url|tel|email|password|number|)$/.test(element.getAttribute('type') || ''));
  if (typed) {
    if (element.isContentEditable) getSelection().selectAllChildren(element);
    else element.select();
    return false;
  }
  if (/^(checkbox|radio)$/.test(element.type)) {
    if (element.checked !== (value === 'on' || value === 'true')) element.click();
    return true;
  }
  if (element.multiple) {
    const chosen = value.split('\n');
    for (const option of element.options) option.selected = chosen.includes(option.value);
  } else {
    const kind = Object.getPrototypeOf(element);
    Object.getOwnPropertyDescriptor(kind, 'value').set.call(element, value);
  }
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
  return true;
}

text => {
  const data = new DataTransfer();
  data.setData('text/plain', text);
  const target = document.activeElement || document.body;
  const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true, composed: true });
  return target.dispatchEvent(event);
}

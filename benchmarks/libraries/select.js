// A form in Vue with PrimeVue's multiple select: cities are chosen, with or without a filter.
import { createApp, h, ref } from 'vue';
import PrimeVue from 'primevue/config';
import MultiSelect from 'primevue/multiselect';

const CITIES = ['Rome', 'Paris', 'Oslo', 'Bern', 'Vienna'].map((name) => ({ name }));
createApp({
  setup() {
    const [chosen, filter, note] = [ref([]), ref(true), ref('')];
    return () => h('div', [
      h('p', [h('label', [h('input', { type: 'checkbox', id: 'filter', checked: filter.value,
        onChange: () => { filter.value = !filter.value; } }), ' with a filter'])]),
      h(MultiSelect, { id: 'cities', modelValue: chosen.value, options: CITIES, optionLabel: 'name', filter: filter.value,
        autoFilterFocus: true, placeholder: 'Cities', 'onUpdate:modelValue': (value) => { chosen.value = value; } }),
      h('p', [h('input', { id: 'note', value: note.value, onInput: (event) => { note.value = event.target.value; } })]),
      h('p', { id: 'sum' }, `${chosen.value.length} cities`),
    ]);
  },
}).use(PrimeVue).mount('#app');

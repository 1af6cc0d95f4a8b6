(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  for (const box of all('.choose')) box.hidden = false;
  const size = document.querySelector('[data-choose-size]');
  const groups = all('.group'), opened = new Set(groups.filter((group) => group.open));
  const showSize = (wanted) => {
    for (const group of groups) group.open = wanted ? group.dataset.size === wanted : opened.has(group);
  };
  const offerSizes = (sections) => {
    if (!size) return;
    const titles = sections.flatMap((section) => all('.group', section).map((group) => group.dataset.size));
    size.replaceChildren(size.options[0], ...[...new Set(titles)].map((title) => new Option(title, title)));
    size.value = '';
    showSize('');
  };
  for (const select of all('[data-choose]')) {
    const sections = all(select.dataset.choose);
    const choose = () => {
      for (const section of sections) section.hidden = select.value !== '' && section.id !== select.value;
      offerSizes(sections.filter((section) => !section.hidden));
    };
    select.addEventListener('change', choose);
    choose();
  }
  if (size) size.addEventListener('change', () => showSize(size.value));
})();

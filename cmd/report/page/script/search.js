// Searches in all tables at once, from one field.

// Whether the words contain the term. A number is a whole one: 17 is neither 170 nor 3.17.
function hasTerm(words, term) {
  for (let at = words.indexOf(term); at >= 0; at = words.indexOf(term, at + 1)) {
    const before = words[at - 1] ?? ' ',
      after = words[at + term.length] ?? ' ';
    const cut = (/\d/.test(term[0]) && /\d/.test(before)) || (/\d/.test(term.at(-1)) && /\d/.test(after));
    if (!cut) return true;
  }
  return false;
}

// Splits a query into terms, all of which a row must have; "rank 17" is one term.
function searchTerms(query) {
  return query
    .toLowerCase()
    .replace(/\branks?[\s:]+(\d)/g, 'rank:$1')
    .split(/\s+/)
    .filter(Boolean);
}

const searched = []; // pictures that mark what is found: { filter(terms) }

function startSearch() {
  const field = document.getElementById('search');
  const result = document.getElementById('search-result');
  const search = () => {
    const terms = searchTerms(field.value);
    for (const part of [...tables, ...searched]) part.filter(terms);
    const found = sum(tables.map((table) => table.matching.length));
    result.textContent = terms.length
      ? `${counted(found, 'row')} in ${counted(tables.filter((table) => table.matching.length).length, 'table')}`
      : '';
    result.classList.toggle('unseen', !terms.length);
  };
  field.addEventListener('input', search);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.closest('input')) return;
    event.preventDefault();
    field.focus();
  });
}

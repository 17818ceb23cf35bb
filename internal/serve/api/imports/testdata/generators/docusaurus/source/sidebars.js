module.exports = {
  owls: [
    'intro',
    {type: 'category', label: 'Guide', items: ['writing', {type: 'doc', id: 'marked', label: 'Code'}]},
    {type: 'link', label: 'Elsewhere', href: 'https://example.org/owls'},
  ],
};

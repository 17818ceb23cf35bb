export default {
  index: 'Start',
  guide: { title: 'The guide' },
  '-- more': { type: 'separator', title: 'More' },
  advanced: 'Far',
  book: { title: 'The book', href: 'https://example.org/book' },
}

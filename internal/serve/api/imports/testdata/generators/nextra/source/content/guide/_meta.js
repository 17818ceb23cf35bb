export default { index: 'Overview', components: 'Parts', code: { title: 'Code' } }

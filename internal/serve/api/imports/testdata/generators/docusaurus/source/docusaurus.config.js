// @ts-check
const config = {
  title: 'Owls',
  url: 'https://docs.example.org',
  baseUrl: '/',
  onBrokenLinks: 'warn',
  presets: [['classic', {docs: {routeBasePath: 'docs', sidebarPath: './sidebars.js'}, blog: false, pages: false, theme: {}}]],
};
module.exports = config;

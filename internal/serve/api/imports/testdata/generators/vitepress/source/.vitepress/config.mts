import { defineConfig } from 'vitepress'

export default defineConfig({
  title: 'Owls',
  themeConfig: {
    sidebar: [
      { text: 'Start', items: [{ text: 'Owls at night', link: '/night' }, { text: 'Writing', link: '/guide/writing' }] },
      { text: 'More', items: [{ text: 'Code', link: '/guide/code' }] },
    ],
  },
})

import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';

export default defineConfig({
  site: 'https://docs.example.org',
  integrations: [
    starlight({
      title: 'Owls',
      sidebar: [
        { label: 'Guide', items: [{ slug: 'guides/writing' }, { label: 'Code', slug: 'guides/code' }] },
        { label: 'Elsewhere', link: 'https://example.org/owls' },
      ],
    }),
  ],
});

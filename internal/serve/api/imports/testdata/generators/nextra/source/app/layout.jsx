import { Footer, Layout, Navbar } from 'nextra-theme-docs'
import { getPageMap } from 'nextra/page-map'

export const metadata = { title: 'Owls' }

export default async function RootLayout({ children }) {
  return (
    <html lang="en" dir="ltr" suppressHydrationWarning>
      <body>
        <Layout navbar={<Navbar logo={<b>Owls</b>} />} footer={<Footer>End</Footer>} pageMap={await getPageMap()} docsRepositoryBase="https://example.org/owls">
          {children}
        </Layout>
      </body>
    </html>
  )
}

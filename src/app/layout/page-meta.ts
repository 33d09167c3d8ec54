import type { MetaDescriptor } from 'react-router'
import type { SiteFacts } from '../app.schema.ts'

type PageFacts = { readonly title: string; readonly description: string; readonly path: string; readonly data?: object }

/** Title, description, canonical link and Open Graph tags of a page; `data` becomes JSON-LD. */
export function describePage(matches: readonly unknown[], page: PageFacts): MetaDescriptor[] {
  const site = siteOf(matches)
  const title = `${page.title} | ${site.brandName}`
  const url = `${site.appUrl}${page.path}`
  return [
    { title },
    { name: 'description', content: page.description },
    { tagName: 'link', rel: 'canonical', href: url },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: site.brandName },
    { property: 'og:title', content: page.title },
    { property: 'og:description', content: page.description },
    { property: 'og:url', content: url },
    ...(page.data === undefined ? [] : [{ 'script:ld+json': page.data as never }]),
  ]
}

/** Title of a page that search engines must not list. */
export function privatePage(matches: readonly unknown[], title: string): MetaDescriptor[] {
  return [{ title: `${title} | ${siteOf(matches).brandName}` }, { name: 'robots', content: 'noindex' }]
}

function siteOf(matches: readonly unknown[]): Pick<SiteFacts, 'appUrl' | 'brandName'> {
  const root = matches[0] as { data?: { site?: SiteFacts }; loaderData?: { site?: SiteFacts } } | undefined
  return root?.loaderData?.site ?? root?.data?.site ?? { appUrl: '', brandName: 'Altocert' }
}

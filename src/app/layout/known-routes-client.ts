import { redirectDocument, type ClientLoaderFunctionArgs } from 'react-router'

/** The id of the route around every admin page. */
export const ADMIN_ROUTE = 'layout/admin-layout'

/** Pages of the shop load a manifest without the admin pages. scripts/shop-manifest.mjs writes it, under this name. */
export function shopManifestOf(manifestUrl: string): string {
  return manifestUrl.replace('/manifest-', '/shop-manifest-')
}

/**
 * Loads an address that this page's manifest lacks. The admin pages are loaded as a document, which brings the whole manifest;
 * elsewhere, and for the page that is already open, the server knows that there is no such page.
 */
export async function loadUnknownPage({ request, serverLoader }: ClientLoaderFunctionArgs): Promise<unknown> {
  const { pathname } = new URL(request.url)
  const isNew = request.url !== location.href.replace(/#.*/, '')
  if (isNew && /^\/admin(\/|$)/.test(pathname) && !knowsAdminPages()) throw redirectDocument(request.url)
  return serverLoader()
}

function knowsAdminPages(): boolean {
  const { __reactRouterManifest: manifest } = window as { __reactRouterManifest?: { routes: Record<string, unknown> } }
  return manifest?.routes[ADMIN_ROUTE] !== undefined
}

/** A page that every guest gets alike. */
export type CacheablePage = {
  /** Requests with one of these cookies get a page of their own: its loader reads them. */
  readonly unlessCookies: readonly string[]
  /** Whether the page has any number of addresses, which must not push other pages out of the cache. */
  readonly isVariant: boolean
}

const PLAIN: CacheablePage = { unlessCookies: [], isVariant: false }
/** The login page tells why a session ended, and asks for the second step. */
const LOGIN_COOKIES = ['altocert_closed', 'altocert_second_step']
const publicPages: Readonly<Record<string, CacheablePage>> = {
  '/login': { ...PLAIN, unlessCookies: LOGIN_COOKIES },
  '/register': PLAIN,
  '/forgot-password': PLAIN,
  '/api/docs': PLAIN,
}

/**
 * Home, by page of the list; courses, with their free-trial view; the public pages, sign-in with the address to return to; and home's
 * data, which every open page requests when the catalogue changes. Null for all else, above all searches and pages that do not exist:
 * anyone could fill the cache with them.
 */
export function cacheablePage({ pathname, search }: { pathname: string; search: string }): CacheablePage | null {
  if (pathname === '/' || pathname === '/_root.data')
    return search === '' || /^\?page=[1-9]\d{0,5}$/.test(search) ? PLAIN : null
  if (/^\/course\/[^/]+$/.test(pathname)) return search === '' || search === '?mode=preview' ? PLAIN : null
  const page = Object.hasOwn(publicPages, pathname) ? publicPages[pathname] : undefined
  if (page === undefined || search === '') return page ?? null
  const returns = (pathname === '/login' || pathname === '/register') && /^\?redirect=[\w%./-]{1,200}$/.test(search)
  return returns ? { ...page, isVariant: true } : null
}

/** Pages that look the same for every user with the same role and courses. Only their data belongs to one user. */
export function isSameForUsers({ pathname }: { pathname: string }): boolean {
  return pathname === '/' || (/^\/course\/[^/]+$/.test(pathname) && !pathname.endsWith('.data'))
}

/** Whether the Cookie header names one of these cookies, under any prefix. */
export function namesCookie(sent: string | undefined, names: readonly string[]): boolean {
  return sent !== undefined && names.some((name) => sent.includes(name))
}

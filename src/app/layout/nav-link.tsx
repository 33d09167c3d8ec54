import type { ComponentProps } from 'react'
import { Link, useLocation } from 'react-router'

/** A link of a menu, marked where its page or a page below it is open. Home has every page below it, so only its own address counts. */
export function NavLink({ to, ...rest }: ComponentProps<typeof Link> & { readonly to: string }) {
  const { pathname } = useLocation()
  const isHere = pathname === to || (to !== '/' && pathname.startsWith(`${to}/`))
  return <Link to={to} aria-current={isHere ? 'page' : undefined} {...rest} />
}

import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { adminPaths } from '../../lib/admin-paths.ts'
import { paths } from '../../lib/paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ChevronIcon } from '../../ui/icons.tsx'
import { copy } from '../app.copy.ts'

/** The screens of the admin area, by task. */
const groups = [
  {
    name: copy['admin.watch'],
    screens: [
      [paths.admin, 'Dashboard'],
      [adminPaths.work, 'Work'],
      [adminPaths.analytics, 'Analytics'],
      [adminPaths.results, 'Results'],
    ],
  },
  {
    name: copy['admin.build'],
    screens: [
      [adminPaths.courses, 'Courses'],
      [adminPaths.builder, 'Builder'],
      [adminPaths.imports, 'Import'],
      [adminPaths.export, 'Export'],
      [adminPaths.checks, 'Checks'],
      [adminPaths.freshness, 'Freshness'],
    ],
  },
  {
    name: copy['admin.sell'],
    screens: [
      [adminPaths.pricing, 'Pricing'],
      [adminPaths.orders, 'Orders'],
    ],
  },
  {
    name: copy['admin.help'],
    screens: [
      [adminPaths.users, 'Users'],
      [adminPaths.reports, 'Reports'],
      [adminPaths.feedback, 'Feedback'],
      [adminPaths.audit, 'Audit log'],
    ],
  },
] as const

/** The screen of the menu that a page belongs to. Pages of exams, questions and exports belong to Courses. */
function screenOf(pathname: string): string {
  const all = groups.flatMap(({ screens }) => screens.map(([to]) => to))
  const match = all.filter((to) => to !== paths.admin).find((to) => pathname === to || pathname.startsWith(`${to}/`))
  return match ?? (pathname.replace(/\/$/, '') === paths.admin ? paths.admin : adminPaths.courses)
}

/** The name of the screen at exactly this path. */
export function screenNameOf(pathname: string): string | null {
  const screens = groups.flatMap(({ screens }) => [...screens])
  return screens.find(([to]) => to === (pathname.replace(/\/$/, '') || '/'))?.[1] ?? null
}

/** A column beside the page on wide screens, otherwise a bar that opens a drawer. */
export function AdminMenu() {
  const { pathname, key } = useLocation()
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const screen = screenOf(pathname)
  const name = groups.flatMap(({ screens }) => [...screens]).find(([to]) => to === screen)?.[1]
  return (
    <>
      <div data-print="off" className="border-b border-line bg-surface wide:hidden">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => setOpenedAt(key)}
          className="flex min-h-12 w-full items-center gap-2 px-4 text-left text-sm hover:bg-sunken tablet:px-6"
        >
          <span className="text-soft">{copy['admin.menu']}</span>
          <span aria-hidden="true" className="text-soft">
            /
          </span>
          <span className="font-semibold">{name}</span>
          <span className="ml-auto">
            <ChevronIcon />
          </span>
        </button>
        {/* Closes on navigation: it belongs to the page on which it was opened. */}
        <Dialog title={copy['admin.menu']} isOpen={openedAt === key} onClose={() => setOpenedAt(null)} place="left">
          <nav aria-label={copy['admin.menu']} className="space-y-4 overflow-y-auto p-3 pb-8">
            <Screens current={screen} />
          </nav>
        </Dialog>
      </div>
      <nav
        aria-label={copy['admin.menu']}
        data-print="off"
        className="sticky top-20 hidden max-h-[calc(100dvh-96px)] w-44 shrink-0 flex-col gap-5 self-start overflow-y-auto py-1 wide:flex"
      >
        <Screens current={screen} />
        <Link
          to={paths.home}
          className="border-t border-line px-3 pt-4 text-sm font-medium text-soft hover:text-ink hover:underline"
        >
          {copy['admin.shop']}
        </Link>
      </nav>
    </>
  )
}

function Screens({ current }: { current: string }) {
  return groups.map(({ name, screens }) => (
    <div key={name}>
      <p className="px-3 pb-1 text-xs font-medium text-soft">{name}</p>
      <ul>
        {screens.map(([to, label]) => (
          <li key={to}>
            <Link
              to={to}
              aria-current={to === current ? 'page' : undefined}
              className="flex min-h-11 items-center rounded-md px-3 text-sm font-medium text-soft transition-colors duration-150 hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold aria-[current=page]:text-accent wide:min-h-9"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ))
}

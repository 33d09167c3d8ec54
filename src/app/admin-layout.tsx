import { useEffect, useRef } from 'react'
import { Link, NavLink, Outlet, useLocation, type MetaFunction } from 'react-router'
import { paths } from '../lib/paths.ts'
import { copy } from './copy.ts'

export { adminLoader as loader } from './pages.server.ts'

export const meta: MetaFunction = () => [{ title: copy['layout.admin'] }, { name: 'robots', content: 'noindex' }]

const screens = [
  [paths.admin, 'Dashboard'],
  [paths.adminWork, 'Work'],
  [paths.adminAnalytics, 'Analytics'],
  [paths.adminCourses, 'Courses'],
  [paths.adminBuilder, 'Builder'],
  [paths.adminImports, 'Import'],
  [paths.adminExport, 'Export'],
  [paths.adminChecks, 'Checks'],
  [paths.adminPricing, 'Pricing'],
  [paths.adminOrders, 'Orders'],
  [paths.adminReports, 'Reports'],
  [paths.adminFeedback, 'Feedback'],
  [paths.adminPeople, 'People'],
  [paths.adminAudit, 'Audit log'],
] as const

/** The admin's area. The server has let nobody else in. */
export default function AdminLayout() {
  const menu = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useEffect(() => {
    // Outside: on a phone the menu scrolls sideways, and where one is has to be in sight.
    const here = screens.findLast(([to]) => pathname.startsWith(to))?.[0]
    menu.current?.querySelector(`a[href="${here}"]`)?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname])
  return (
    <div className="mx-auto w-full max-w-page px-4 py-6 tablet:px-6">
      <nav ref={menu} aria-label="Admin" className="flex gap-1 overflow-x-auto border-b border-line">
        {screens.map(([to, label]) => (
          <NavLink
            key={to}
            to={to}
            end={to === paths.admin}
            className={({ isActive: isExactly }) => {
              // An exam belongs to its course.
              const isActive = isExactly || (to === paths.adminCourses && pathname.startsWith('/admin/exams/'))
              return `-mb-px border-b-2 px-3 py-3 text-sm font-semibold whitespace-nowrap ${isActive ? 'border-accent text-ink' : 'border-transparent text-soft hover:text-ink'}`
            }}
          >
            {label}
          </NavLink>
        ))}
        <Link
          to={paths.home}
          className="ml-auto hidden px-3 py-3 text-sm font-semibold whitespace-nowrap text-soft hover:text-ink hover:underline wide:block"
        >
          View the shop
        </Link>
      </nav>
      <div className="py-8">
        <Outlet />
      </div>
    </div>
  )
}

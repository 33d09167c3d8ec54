import { useAuth } from '../../features/accounts/ui/auth.tsx'
import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { copy } from '../app.copy.ts'
import { NavLink } from './nav-link.tsx'
import { SignOutForm } from './sign-out.tsx'

/** The menu on small screens. It closes on navigation and on sign-out. */
export default function SideMenu({
  isOpen,
  onClose,
  onSignOut,
}: {
  isOpen: boolean
  onClose: () => void
  onSignOut: () => void
}) {
  const { user, isAdmin } = useAuth()
  const items: [string, string][] = [
    [paths.home, copy['layout.home']],
    ...(user === null
      ? []
      : ([
          [paths.myCourses, copy['layout.courses']],
          [paths.account, copy['layout.account']],
        ] satisfies [string, string][])),
    ...(isAdmin ? ([[paths.admin, copy['layout.admin']]] satisfies [string, string][]) : []),
    ...(user === null
      ? ([
          [paths.login, copy['layout.signin']],
          [paths.register, copy['layout.signup']],
        ] satisfies [string, string][])
      : []),
  ]
  return (
    <Dialog title="Menu" isOpen={isOpen} onClose={onClose} place="left">
      <nav aria-label="Menu" className="flex flex-col p-2">
        {items.map(([to, label]) => (
          <NavLink
            key={to}
            to={to}
            onClick={onClose}
            className="rounded-md px-3 py-3 font-medium hover:bg-sunken aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
          >
            {label}
          </NavLink>
        ))}
      </nav>
      {user === null ? null : (
        <div className="mt-auto border-t border-line p-5">
          <p className="mb-3 text-sm break-words text-soft">{fill(copy['layout.signedin'], { email: user.email })}</p>
          <SignOutForm
            className="w-full"
            onSignOut={() => {
              onClose()
              onSignOut()
            }}
          />
        </div>
      )}
    </Dialog>
  )
}

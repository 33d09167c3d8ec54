import { Link } from 'react-router'

/** Links to the views of a list, each with its own address. */
export function Tabs({
  label,
  chosen,
  tabs,
}: {
  label: string
  chosen: string
  tabs: readonly { readonly id: string; readonly label: string; readonly to: string }[]
}) {
  return (
    <nav aria-label={label} className="mt-6 flex flex-wrap gap-2 tablet:gap-1">
      {tabs.map((tab) => (
        <Link
          key={tab.id}
          to={tab.to}
          state={{ keepsFocus: true }}
          aria-current={chosen === tab.id ? 'page' : undefined}
          className="nums inline-flex min-h-11 items-center rounded-md border border-line-strong bg-surface px-2.5 text-sm tablet:px-4 font-medium hover:bg-sunken aria-[current=page]:border-accent aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}

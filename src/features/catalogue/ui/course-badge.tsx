import { categoryLabel, type Category } from '../catalogue.ts'

const inks: Record<Category, string> = {
  practitioner: 'text-practitioner',
  associate: 'text-associate',
  professional: 'text-professional',
  specialty: 'text-specialty',
}

/** The course's badge: a shield in the color of its level with the exam's code. */
export function Badge({
  category,
  code,
  className,
}: {
  category: Category | null
  code: string | null
  className?: string
}) {
  const short = code?.split('-')[0] ?? 'EXAM'
  return (
    <svg
      viewBox="0 0 96 96"
      role="img"
      aria-label={
        category === null ? 'Course badge' : `${categoryLabel[category]} badge${code === null ? '' : `, ${code}`}`
      }
      className={`${category === null ? 'text-soft' : inks[category]} ${className ?? 'size-20'}`}
    >
      <path d="M48 5l35 12v31c0 21-14.5 36-35 43C27.5 84 13 69 13 48V17z" fill="currentColor" opacity="0.12" />
      <path
        d="M48 5l35 12v31c0 21-14.5 36-35 43C27.5 84 13 69 13 48V17z"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinejoin="round"
      />
      <path d="M33 33a7 7 0 016-7 9.5 9.5 0 0118-2 6.5 6.5 0 016 12H38a5 5 0 01-5-3z" fill="currentColor" />
      <text x="48" y="61" textAnchor="middle" fontSize="17" fontWeight="700" fill="currentColor" letterSpacing="0.5">
        {short}
      </text>
      <path d="M34 69h28" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  )
}

export function CategoryBadge({ category }: { category: Category | null }) {
  if (category === null) return null
  return (
    <span
      className={`inline-block rounded-sm border border-current px-1.5 text-xs leading-5 font-semibold ${inks[category]}`}
    >
      {categoryLabel[category]}
    </span>
  )
}

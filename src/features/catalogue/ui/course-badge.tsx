import { categoryLabel, type Category } from '../catalogue.ts'
import { fieldOf } from '../fields.ts'
import { FieldMotif } from './field-motif.tsx'

const inks: Record<Category, string> = {
  practitioner: 'text-practitioner',
  associate: 'text-associate',
  professional: 'text-professional',
  specialty: 'text-specialty',
}

const SHIELD = 'M48 5l35 12v31c0 21-14.5 36-35 43C27.5 84 13 69 13 48V17z'

/** How many lines are under the code. A specialty has one long line with a cloudlet. */
const ranks: Record<Category, string> = {
  practitioner: 'M43 76h10',
  associate: 'M36.5 76h10M49.5 76h10',
  professional: 'M30 76h10M43 76h10M56 76h10',
  specialty: 'M32 76h10M54 76h10',
}

/** The course's badge: a shield in the color of its level with the motif of its field, the exam's code, and its rank. */
export function Badge({
  category,
  code,
  title,
  className,
}: {
  category: Category | null
  code: string | null
  /** Names the field. */
  title: string
  className?: string
}) {
  const short = code?.split('-')[0] ?? 'EXAM'
  return (
    <svg
      viewBox="3 3 90 90"
      role="img"
      aria-label={
        category === null ? 'Course badge' : `${categoryLabel[category]} badge${code === null ? '' : `, ${code}`}`
      }
      className={`${category === null ? 'text-soft' : inks[category]} ${className ?? 'size-20'}`}
    >
      <path d={SHIELD} fill="currentColor" opacity="0.1" />
      <path d={SHIELD} fill="none" stroke="currentColor" strokeWidth="2" strokeLinejoin="round" />
      <g transform="translate(48 34)">
        <FieldMotif field={fieldOf(title)} />
      </g>
      <text x="48" y="67" textAnchor="middle" fontSize="14" fontWeight="700" fill="currentColor" letterSpacing="0.6">
        {short}
      </text>
      {category === null ? null : (
        <path d={ranks[category]} stroke="currentColor" strokeWidth="2.2" strokeLinecap="round" />
      )}
      {category === 'specialty' ? <circle cx="48" cy="76" r="2.5" fill="currentColor" /> : null}
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

import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { counted } from '../../../lib/text.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { copy } from '../catalogue.copy.ts'
import type { CourseCardView } from '../catalogue.schema.ts'
import { Badge, CategoryBadge } from './course-badge.tsx'
import { CoursePrice } from './course-price.tsx'

/** A course in the grid. The whole card except its buttons opens the course page. An owner studies first and extends second. */
export function CourseCard({
  course,
  isOwned,
  cartButton,
}: {
  course: CourseCardView
  isOwned: boolean
  cartButton: ReactNode
}) {
  return (
    <article className="relative flex flex-col rounded-lg border border-line bg-surface p-5 transition-colors duration-150 hover:border-line-strong">
      <div className="flex items-start justify-between gap-3">
        <Badge category={course.category} code={course.code} title={course.title} className="size-20 shrink-0" />
        <CategoryBadge category={course.category} />
      </div>
      <h3 className="mt-3 text-base leading-6 font-semibold">
        <Link to={paths.course(course.slug)} className="after:absolute after:inset-0 after:rounded-lg">
          {course.title}
        </Link>
      </h3>
      <p className="mt-1 line-clamp-3 text-sm text-soft">{course.description}</p>
      <p className="nums mt-3 text-xs text-soft">
        {counted(course.totalExams, 'exam')}, {counted(course.totalQuestions, 'question')}
      </p>
      <CoursePrice course={course} className="mt-1 mb-4 text-xl" />
      <div className="relative mt-auto flex flex-col gap-2">
        {isOwned ? (
          <ButtonLink to={paths.drill(course.slug)} aria-label={`${copy['card.study']}: ${course.title}`}>
            {copy['card.study']}
          </ButtonLink>
        ) : course.hasFreeTrial ? (
          <ButtonLink
            to={paths.coursePreview(course.slug)}
            look="secondary"
            aria-label={`${copy['card.try']}: ${course.title}`}
          >
            {copy['card.try']}
          </ButtonLink>
        ) : null}
        {cartButton}
      </div>
    </article>
  )
}

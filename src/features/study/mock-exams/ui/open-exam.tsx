import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { formatInstant } from '../../../../lib/time.ts'
import { ButtonLink } from '../../../../ui/button.tsx'
import { copy } from '../mock-exams.copy.ts'
import type { MockPage } from '../mock-exams-page.tsx'

/** An open exam of a kind, with the way back to it. */
export function OpenExam({
  slug,
  open,
  look,
}: {
  slug: string
  open: NonNullable<MockPage['open']['mock']>
  look: 'primary' | 'secondary'
}) {
  const { title, answeredCount: answered, questionCount: total, deadlineAt } = open
  return (
    <div className="mt-5 flex flex-wrap items-center justify-between gap-4 rounded-md bg-sunken p-4">
      <p className="nums min-w-0 flex-1 basis-64">
        <span className="font-semibold">{fill(copy['mock.open'], { title, answered, total })}</span>{' '}
        {deadlineAt === null ? null : fill(copy['mock.open.left'], { at: formatInstant(String(deadlineAt)) })}{' '}
        {copy['mock.open.ends']}
      </p>
      <ButtonLink to={paths.runningMock(slug, open.id)} look={look} aria-label={`${copy['mock.resume']}: ${title}`}>
        {copy['mock.resume']}
      </ButtonLink>
    </div>
  )
}

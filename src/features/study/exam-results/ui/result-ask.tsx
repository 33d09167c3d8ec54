import { Link } from 'react-router'
import { fill } from '../../../../lib/failure.ts'
import { paths } from '../../../../lib/paths.ts'
import { formatDay } from '../../../../lib/time.ts'
import { Button } from '../../../../ui/button.tsx'
import { copy } from '../exam-results.copy.ts'
import type { ResultQuestion } from '../exam-results.schema.ts'

/** Asks how an exam went; 'not now' ends the question. Both work without scripts. */
export function ResultAsk({ questions, back }: { questions: readonly ResultQuestion[]; back: string }) {
  return questions.map(({ courseId, courseSlug, courseTitle, examDate }) => {
    const words = { course: courseTitle, day: formatDay(examDate) }
    return (
      <section
        key={`${courseId} ${examDate}`}
        aria-label={fill(copy['result.ask.of'], words)}
        className="nums mt-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-lg border border-accent bg-accent-soft p-4 tablet:px-6"
      >
        <div className="min-w-0">
          <p className="text-lg font-semibold">{copy['result.ask']}</p>
          <p className="text-sm text-soft">{fill(copy['result.ask.line'], words)}</p>
        </div>
        <form
          method="post"
          action={paths.examResult(courseSlug)}
          className="flex flex-wrap items-center gap-x-2 gap-y-2"
        >
          <input type="hidden" name="examDate" value={examDate} />
          <input type="hidden" name="back" value={back} />
          <Link
            to={`${paths.examResult(courseSlug)}?exam=${examDate}`}
            className="inline-flex min-h-11 items-center rounded-md border border-accent px-4 font-semibold text-accent hover:bg-surface"
          >
            {copy['result.ask.do']}
          </Link>
          <Button type="submit" look="quiet" name="do" value="later">
            {copy['result.later']}
          </Button>
        </form>
      </section>
    )
  })
}

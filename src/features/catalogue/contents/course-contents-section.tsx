import type { ReactNode } from 'react'
import { fill } from '../../../lib/failure.ts'
import { counted } from '../../../lib/text.ts'
import { formatDay } from '../../../lib/time.ts'
import { copy } from '../catalogue.copy.ts'
import type { CountedExams, CourseContents } from './course-contents.schema.ts'

/** The facts of a course: its questions, when they were reviewed, and, where its author says so, for whom and what to know before. */
export function CourseContentsSection({
  contents,
  audience,
  before,
}: {
  /** Null while offline. */
  contents: CourseContents | null
  audience: string | null
  before: string | null
}) {
  if (contents === null && audience === null && before === null) return null
  return (
    <section aria-labelledby="contents-heading" className="mt-10">
      <h2 id="contents-heading" className="text-xl font-semibold">
        {copy['contents.title']}
      </h2>
      <dl className="mt-4 divide-y divide-line border-y border-line">
        {contents === null ? null : <CountedFacts contents={contents} />}
        {audience === null ? null : <Fact label={copy['contents.audience']}>{audience}</Fact>}
        {before === null ? null : <Fact label={copy['contents.before']}>{before}</Fact>}
      </dl>
    </section>
  )
}

function CountedFacts({ contents: { paid, free, reviewedAt } }: { contents: CourseContents }) {
  return (
    <>
      {paid.exams === 0 ? null : (
        <Fact label={copy['contents.paid']}>
          <Counted counts={paid} />
        </Fact>
      )}
      {free.exams === 0 ? null : (
        <Fact label={copy['contents.free']}>
          <Counted counts={free} />
        </Fact>
      )}
      {reviewedAt === null ? null : (
        <Fact label={copy['contents.reviewed']}>
          <time dateTime={reviewedAt.slice(0, 10)}>{formatDay(reviewedAt)}</time>
        </Fact>
      )}
    </>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="nums grid gap-x-6 py-3 tablet:grid-cols-[180px_1fr]">
      <dt className="text-sm leading-6.5 text-soft">{label}</dt>
      <dd className="max-w-read">{children}</dd>
    </div>
  )
}

function Counted({ counts: { exams, questions, kinds } }: { counts: CountedExams }) {
  return (
    <>
      <span className="font-semibold">{counted(questions, 'question')}</span> in {counted(exams, 'exam')}
      <span className="block text-sm text-soft">{kindsOf(kinds)}</span>
    </>
  )
}

/** 'All with one right answer', or '26 with one right answer, 4 to put into order'. */
function kindsOf(kinds: CountedExams['kinds']): string {
  const [only] = kinds
  if (kinds.length === 1 && only !== undefined) return fill(copy['contents.kinds.one'], { words: only.words })
  return kinds.map(({ words, count }) => `${count.toLocaleString('en-US')} ${words}`).join(', ')
}

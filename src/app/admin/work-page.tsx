import { useState } from 'react'
import { Link, useLoaderData, useRevalidator, type MetaFunction } from 'react-router'
import { fill } from '../../lib/failure.ts'
import { paths } from '../../lib/paths.ts'
import { formatInstant } from '../../lib/time.ts'
import { toastOf } from '../../platform/api-client.ts'
import { dismissJob, retryJob } from '../../platform/failed-jobs/failed-jobs-client.ts'
import { copy as jobsCopy } from '../../platform/failed-jobs/failed-jobs.copy.ts'
import type { FailedJob } from '../../platform/failed-jobs/failed-jobs.schema.ts'
import { Button } from '../../ui/button.tsx'
import { Cell, ListRow, ListTable } from '../../ui/list-table.tsx'
import { Heading, Section } from '../../ui/page-parts.tsx'
import { toast } from '../../ui/toasts.tsx'
import { copy } from '../app.copy.ts'
import { privatePage } from '../layout/page-meta.ts'
import type { workLoader } from '../page-loaders.server.ts'
import { workLists } from './work-lists.ts'

export { workLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, copy['work.title'])

/** What waits for an admin: each list with its count, the most urgent first. */
export default function WorkPage() {
  const { counts, exams, jobs } = useLoaderData<typeof workLoader>()
  const isDone = Object.values(counts).every((count) => count === 0)
  return (
    <>
      <Heading>{copy['work.title']}</Heading>
      <p className="mt-2 max-w-read text-soft">{isDone ? copy['work.done'] : copy['work.about']}</p>
      <ul className="mt-6 divide-y divide-line border-y border-line">
        {workLists.map(([list, to]) => (
          <li key={list}>
            <Link to={to} className="nums flex min-h-11 items-baseline gap-4 py-4 hover:bg-sunken">
              <span
                className={`w-14 shrink-0 text-right text-2xl font-semibold ${counts[list] === 0 ? 'text-soft' : ''}`}
              >
                {counts[list]}
              </span>
              <span className="min-w-0">
                <span className="block font-semibold">{copy[`work.${list}`]}</span>
                <span className="block text-sm text-soft">{copy[`work.${list}.about`]}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <Section id="jobs" title={jobsCopy['jobs.heading']}>
        {jobs.length === 0 ? (
          <p className="text-soft">{jobsCopy['jobs.none']}</p>
        ) : (
          <>
            <p className="max-w-read text-soft">{jobsCopy['jobs.about']}</p>
            <ul className="mt-4 divide-y divide-line border-y border-line">
              {jobs.map((job) => (
                <Job key={job.id} job={job} />
              ))}
            </ul>
          </>
        )}
      </Section>
      <Section id="review" title={copy['work.review']}>
        {exams.length === 0 ? (
          <p className="text-soft">{copy['work.review.none']}</p>
        ) : (
          <ListTable
            label={copy['work.review']}
            columns={[{ name: copy['work.review.exam'] }, { name: copy['work.review.count'], isNumber: true }]}
          >
            {exams.map((exam) => (
              <ListRow
                key={exam.id}
                isOneLine
                about={
                  <>
                    <Link to={paths.adminExamReview(exam.id)} className="font-semibold hover:underline">
                      {exam.title}
                    </Link>
                    <span className="block text-sm text-soft">{exam.course}</span>
                  </>
                }
              >
                <Cell isNumber>
                  {fill(copy[exam.count === 1 ? 'work.question' : 'work.questions'], { n: exam.count })}
                </Cell>
              </ListRow>
            ))}
          </ListTable>
        )}
      </Section>
    </>
  )
}

function Job({ job }: { job: FailedJob }) {
  const { revalidate } = useRevalidator()
  const [isBusy, setBusy] = useState(false)
  const what = job.to === null ? job.name : fill(jobsCopy['jobs.mail'], { to: job.to, subject: job.subject ?? '' })
  const run = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      await work()
      toast('success', done, what)
    } catch (error) {
      toast(...toastOf(error))
    } finally {
      setBusy(false)
      await revalidate()
    }
  }
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 py-4">
      <div className="min-w-0 flex-1 basis-72">
        <p className="font-semibold wrap-anywhere">{what}</p>
        <p className="nums text-sm text-soft">
          {fill(jobsCopy['jobs.line'], { at: formatInstant(job.failedAt), n: job.tries })}
        </p>
        {job.why === '' ? null : (
          <p className="text-sm wrap-anywhere text-soft">{fill(jobsCopy['jobs.why'], { why: job.why })}</p>
        )}
      </div>
      <div className="flex gap-2">
        <Button
          look="secondary"
          disabled={isBusy}
          aria-label={fill(jobsCopy['jobs.retry.of'], { what })}
          onClick={() => void run(() => retryJob(job.id), jobsCopy['jobs.retry.done'])}
        >
          {jobsCopy['jobs.retry']}
        </Button>
        <Button
          look="quiet"
          disabled={isBusy}
          aria-label={fill(jobsCopy['jobs.dismiss.of'], { what })}
          onClick={() => void run(() => dismissJob(job.id), jobsCopy['jobs.dismiss.done'])}
        >
          {jobsCopy['jobs.dismiss']}
        </Button>
      </div>
    </li>
  )
}

import { Link, useLoaderData, useRevalidator, type MetaFunction } from 'react-router'
import { fill } from '../../lib/failure.ts'
import { adminPaths } from '../../lib/admin-paths.ts'
import { formatInstant } from '../../lib/time.ts'
import { toastOf } from '../../platform/api-client.ts'
import { dismissJob, retryJob } from '../../platform/failed-jobs/failed-jobs-client.ts'
import { copy as jobsCopy } from '../../platform/failed-jobs/failed-jobs.copy.ts'
import type { FailedJob } from '../../platform/failed-jobs/failed-jobs.schema.ts'
import { Button } from '../../ui/button.tsx'
import { Cell, ListRow, ListTable } from '../../ui/list-table.tsx'
import { Heading, Section } from '../../ui/page-parts.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useMutation } from '../../ui/use-mutation.ts'
import { copy } from '../app.copy.ts'
import { privatePage } from '../layout/page-meta.ts'
import type { workLoader } from '../page-loaders.server.ts'
import { BackupSection } from './backup-section.tsx'
import { workLists } from './work-lists.ts'
import { counted } from '../../lib/text.ts'

export { workLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, copy['work.title'])

/** Waiting work: the count of each list, failed jobs, and exams with questions to review. */
export default function WorkPage() {
  const { counts, exams, jobs, backups } = useLoaderData<typeof workLoader>()
  const isDone = Object.values(counts).every((count) => count === 0)
  return (
    <>
      <Heading>{copy['work.title']}</Heading>
      <p className="mt-2 max-w-read text-soft">{isDone ? copy['work.done'] : copy['work.about']}</p>
      <WorkLists counts={counts} />
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
      <BackupSection backups={backups} />
      <ReviewSection exams={exams} />
    </>
  )
}

type WorkData = Awaited<ReturnType<typeof workLoader>>

function WorkLists({ counts }: Pick<WorkData, 'counts'>) {
  return (
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
  )
}

function ReviewSection({ exams }: Pick<WorkData, 'exams'>) {
  return (
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
                  <Link to={adminPaths.examReview(exam.id)} className="font-semibold hover:underline">
                    {exam.title}
                  </Link>
                  <span className="block text-sm text-soft">{exam.course}</span>
                </>
              }
            >
              <Cell isNumber>{counted(exam.count, 'question')}</Cell>
            </ListRow>
          ))}
        </ListTable>
      )}
    </Section>
  )
}

function Job({ job }: { job: FailedJob }) {
  const { revalidate } = useRevalidator()
  const subject = job.to === null ? job.name : fill(jobsCopy['jobs.mail'], { to: job.to, subject: job.subject ?? '' })
  const action = useMutation((send: typeof retryJob, _title: string) => send(job.id), {
    onSuccess: (_reply, _send, title) => toast('success', title, subject),
    onFailure: (error) => {
      toast(...toastOf(error))
      void revalidate()
    },
    revalidates: true,
  })
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 py-4">
      <div className="min-w-0 flex-1 basis-72">
        <p className="font-semibold wrap-anywhere">{subject}</p>
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
          {...action.button}
          aria-label={fill(jobsCopy['jobs.retry.of'], { what: subject })}
          onClick={() => action.run(retryJob, jobsCopy['jobs.retry.done'])}
        >
          {jobsCopy['jobs.retry']}
        </Button>
        <Button
          look="quiet"
          {...action.button}
          aria-label={fill(jobsCopy['jobs.dismiss.of'], { what: subject })}
          onClick={() => action.run(dismissJob, jobsCopy['jobs.dismiss.done'])}
        >
          {jobsCopy['jobs.dismiss']}
        </Button>
      </div>
    </li>
  )
}

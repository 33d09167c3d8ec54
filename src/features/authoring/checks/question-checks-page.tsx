import { useEffect, useRef, useState } from 'react'
import { useLoaderData, useLocation, useRevalidator, useSubmit, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { formatInstant } from '../../../lib/time.ts'
import { Chooser } from '../../../ui/chooser.tsx'
import { FilterForm, filterField } from '../../../ui/filter-form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { EmptyState, Heading } from '../../../ui/page-parts.tsx'
import { Paging } from '../../../ui/pagination.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { withQuery } from '../../../ui/query-string.ts'
import { SEVERITIES } from '../../questions/formats/formats.schema.ts'
import { describeCourse, unclearSentence } from '../../catalogue/course-choices.ts'
import type { Unclear } from '../../catalogue/course-choices.schema.ts'
import type { checksLoader } from './question-checks-endpoints.server.ts'
import { findCheckedCourses } from './question-checks-client.ts'
import { checkKinds } from '../../questions/checks/bank-checks.copy.ts'
import { copy } from './question-checks.copy.ts'
import {
  FINDING_STATES,
  type CheckedCourse,
  type CheckState,
  type FindingFilter,
  type FindingView,
} from './question-checks.schema.ts'
import { CueTable } from './ui/cue-table.tsx'
import { Finding } from './ui/finding-item.tsx'
import { RunCheck } from './ui/run-check.tsx'
import { TakeBack } from './ui/set-aside.tsx'
import { counted } from '../../../lib/text.ts'

export { checksLoader as loader } from './question-checks-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['checks.title'] }, { name: 'robots', content: 'noindex' }]

const POLL_MS = 1500

/** The findings of the bank's checks, as a work list. */
export default function QuestionChecksPage() {
  const { wanted, state, list, course, unclear } = useLoaderData<typeof checksLoader>()
  const { revalidate } = useRevalidator()
  const [aside, setAside] = useState<FindingView | null>(null)
  useEffect(() => {
    // Poll: the server does not announce the end of a check.
    if (!state.isRunning) return
    const timer = setInterval(() => void revalidate(), POLL_MS)
    return () => clearInterval(timer)
  }, [state.isRunning, revalidate])
  return (
    <>
      <Heading>{copy['checks.title']}</Heading>
      <p className="mt-2 max-w-read text-soft">{copy['checks.about']}</p>
      <State state={state} />
      {state.checkedAt === null ? null : (
        <>
          {state.cues === null || state.cues.length === 0 ? null : <CueTable cues={state.cues} />}
          <Tabs
            label={copy['checks.which']}
            chosen={wanted.state}
            tabs={FINDING_STATES.map((tab) => ({
              id: tab,
              label: copy[`checks.${tab}`],
              to: addressOf({ ...wanted, state: tab, page: 1 }),
            }))}
          />
          <Filter wanted={wanted} kinds={list.kinds} exams={list.exams} course={course} unclear={unclear} />
          {aside === null ? null : <SetAsideNotice finding={aside} onDone={() => setAside(null)} />}
          <FindingList list={list} wanted={wanted} onSetAside={setAside} />
        </>
      )}
    </>
  )
}

function SetAsideNotice({ finding, onDone }: { finding: FindingView; onDone: () => void }) {
  return (
    <Notice tone="info" className="mt-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <p className="wrap-anywhere">{fill(copy['checks.set-aside.done'], { sentence: finding.sentence })}</p>
        <TakeBack finding={finding} label={copy['checks.undo']} onDone={onDone} />
      </div>
    </Notice>
  )
}

type FindingPage = {
  readonly findings: readonly FindingView[]
  readonly count: number
  readonly page: number
  readonly pageCount: number
}

/** A page of findings with their count. */
function FindingList({
  list: { count, findings, page, pageCount },
  wanted,
  onSetAside,
}: {
  list: FindingPage
  wanted: FindingFilter
  onSetAside: (finding: FindingView) => void
}) {
  const to = (other: number) => addressOf({ ...wanted, page: other })
  return (
    <>
      <h2 className="nums mt-6 text-sm text-soft" aria-live="polite">
        {fill(copy['checks.count'], { n: count })}
      </h2>
      {findings.length === 0 ? (
        <div className="mt-3">
          <EmptyState title={copy[`checks.none.${wanted.state}`]} hint={copy[`checks.none.${wanted.state}.hint`]} />
        </div>
      ) : (
        <ul className="mt-3 divide-y divide-line border-y border-line">
          {findings.map((finding) => (
            <Finding key={finding.id} finding={finding} onSetAside={() => onSetAside(finding)} />
          ))}
        </ul>
      )}
      <Paging
        back={page === 1 ? null : { to: to(page - 1), label: copy['checks.earlier'] }}
        on={page >= pageCount ? null : { to: to(page + 1), label: copy['checks.later'] }}
        status={fill(copy['checks.page'], { page, count: pageCount })}
      />
    </>
  )
}

function State({ state }: { state: CheckState }) {
  const { checkedAt, questionCount, isRunning, failure, isOld } = state
  return (
    <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-3">
      <RunCheck isRunning={isRunning} isFirst={checkedAt === null} />
      <p className="nums min-w-0 flex-1 basis-64 text-sm" role="status">
        {checkedAt === null
          ? copy['checks.never']
          : fill(copy['checks.state'], { n: questionCount, at: formatInstant(checkedAt) })}{' '}
        {isRunning ? copy['checks.running'] : isOld ? copy['checks.old'] : ''}
      </p>
      {failure === null || isRunning ? null : (
        <Notice tone="bad">{copy[failure === 'memory' ? 'checks.failed.memory' : 'checks.failed']}</Notice>
      )}
    </div>
  )
}

type Choices = {
  readonly kinds: readonly { readonly code: string; readonly count: number }[]
  readonly course: CheckedCourse | null
  readonly unclear: Unclear | null
  readonly exams: readonly { readonly id: string; readonly title: string; readonly count: number }[]
}

/** The filter is a GET form, so that it works without a script. */
function Filter({ wanted, kinds, course, unclear, exams }: { wanted: FindingFilter } & Choices) {
  const form = useRef<HTMLFormElement>(null)
  const submit = useSubmit()
  const { key: visit } = useLocation()
  // A new course resets the exam, since each course has its own exams.
  const handleCourse = (chosen: CheckedCourse | null) => {
    const query = new FormData(form.current ?? undefined)
    query.set('course', chosen?.id ?? '')
    query.delete('named')
    query.delete('exam')
    void submit(query, { preventScrollReset: true, state: { keepsFocus: true } })
  }
  return (
    <FilterForm ref={form} preventScrollReset state={{ keepsFocus: true }} action={copy['checks.filter.apply']}>
      {wanted.state === 'open' ? null : <input type="hidden" name="state" value={wanted.state} />}
      <FilterSelect
        key={`kind ${wanted.code}`}
        label={copy['checks.filter.kind']}
        name="code"
        chosen={wanted.code}
        options={kinds.map(({ code, count }) => ({ value: code, text: `${nameOf(code)} (${count})` }))}
      />
      <FilterSelect
        key={`weight ${wanted.severity}`}
        label={copy['checks.filter.severity']}
        name="severity"
        chosen={wanted.severity}
        options={SEVERITIES.map((severity) => ({ value: severity, text: copy[`checks.severity.${severity}`] }))}
      />
      <Chooser
        label={copy['checks.filter.course']}
        names={{ chosen: 'course', typed: 'named' }}
        none={copy['checks.filter.all']}
        chosen={course}
        typed={unclear?.named ?? null}
        visit={visit}
        problem={unclear === null ? null : unclearSentence(unclear)}
        find={findCheckedCourses(wanted.state)}
        describe={describeChecked}
        className={filterField.wide}
        onChoose={(chosen, how) => (how === 'picked' ? handleCourse(chosen) : undefined)}
      />
      <ExamFilter key={`exam ${wanted.exam}`} exams={exams} chosen={wanted.exam} />
    </FilterForm>
  )
}

/** Disabled until a course is chosen: the exams are those of the course. */
function ExamFilter({ exams, chosen }: Pick<Choices, 'exams'> & { chosen: string | null }) {
  if (exams.length === 0 && chosen === null)
    return (
      <SelectField label={copy['checks.filter.exam']} disabled className={filterField.narrow}>
        <option>{copy['checks.filter.all']}</option>
      </SelectField>
    )
  return (
    <FilterSelect
      label={copy['checks.filter.exam']}
      name="exam"
      chosen={chosen}
      options={exams.map(({ id, title, count }) => ({ value: id, text: `${title} (${count})` }))}
    />
  )
}

function FilterSelect({
  label,
  name,
  chosen,
  options,
}: {
  label: string
  name: string
  chosen: string | null
  options: readonly { readonly value: string; readonly text: string }[]
}) {
  return (
    <SelectField label={label} name={name} defaultValue={chosen ?? ''} className={filterField.narrow}>
      <option value="">{copy['checks.filter.all']}</option>
      {options.map(({ value, text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </SelectField>
  )
}

function describeChecked(course: CheckedCourse): string {
  const { count = 0 } = course
  const findings = counted(count, 'finding')
  return `${findings}, ${describeCourse(course)}`
}

function nameOf(code: string): string {
  return (checkKinds as Readonly<Record<string, { readonly name: string }>>)[code]?.name ?? code
}

function addressOf({ state, code, severity, course, exam, page }: FindingFilter): string {
  const beginning = { state: state === 'open' ? null : state, code, severity, course, exam }
  return withQuery(adminPaths.checks, { ...beginning, page: page > 1 ? page : null })
}

import { useState } from 'react'
import { Form, useNavigation } from 'react-router'
import { CallFailed, messageOf } from '../../../../platform/api-client.ts'
import type { FormFailure } from '../../../../platform/http/page-action.server.ts'
import { paths } from '../../../../lib/paths.ts'
import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { useHydrated } from '../../../../ui/use-hydrated.ts'
import { OpenExam } from '../../mock-exams/ui/open-exam.tsx'
import type { CountedStanding } from '../../study.schema.ts'
import { copy } from '../question-filters.copy.ts'
import {
  countTyped,
  filterProblems,
  firstFilters,
  fitSentence,
  postedFilters,
  type TypedFilters,
} from '../question-filters.ts'
import { FilterFields, KindField } from './filter-fields.tsx'

export type FilterFormData = {
  readonly course: { readonly slug: string }
  readonly standings: readonly CountedStanding[]
  /** The types of question that the course has, in words. */
  readonly kinds: readonly { readonly kind: string; readonly words: string }[]
  readonly open: { readonly id: string } | null
  readonly openCustom: Parameters<typeof OpenExam>[0]['open'] | null
}

/** What the page's action returns: what was typed, and the failure if it is one. */
export type PostedFilters = Pick<FormFailure, 'typed'> & Partial<Pick<FormFailure, 'failure'>>

/**
 * Chooses the questions of a drill or of a custom exam. Each change shows how many fit; without scripts a button of the form counts
 * them. The server decides by the posted kind which of the two starts.
 */
export function QuestionFilterForm({
  data,
  linked,
  posted,
  isMain,
}: {
  data: FilterFormData
  linked: Parameters<typeof firstFilters>[1]
  posted: PostedFilters | undefined
  /** Whether this is the main action of the page. */
  isMain: boolean
}) {
  const { course, standings, open, openCustom } = data
  const [typed, setTyped] = useState<TypedFilters>(() =>
    posted === undefined ? firstFilters(standings, linked) : onOffer(postedFilters(posted.typed), data),
  )
  const problems = filterProblems(typed)
  const isValid = Object.keys(problems).length === 0
  return (
    <Form
      id="build"
      method="post"
      action={paths.drill(course.slug)}
      noValidate
      aria-labelledby="build-heading"
      className="group/filters mt-6 scroll-mt-20 rounded-lg border border-line bg-surface p-5 tablet:p-6"
    >
      <h2 id="build-heading" className="text-lg font-semibold">
        {copy['filters.title']}
      </h2>
      <input type="hidden" name="replaces.drill" value={open?.id ?? ''} />
      <input type="hidden" name="replaces.custom" value={openCustom?.id ?? ''} />
      <KindField chosen={typed.kind} onChoose={(kind) => setTyped({ ...typed, kind })} />
      {openCustom === null ? null : <OpenExam slug={course.slug} open={openCustom} look="secondary" />}
      <FilterFields data={data} typed={typed} problems={problems} onChange={setTyped} />
      <Start data={data} typed={typed} isValid={isValid} isMain={isMain} isPosted={posted !== undefined} />
      {posted?.failure === undefined || !isValid ? null : (
        <Notice tone="bad" className="mt-4">
          {messageOf(new CallFailed(400, posted.failure))}
        </Notice>
      )}
    </Form>
  )
}

/** The button, and how many questions fit. */
function Start({
  data: { standings, open, openCustom },
  typed,
  isValid,
  isMain,
  isPosted,
}: {
  data: FilterFormData
  typed: TypedFilters
  isValid: boolean
  isMain: boolean
  isPosted: boolean
}) {
  const isHydrated = useHydrated()
  const isBusy = useNavigation().state !== 'idle'
  const fitCount = countTyped(standings, typed)
  return (
    <div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-3 border-t border-line pt-5">
      <Button
        type="submit"
        look={isMain ? 'primary' : 'secondary'}
        disabled={isHydrated && (isBusy || !isValid || fitCount === 0)}
      >
        <StartLabel isDrillOpen={open !== null} isCustomOpen={openCustom !== null} />
      </Button>
      {isHydrated ? null : (
        <Button type="submit" look="quiet" name="do" value="count">
          {copy['filters.count-them']}
        </Button>
      )}
      <p role="status" className="nums">
        {isValid && (isHydrated || isPosted) ? fitSentence(fitCount, typed) : ''}
      </p>
    </div>
  )
}

/** The label follows the chosen kind without scripts, too. */
function StartLabel({ isDrillOpen, isCustomOpen }: { isDrillOpen: boolean; isCustomOpen: boolean }) {
  return (
    <>
      <span className="group-has-[[name=kind][value=custom]:checked]/filters:hidden">
        {copy[isDrillOpen ? 'filters.start.drill.replaces' : 'filters.start.drill']}
      </span>
      <span className="hidden group-has-[[name=kind][value=custom]:checked]/filters:inline">
        {copy[isCustomOpen ? 'filters.start.custom.replaces' : 'filters.start.custom']}
      </span>
    </>
  )
}

/** Without domains and types that the course has lost since the form was shown: no checkbox could take them back. */
function onOffer(typed: TypedFilters, { standings, kinds }: FilterFormData): TypedFilters {
  return {
    ...typed,
    domains: typed.domains.filter((name) => standings.some(({ domain }) => domain === name)),
    kinds: typed.kinds.filter((name) => kinds.some(({ kind }) => kind === name)),
  }
}

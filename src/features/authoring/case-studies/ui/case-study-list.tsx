import { Link } from 'react-router'
import { adminPaths } from '../../../../lib/admin-paths.ts'
import { fill } from '../../../../lib/failure.ts'
import { ButtonLink } from '../../../../ui/button.tsx'
import { PlusIcon } from '../../../../ui/icons.tsx'
import { quietLink } from '../../../../ui/page-parts.tsx'
import { CASE_STUDY_QUESTIONS } from '../../../questions/case-studies/case-study.schema.ts'
import { copy } from '../draft-case-studies.copy.ts'
import type { CaseStudyList as List, CaseStudyView } from '../draft-case-studies.schema.ts'

/** The case studies of an exam, with what keeps each from being published. They are edited in a draft only. */
export function CaseStudyList({ examId, hasDraft, list }: { examId: string; hasDraft: boolean; list: List }) {
  const { caseStudies, problems } = list
  if (!hasDraft && caseStudies.length === 0) return null
  return (
    <section aria-labelledby="case-studies-heading" className="mt-12">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="case-studies-heading" className="text-lg font-semibold">
          {copy['list.title']}
        </h2>
        {hasDraft ? (
          <ButtonLink to={adminPaths.newCaseStudy(examId)} look="secondary">
            <PlusIcon />
            {copy['list.add']}
          </ButtonLink>
        ) : null}
      </div>
      <p className="mt-1 text-sm text-soft">{copy['list.hint']}</p>
      <Problems problems={problems} />
      {caseStudies.length === 0 ? (
        <p className="mt-3 text-sm">{copy['list.none']}</p>
      ) : (
        <ul className="mt-3 divide-y divide-line border-y border-line">
          {caseStudies.map((view) => (
            <li key={view.caseStudy.id} className="py-3">
              <Row examId={examId} hasDraft={hasDraft} view={view} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Row({ examId, hasDraft, view }: { examId: string; hasDraft: boolean; view: CaseStudyView }) {
  const { caseStudy, problems, questionNumbers } = view
  const names = caseStudy.tabs.map(({ title }) => title).join(', ')
  return (
    <>
      <p className="font-semibold wrap-anywhere">{caseStudy.title}</p>
      <p className="nums mt-1 flex flex-wrap gap-x-3 text-sm text-soft">
        <span>{questionsOf(view)}</span>
        <span className="min-w-0 wrap-anywhere">{fill(copy['list.tabs'], { n: caseStudy.tabs.length, names })}</span>
      </p>
      <Problems problems={problems} />
      {hasDraft ? (
        <p className="flex flex-wrap gap-x-5">
          <Link
            to={adminPaths.caseStudy(examId, caseStudy.id)}
            aria-label={fill(copy['list.edit.of'], { title: caseStudy.title })}
            className={quietLink}
          >
            {copy['list.edit']}
          </Link>
          {questionNumbers.length >= CASE_STUDY_QUESTIONS.max ? null : (
            <Link
              to={adminPaths.newQuestionOf(examId, caseStudy.id)}
              aria-label={fill(copy['list.add-question.of'], { title: caseStudy.title })}
              className={quietLink}
            >
              {copy['list.add-question']}
            </Link>
          )}
        </p>
      ) : null}
    </>
  )
}

/** The questions of a case study, and what keeps it from being published. */
export function CaseStudyState({ view }: { view: CaseStudyView }) {
  return (
    <>
      <p className="nums mt-1 text-sm text-soft">{questionsOf(view)}</p>
      <Problems problems={view.problems} />
    </>
  )
}

function Problems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null
  return (
    <ul className="mt-1 text-sm font-semibold text-flag">
      {problems.map((sentence) => (
        <li key={sentence} className="wrap-anywhere">
          {sentence}
        </li>
      ))}
    </ul>
  )
}

function questionsOf({ questionNumbers }: CaseStudyView): string {
  const numbers = questionNumbers.join(', ')
  if (questionNumbers.length === 0) return copy['list.questions.none']
  return fill(copy[questionNumbers.length === 1 ? 'list.question' : 'list.questions'], { numbers })
}

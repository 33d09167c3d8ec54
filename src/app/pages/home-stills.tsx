import type { ReactNode } from 'react'
import type { AttemptResult, AttemptSummary } from '../../features/attempts/attempts.schema.ts'
import { DomainResults } from '../../features/attempts/review/ui/domain-results.tsx'
import { ScoreChart } from '../../features/attempts/review/ui/score-chart.tsx'
import { copy } from '../../features/catalogue/catalogue.copy.ts'

/** The review and the progress of an invented learner, drawn by the product's own components. */
export default function HomeStills() {
  return (
    <section aria-labelledby="after-heading" className="border-t border-line bg-surface">
      <div className="mx-auto max-w-page px-4 py-12 tablet:px-6 tablet:py-16">
        <h2 id="after-heading" className="text-xl font-semibold">
          {copy['home.after.title']}
        </h2>
        <Still title={copy['home.after.review.title']} text={copy['home.after.review']}>
          <div className="-mt-10">
            <DomainResults result={result} />
          </div>
        </Still>
        <Still title={copy['home.after.progress.title']} text={copy['home.after.progress']}>
          <ScoreChart isLatestOnly={false} attempts={attempts} passingScore={PASSING} />
        </Still>
      </div>
    </section>
  )
}

/** Words at the left, the picture at the right. Nobody can press anything in the picture, and screen readers skip it. */
function Still({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="mt-8 grid gap-x-12 gap-y-5 border-t border-line pt-8 desktop:grid-cols-[1fr_2fr]">
      <div>
        <h3 className="text-lg font-semibold">{title}</h3>
        <p className="mt-2 text-soft">{text}</p>
      </div>
      <div
        aria-hidden="true"
        inert
        className="min-w-0 rounded-lg border border-line bg-paper p-2 min-[360px]:p-4 tablet:p-6"
      >
        <p className="text-xs font-semibold text-soft">{copy['home.after.example']}</p>
        <div className="mt-2">{children}</div>
      </div>
    </div>
  )
}

const PASSING = 70

const domains = [
  { domain: 'Cloud Concepts', right: 14, total: 16, weight: 24 },
  { domain: 'Security and Compliance', right: 14, total: 19, weight: 30 },
  { domain: 'Cloud Technology and Services', right: 18, total: 22, weight: 34 },
  { domain: 'Billing, Pricing, and Support', right: 5, total: 8, weight: 12 },
]
const result: AttemptResult = {
  rightCount: 51,
  answeredCount: 65,
  questionCount: 65,
  scorePercent: 78.46,
  passingScore: PASSING,
  isPassed: true,
  domains: domains.map((domain) => ({ ...domain, percent: (domain.right / domain.total) * 100 })),
  weightedPercent: null,
  scaled: null,
}

const days = ['2026-03-02', '2026-03-05', '2026-03-09', '2026-03-12', '2026-03-16']
const scores = [52.3, 61.54, 58.46, 72.31, 78.46]
/** Newest first, as in the history of an exam. */
const attempts = scores
  .map((scorePercent, place): AttemptSummary => ({
    id: String(place),
    examId: '',
    familyId: '',
    examSlug: '',
    examTitle: '',
    courseId: '',
    courseSlug: '',
    mode: 'timed',
    state: 'finished',
    startedAt: `${days[place]}T09:00:00.000Z`,
    finishedAt: `${days[place]}T10:20:00.000Z`,
    deadlineAt: null,
    scorePercent,
    isPassed: scorePercent >= PASSING,
    answeredCount: 65,
    questionCount: 65,
  }))
  .toReversed()

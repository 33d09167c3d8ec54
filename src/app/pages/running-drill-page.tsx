import { useState } from 'react'
import { useLoaderData, useRevalidator, type MetaFunction } from 'react-router'
import { blank } from '../../features/attempts/saving/answer-queue.ts'
import { Explanation } from '../../features/attempts/exam-screen/ui/explanation.tsx'
import { QuestionForm } from '../../features/attempts/exam-screen/ui/question-form.tsx'
import { copy } from '../../features/study/study.copy.ts'
import { DrillResult } from '../../features/study/ui/drill-result.tsx'
import { RunningDrill, type ExplanationSlot, type QuestionSlot } from '../../features/study/ui/running-drill.tsx'
import { paths } from '../../lib/paths.ts'
import { Breadcrumb, Heading, Page } from '../../ui/page-parts.tsx'
import { privatePage } from '../layout/page-meta.ts'
import type { runningDrillLoader } from '../page-loaders.server.ts'
import { Main, SiteFrame } from '../layout/site-frame.tsx'

export { runningDrillLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction<typeof runningDrillLoader> = ({ data, matches }) =>
  privatePage(matches, data === undefined ? copy['drill.title'] : `${copy['drill.title']}: ${data.drill.courseTitle}`)

const renderQuestion: QuestionSlot = (shown) => <ShownQuestion {...shown} />
const renderExplanation: ExplanationSlot = (question, level) => <Explanation question={question} level={level} />

/** A running or finished drill. The page passes it the question form of exams, which the study feature must not import. */
export default function RunningDrillPage() {
  const { drill, left } = useLoaderData<typeof runningDrillLoader>()
  const { revalidate } = useRevalidator()
  const slots = { renderQuestion, renderExplanation }
  if (left === null)
    return <RunningDrill key={drill.id} drill={drill} {...slots} onFinished={() => void revalidate()} />
  return (
    <SiteFrame>
      <Main>
        <Page width="exam">
          <Breadcrumb ways={[{ to: paths.course(drill.courseSlug), label: drill.courseTitle }]} />
          <Heading className="mt-3 text-2xl font-semibold tablet:text-3xl">{copy['result.title']}</Heading>
          <DrillResult drill={drill} left={left} {...slots} />
        </Page>
      </Main>
    </SiteFrame>
  )
}

/** A drill does not store struck-out options, so they are local state. */
function ShownQuestion({ question, selection, revealed, isClosed = false, onSelect }: Parameters<QuestionSlot>[0]) {
  const [struck, setStruck] = useState<readonly string[]>([])
  const handleStrike = (optionId: string) =>
    setStruck(struck.includes(optionId) ? struck.filter((id) => id !== optionId) : [...struck, optionId])
  return (
    <QuestionForm
      question={question}
      answer={{ ...blank, selection: [...selection], struck: [...struck] }}
      revealed={revealed}
      isClosed={isClosed}
      onSelect={onSelect}
      onStrike={handleStrike}
    />
  )
}

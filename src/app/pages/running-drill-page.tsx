import { useActionData, useLoaderData, useNavigate, useRevalidator, type MetaFunction } from 'react-router'
import { Explanation } from '../../features/attempts/exam-screen/ui/explanation.tsx'
import { copy } from '../../features/study/study.copy.ts'
import { DrillResult } from '../../features/study/ui/drill-result.tsx'
import { RunningDrill, type ExplanationSlot } from '../../features/study/ui/running-drill.tsx'
import { paths } from '../../lib/paths.ts'
import { Breadcrumb, Heading, Page } from '../../ui/page-parts.tsx'
import { privatePage } from '../layout/page-meta.ts'
import type { runningDrillAction, runningDrillLoader } from '../page-loaders.server.ts'
import { Main, SiteFrame } from '../layout/site-frame.tsx'

export { runningDrillAction as action, runningDrillLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction<typeof runningDrillLoader> = ({ data, matches }) =>
  privatePage(matches, data === undefined ? copy['drill.title'] : `${copy['drill.title']}: ${data.drill.courseTitle}`)

const renderExplanation: ExplanationSlot = (question, level) => <Explanation question={question} level={level} />

/** A running or finished drill. */
export default function RunningDrillPage() {
  const { drill, at, left } = useLoaderData<typeof runningDrillLoader>()
  const posted = useActionData<typeof runningDrillAction>()
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  const showResult = () =>
    at === null ? revalidate() : navigate(paths.runningDrill(drill.courseSlug, drill.id), { replace: true })
  if (left === null)
    return (
      <RunningDrill
        key={drill.id}
        drill={drill}
        at={at}
        posted={posted}
        renderExplanation={renderExplanation}
        onFinished={() => void showResult()}
      />
    )
  return (
    <SiteFrame>
      <Main>
        <Page width="exam">
          <Breadcrumb ways={[{ to: paths.course(drill.courseSlug), label: drill.courseTitle }]} />
          <Heading className="mt-3 text-2xl font-semibold tablet:text-3xl">{copy['result.title']}</Heading>
          <DrillResult drill={drill} left={left} renderExplanation={renderExplanation} />
        </Page>
      </Main>
    </SiteFrame>
  )
}

import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { copy } from '../../attempts.copy.ts'
import type { ExamPostReply } from '../posted-exam-commands.server.ts'
import { submitsExam } from './posted-exam-form.tsx'

/** What the page knows of its plain form: where it is posted to, and what the server replied to the last post. */
export type PlainExam = Pick<ExamPostReply, 'place' | 'shows' | 'sentence' | 'isElsewhere'> & {
  readonly action: string
  readonly writer: string | null
}

/** Why a form changed nothing, and the button to take the attempt over where another page writes it. */
export function PlainNotice({ plain: { sentence, isElsewhere }, isOpened }: { plain: PlainExam; isOpened: boolean }) {
  if (isElsewhere)
    return isOpened ? null : (
      <Notice tone="flag" className="mt-4" title={copy['exam.elsewhere.title']}>
        <p>{copy['form.elsewhere']}</p>
        <Button {...submitsExam({ kind: 'take-over' })} className="mt-3">
          {copy['exam.elsewhere.take-over']}
        </Button>
      </Notice>
    )
  return sentence === null ? null : (
    <Notice tone="flag" className="mt-4">
      {sentence}
    </Notice>
  )
}

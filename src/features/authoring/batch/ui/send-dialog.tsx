import { useState } from 'react'
import { fill } from '../../../../lib/failure.ts'
import { Button } from '../../../../ui/button.tsx'
import { Chooser } from '../../../../ui/chooser.tsx'
import { DialogBody, DialogFooter } from '../../../../ui/dialog-parts.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { describeExam } from '../../../catalogue/course-choices.ts'
import { findDestinations } from '../batch-client.ts'
import { copy } from '../batch.copy.ts'
import type { Destination } from '../batch.schema.ts'

/** Moves or copies the chosen questions to an exam of any course. */
export function SendDialog({
  examId,
  said,
  isOpen,
  onClose,
  onSend,
}: {
  examId: string
  /** '3 questions' */
  said: string
  isOpen: boolean
  onClose: () => void
  onSend: (to: Destination, as: 'move' | 'copy') => void
}) {
  const [chosen, setChosen] = useState<Destination | null>(null)
  const describe = (exam: Destination) => {
    const about = `${exam.courseTitle}, ${describeExam(exam)}`
    return exam.id === examId ? fill(copy['send.this'], { about }) : about
  }
  return (
    <Dialog title={copy['send.title'].replace('{said}', said)} isOpen={isOpen} onClose={onClose}>
      <DialogBody className="flex flex-col gap-4">
        <Chooser
          label={copy['send.search']}
          hint={copy['send.hint']}
          find={findDestinations(examId)}
          describe={describe}
          onChoose={setChosen}
        />
        {chosen === null ? null : <p className="text-sm text-soft wrap-anywhere">{describe(chosen)}</p>}
      </DialogBody>
      <DialogFooter onCancel={onClose}>
        <Button
          disabled={chosen === null || chosen.id === examId}
          onClick={() => (chosen === null ? undefined : onSend(chosen, 'move'))}
        >
          {copy['send.move']}
        </Button>
        <Button
          look="secondary"
          disabled={chosen === null}
          onClick={() => (chosen === null ? undefined : onSend(chosen, 'copy'))}
        >
          {copy['send.copy']}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

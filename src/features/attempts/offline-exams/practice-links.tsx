import { useState } from 'react'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { messageOf } from '../../../platform/api-client.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { DialogBody, DialogFooter } from '../../../ui/dialog-parts.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useMutation } from '../../../ui/use-mutation.ts'
import { startOver } from './offline-exams-client.ts'
import { copy } from './offline-exams.copy.ts'
import { answeredCount, type Practice } from './offline-exams.ts'
import type { StoredOfflineExam } from './stored-offline-exams.ts'

/** Begins the practice of an exam on this device, or continues the one that has begun; that one can be started over. */
export function PracticeLinks({ stored: { offlineExam, practice } }: { stored: StoredOfflineExam }) {
  const { examSlug, examTitle, questions } = offlineExam
  const answered = practice === undefined ? 0 : answeredCount(practice)
  const action =
    answered === 0 ? copy['pack.open'] : fill(copy['pack.continue'], { n: answered, total: questions.length })
  return (
    <>
      <ButtonLink
        look="secondary"
        to={paths.offlinePractice(examSlug)}
        aria-label={`${action}: ${examTitle}`}
        reloadDocument
      >
        {action}
      </ButtonLink>
      {practice === undefined || answered === 0 ? null : <StartOver examSlug={examSlug} practice={practice} />}
    </>
  )
}

function StartOver({ examSlug, practice }: { examSlug: string; practice: Practice }) {
  const [isAsking, setAsking] = useState(false)
  const starting = useMutation(() => startOver(examSlug), {
    onSuccess: () => location.assign(paths.offlinePractice(examSlug)),
  })
  const { failure } = starting
  return (
    <>
      <Button look="quiet" onClick={() => setAsking(true)}>
        {copy['pack.over']}
      </Button>
      <Dialog title={copy['pack.over.title']} isOpen={isAsking} onClose={() => setAsking(false)}>
        <DialogBody>
          <p>
            {practice.checked.length === 0
              ? copy['pack.over.unchecked']
              : fill(copy['pack.over.checked'], { n: practice.checked.length })}
          </p>
          {failure === null ? null : (
            <p role="alert" className="mt-3 text-sm text-bad">
              {messageOf(failure)}
            </p>
          )}
        </DialogBody>
        <DialogFooter cancel={copy['pack.keep.going']} onCancel={() => setAsking(false)}>
          <Button {...starting.button} onClick={() => starting.run()}>
            {copy['pack.over']}
          </Button>
        </DialogFooter>
      </Dialog>
    </>
  )
}

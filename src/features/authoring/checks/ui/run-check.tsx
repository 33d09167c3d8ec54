import { toastOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { askForCheck } from '../question-checks-client.ts'
import { copy } from '../question-checks.copy.ts'

/** Starts a check of the whole bank. */
export function RunCheck({ isRunning, isFirst }: { isRunning: boolean; isFirst: boolean }) {
  const starting = useMutation(askForCheck, { revalidates: true, onFailure: (error) => toast(...toastOf(error)) })
  return (
    <Button disabled={isRunning} {...starting.button} onClick={() => starting.run()}>
      {copy[isFirst ? 'checks.run' : 'checks.again']}
    </Button>
  )
}

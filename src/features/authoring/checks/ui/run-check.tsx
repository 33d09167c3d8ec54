import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { toastOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { askForCheck } from '../question-checks-client.ts'
import { copy } from '../question-checks.copy.ts'

/** Starts a check of the whole bank. */
export function RunCheck({ isRunning, isFirst }: { isRunning: boolean; isFirst: boolean }) {
  const { revalidate } = useRevalidator()
  const [isBusy, setBusy] = useState(false)
  const handleClick = async () => {
    setBusy(true)
    try {
      await askForCheck()
      await revalidate()
    } catch (error) {
      toast(...toastOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button disabled={isBusy || isRunning} onClick={() => void handleClick()}>
      {copy[isFirst ? 'checks.run' : 'checks.again']}
    </Button>
  )
}

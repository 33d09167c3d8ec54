import { useEffect, useState } from 'react'
import { CallFailed, messageOf } from '../../../platform/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { copy } from './push.copy.ts'
import { readDevice, turnOff, turnOn, type DeviceState } from './push-client.ts'

/** Turns reminders on this device on and off. Shows nothing where the browser cannot be reached by push. */
export function PushDeviceChoice() {
  const [state, setState] = useState<DeviceState>('missing')
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    readDevice().then(setState, (error: unknown) => console.warn('Push is not available:', error))
  }, [])
  if (state === 'missing') return null

  const change = async (run: () => Promise<DeviceState>) => {
    setBusy(true)
    setProblem(null)
    try {
      setState(await run())
    } catch (error) {
      setProblem(error instanceof CallFailed ? messageOf(error) : copy['push.failed'])
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="mt-4 border-t border-line pt-4">
      <p role="status" className="max-w-read text-sm text-soft">
        {problem ?? sentences[state]}
      </p>
      {state === 'denied' ? null : (
        <Button
          look={state === 'on' ? 'quiet' : 'secondary'}
          className="mt-2"
          disabled={isBusy}
          onClick={() => void change(state === 'on' ? turnOff : turnOn)}
        >
          {copy[state === 'on' ? 'push.off' : 'push.on']}
        </Button>
      )}
    </div>
  )
}

const sentences = { denied: copy['push.denied'], off: copy['push.on.about'], on: copy['push.off.about'] }

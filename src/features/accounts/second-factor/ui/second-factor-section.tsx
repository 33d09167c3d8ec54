import { useState } from 'react'
import { Section } from '../../../../ui/page-parts.tsx'
import { copy } from '../second-factor.copy.ts'
import type { SecondFactorView } from '../second-factor.schema.ts'
import { AuthenticatorPart } from './authenticator-part.tsx'
import { PasskeysPart } from './passkeys-part.tsx'
import { RecoveryPart, ShownCodes } from './recovery-part.tsx'

/** What a user has set up beside the password: authenticator app, recovery codes, passkeys. */
export function SecondFactorSection({ state }: { state: SecondFactorView }) {
  /** New recovery codes, shown once. */
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [hasStored, setStored] = useState(false)
  const handleStored = () => {
    setStored(true)
    setCodes(null)
  }
  return (
    <Section id="second-factor" title={copy['section.title']}>
      <p className="max-w-read text-soft">{copy['section.about']}</p>
      <p className="mt-3 hidden max-w-read text-soft scriptless:block">{copy['section.scriptless']}</p>
      <div className="scriptless:hidden">
        <AuthenticatorPart since={state.authenticatorSince} onCodes={setCodes} />
        {codes === null ? null : <ShownCodes codes={codes} onDone={handleStored} />}
        {state.authenticatorSince === null || codes !== null ? null : (
          <RecoveryPart left={state.recoveryCodesLeft} onCodes={setCodes} hasFocus={hasStored} />
        )}
        <PasskeysPart passkeys={state.passkeys} />
      </div>
    </Section>
  )
}

import { useLoaderData, useSearchParams, type MetaFunction } from 'react-router'
import { SecondFactorSection } from '../../features/accounts/second-factor/ui/second-factor-section.tsx'
import { SessionsSection } from '../../features/accounts/sessions/sessions-section.tsx'
import { copy } from '../../features/accounts/settings/settings.copy.ts'
import { AddressSection } from '../../features/accounts/settings/ui/address-section.tsx'
import { NameSection } from '../../features/accounts/settings/ui/name-section.tsx'
import { PasswordSection } from '../../features/accounts/settings/ui/password-section.tsx'
import { usePostedForm } from '../../features/accounts/ui/use-posted-form.ts'
import { PlanReminders } from '../../features/study/reminders/plan-reminders.tsx'
import { copy as remindersCopy } from '../../features/study/reminders/reminders.copy.ts'
import { Notice } from '../../ui/notice.tsx'
import { Heading, Page } from '../../ui/page-parts.tsx'
import { privatePage } from '../layout/page-meta.ts'
import { YourData } from '../own-data/your-data.tsx'
import type { accountLoader } from '../page-loaders.server.ts'

export { accountAction as action, accountLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, copy['account.heading'])

/** What users see and change about their own account, a section for each subject. */
export default function AccountPage() {
  const { account, secondFactor, reminder, sessions } = useLoaderData<typeof accountLoader>()
  const { failure, typed, done: answered } = usePostedForm()
  const [search] = useSearchParams()
  const done = answered ?? (search.get('reminders') === 'saved' ? remindersCopy['reminders.box.saved'] : null)
  const hasFactor = secondFactor.authenticatorSince !== null || secondFactor.passkeys.length > 0
  // Failures of the forms with fields are shown in those.
  const refusal = failure === null || ['name', 'address', 'password'].includes(typed['do'] ?? '') ? null : failure
  return (
    <Page width="exam">
      <Heading>{copy['account.heading']}</Heading>
      {done === null ? null : (
        <Notice tone="good" className="mt-4">
          {done}
        </Notice>
      )}
      {refusal === null ? null : (
        <Notice tone="bad" className="mt-4">
          {refusal.message}
        </Notice>
      )}
      <NameSection name={account.name} />
      <AddressSection account={account} hasFactor={hasFactor} />
      <PasswordSection account={account} hasFactor={hasFactor} />
      <SecondFactorSection state={secondFactor} />
      <SessionsSection sessions={sessions} />
      <PlanReminders reminder={reminder} isPlain />
      <YourData headingClass="text-lg" />
    </Page>
  )
}

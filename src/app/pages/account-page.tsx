import { useLoaderData, type MetaFunction } from 'react-router'
import { SecondFactorSection } from '../../features/accounts/second-factor/ui/second-factor-section.tsx'
import { SessionsSection } from '../../features/accounts/sessions/sessions-section.tsx'
import { copy } from '../../features/accounts/settings/settings.copy.ts'
import { AddressSection } from '../../features/accounts/settings/ui/address-section.tsx'
import { NameSection } from '../../features/accounts/settings/ui/name-section.tsx'
import { PasswordSection } from '../../features/accounts/settings/ui/password-section.tsx'
import { Heading, Page } from '../../ui/page-parts.tsx'
import { privatePage } from '../layout/page-meta.ts'
import { YourData } from '../own-data/your-data.tsx'
import type { accountLoader } from '../page-loaders.server.ts'

export { accountLoader as loader } from '../page-loaders.server.ts'

export const meta: MetaFunction = ({ matches }) => privatePage(matches, copy['account.heading'])

/** What users see and change about their own account, a section for each subject. */
export default function AccountPage() {
  const { account, secondFactor, sessions } = useLoaderData<typeof accountLoader>()
  return (
    <Page width="exam">
      <Heading>{copy['account.heading']}</Heading>
      <NameSection name={account.name} />
      <AddressSection account={account} />
      <PasswordSection account={account} />
      <SecondFactorSection state={secondFactor} />
      <SessionsSection sessions={sessions} />
      <YourData headingClass="text-lg" />
    </Page>
  )
}

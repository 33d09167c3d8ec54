import { Link, type MetaFunction } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { forgotPassword } from './accounts-client.ts'
import { copy } from './accounts.copy.ts'
import { AccountForm, formLink } from './ui/account-form.tsx'
import { EmailLinkForm } from './ui/email-link-form.tsx'

export { forgotPasswordAction as action } from './account-forms-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['forgot.heading'] }, { name: 'robots', content: 'noindex' }]

export default function ForgotPasswordPage() {
  return (
    <AccountForm
      heading={copy['forgot.heading']}
      intro="Enter the address of your account, and we mail you a link."
      footer={
        <Link to={paths.login} className={formLink}>
          {copy['login.submit']}
        </Link>
      }
    >
      <EmailLinkForm send={forgotPassword} submit={copy['forgot.submit']} sent={copy['forgot.sent']} />
    </AccountForm>
  )
}

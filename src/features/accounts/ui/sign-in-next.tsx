import { paths } from '../../../lib/paths.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { copy } from '../accounts.copy.ts'

/** What has been done, and the way to sign in. */
export function SignInNext({ done }: { done: string }) {
  return (
    <>
      <Notice tone="good">{done}</Notice>
      <ButtonLink to={paths.login} className="mt-6">
        {copy['login.submit']}
      </ButtonLink>
    </>
  )
}

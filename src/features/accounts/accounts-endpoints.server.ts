import { passwordEndpoints, type PasswordDeps } from './password-endpoints.server.ts'
import { registrationEndpoints, verificationEndpoints } from './registration/registration-endpoints.server.ts'
import { signInEndpoints, type SignInDeps } from './sign-in-endpoints.server.ts'
import { secondStepEndpoints } from './second-factor/second-step-endpoints.server.ts'

export function accountsApi(deps: SignInDeps & PasswordDeps) {
  return [
    ...signInEndpoints(deps),
    ...registrationEndpoints(deps),
    ...verificationEndpoints(deps),
    ...passwordEndpoints(deps),
    ...secondStepEndpoints(deps),
  ]
}

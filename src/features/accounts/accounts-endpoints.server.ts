import { networkLimit } from '../../platform/http/network-limit.server.ts'
import { passwordEndpoints, type PasswordDeps } from './password-endpoints.server.ts'
import { registrationEndpoints, verificationEndpoints } from './registration-endpoints.server.ts'
import { NETWORK_ATTEMPTS, signInEndpoints, type SignInDeps } from './sign-in-endpoints.server.ts'
import { RATE_WINDOW_MS } from './sign-in-limit.ts'

export function accountsApi(deps: SignInDeps & PasswordDeps) {
  const limit = networkLimit({ attempts: NETWORK_ATTEMPTS, windowMs: RATE_WINDOW_MS })
  return [
    ...signInEndpoints(deps, limit),
    ...registrationEndpoints(deps, limit),
    ...verificationEndpoints(deps, limit),
    ...passwordEndpoints(deps, limit),
  ]
}

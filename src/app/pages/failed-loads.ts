import { isRouteErrorResponse } from 'react-router'

/** Whether the server, or a proxy in front of it, answered that it cannot serve the page now. */
export function isFailedLoad(error: unknown): boolean {
  return isRouteErrorResponse(error) && error.status >= 500
}

/** Whether `fetch` itself failed: there is no network, or nothing answers. An answer such as 503 is no lost network. */
export function isLostNetwork(error: unknown): boolean {
  return error instanceof TypeError && /fetch|network|load failed/i.test(error.message)
}

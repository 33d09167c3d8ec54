import type { ReactNode } from 'react'

/** The `handle` of a route that shows its failures itself, also when the data of the frame failed with the route's own. */
export type FailureHandle = { readonly showFailure: (error: unknown) => ReactNode }

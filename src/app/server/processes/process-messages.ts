import type { Figure } from '../../../platform/metrics.server.ts'

/** A stream of /api/realtime; `userId` is null for a guest. */
export type Stream = { readonly network: string; readonly userId: string | null }

export type ToFirstProcess =
  | { readonly kind: 'serving' }
  /** This worker's figures, as an answer or, without an id, as its last ones. */
  | { readonly kind: 'figures'; readonly id: number | null; readonly figures: readonly Figure[] }
  | { readonly kind: 'all-figures-wanted'; readonly id: number }
  | { readonly kind: 'stream-opened'; readonly stream: Stream }
  | { readonly kind: 'stream-closed'; readonly stream: Stream }

export type ToWorker =
  /** Another worker has taken over: finish what is open, take nothing new and end. */
  | { readonly kind: 'retire' }
  /** Everything stops. */
  | { readonly kind: 'stop' }
  | { readonly kind: 'figures-wanted'; readonly id: number }
  | { readonly kind: 'all-figures'; readonly id: number; readonly figures: readonly Figure[] }
  /** How many streams a network has in all workers. */
  | { readonly kind: 'network-streams'; readonly network: string; readonly count: number }
  | { readonly kind: 'end-oldest-stream'; readonly userId: string }

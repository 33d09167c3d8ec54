import type { RequestContext } from '../platform/context.server.ts'
import type { SiteFacts } from './schema.ts'

declare module 'react-router' {
  /** What the server hands to every page loader. */
  interface AppLoadContext {
    readonly request: RequestContext
    readonly site: SiteFacts
    readonly nonce: string
  }
}

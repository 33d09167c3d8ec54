import type { RequestContext } from '../../platform/http/request-context.server.ts'
import type { ApiCall, SiteFacts } from '../app.schema.ts'

declare module 'react-router' {
  /** The value that the server passes to every page loader. */
  interface AppLoadContext {
    readonly request: RequestContext
    readonly site: SiteFacts
    readonly nonce: string
    /** Number of the newest catalogue change known before the page's data was read. */
    readonly changesSeen: number
    /** Id of the build of the pages; empty in tests and development. */
    readonly build: string
    /** Every API call, for the page that documents them. */
    readonly listCalls: () => readonly ApiCall[]
  }
}

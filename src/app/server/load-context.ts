import type { RequestContext } from '../../platform/http/request-context.server.ts'
import type { ApiCall, SiteFacts } from '../app.schema.ts'

declare module 'react-router' {
  /** What the server hands to every page loader. */
  interface AppLoadContext {
    readonly request: RequestContext
    readonly site: SiteFacts
    readonly nonce: string
    /** The number of the newest catalogue change that was known before anything was read for this page. */
    readonly changesSeen: number
    /** Which build of the pages this is; empty where there is none. */
    readonly build: string
    /** Every call of the API, for the page that describes it. */
    readonly listCalls: () => readonly ApiCall[]
  }
}

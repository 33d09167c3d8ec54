import { blockedStorageScript } from './blocked-storage.ts'
import { lateScriptsScript } from './late-scripts.ts'
import { scriptsMarkScript, startUpScript } from './start-up-client.ts'
import { themeScript } from './theme-client.ts'

/** In the head, and short: on a slow phone each script there delays the first paint. */
export const beforePaintScript = /* @__PURE__ */ [themeScript, scriptsMarkScript].join(';')
/** Behind the content, and before the router's inline script, which reads the storage. */
export const storageScript = blockedStorageScript
/** At the end of the page, before the modules start. */
export const afterPageScript = /* @__PURE__ */ [startUpScript, lateScriptsScript].join(';')

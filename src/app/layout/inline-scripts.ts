import { blockedStorageScript } from './blocked-storage.ts'
import { lateScriptsScript } from './late-scripts.ts'
import { scriptsMarkScript, startUpScript } from './start-up-client.ts'
import { themeScript } from './theme-client.ts'

/** In the head, and short: on a slow phone each script there delays the first paint. */
export const beforePaintScript = /* @__PURE__ */ [themeScript, scriptsMarkScript].join(';')
/** After the first paint, and before the router's inline scripts, which read the storage: what the page's modules rely on. */
export const beforeModulesScript = /* @__PURE__ */ [blockedStorageScript, startUpScript].join(';')
/** At the end of the page, and short. */
export const afterPageScript = lateScriptsScript

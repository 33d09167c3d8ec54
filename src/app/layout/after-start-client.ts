import { focusRefusals } from '../../ui/refused-form-client.ts'
import { keepFocus } from '../../ui/focus-keeper-client.ts'
import { loadFailurePage } from '../pages/failure.tsx'
import { startWorker } from '../offline/worker-start-client.ts'
import { followDownloads } from './downloads-client.ts'

// Code that a page needs only after the user acts. It is loaded when the page is usable, and runs once, however often it is
// imported.
// Safari has it since 17.4.
Element.prototype.checkVisibility ??= function (this: Element) {
  return this.getClientRects().length > 0
}
keepFocus()
focusRefusals()
followDownloads()
startWorker()
loadFailurePage().catch((error: unknown) => console.warn('The failure page could not be loaded:', error))

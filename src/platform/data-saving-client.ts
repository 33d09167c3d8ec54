/** Whether the user asked the browser to save data. Nothing is fetched ahead then. */
export function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
}

/** Event of the window when the user has stored something for later without a network, so that its pages have to open, too. */
export const STORED_FOR_OFFLINE = 'altocert:stored-for-offline'

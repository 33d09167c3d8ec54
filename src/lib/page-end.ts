/** Reply header of a page that may be shown offline until this instant only: it holds answer keys. */
export const PAGE_END_HEADER = 'x-altocert-until'

/** Whether a stored page has passed its end. A page without an end has none. */
export function isPageOver(headers: { get(name: string): string | null }, nowMs: number): boolean {
  const end = headers.get(PAGE_END_HEADER)
  // An end that cannot be read has passed.
  return end !== null && !(nowMs < Date.parse(end))
}

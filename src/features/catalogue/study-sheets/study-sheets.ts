import type { StudySheet } from '../../questions/study-sheet.schema.ts'
import { sectionsOf } from '../../questions/formats/markdown/study-sheet-markdown.ts'

/** A study sheet in a list. */
export type SheetSummary = { readonly slug: string; readonly domain: string; readonly isFree: boolean }

export type SheetText = { readonly id: string; readonly title: string; readonly text: string }

/** A sheet as its reader gets it. Without access only the names of its sections are sent. */
export type ShownSheet = {
  readonly slug: string
  readonly domain: string
  readonly place: number
  readonly guide: string
  readonly verifiedOn: string | null
  readonly sections: readonly SheetText[]
  readonly sources: readonly string[]
  readonly isOpen: boolean
}

/** The first sheet is free for everybody, the others for owners. */
export function showSheet(sheets: readonly StudySheet[], slug: string, hasAccess: boolean): ShownSheet | null {
  const index = sheets.findIndex((sheet) => sheet.slug === slug)
  const sheet = sheets[index]
  if (sheet === undefined) return null
  const isOpen = hasAccess || index === 0
  const { domain, guide, verifiedOn, sources } = sheet
  const sections = sectionsOf(sheet.body).map(({ title, text }, place) => ({
    id: `section-${place + 1}`,
    title,
    text: isOpen ? text : '',
  }))
  return { slug, domain, place: index + 1, guide, verifiedOn, sections, sources: isOpen ? sources : [], isOpen }
}

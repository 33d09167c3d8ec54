import { normaliseLine } from '../question-text.ts'
import { QuestionKey } from '../types/question-base.schema.ts'
import { fencesIn } from '../formats/markdown/markdown-fences.ts'
import { withEscapes, withoutEscapes } from '../formats/markdown/markdown-marks.ts'
import { readCaseStudy, tabIdOf } from './case-studies.ts'
import type { CaseStudy, CaseStudyCode } from './case-study.schema.ts'

/*
 * A case study in our Markdown (docs/content-format.md): `# key`, `title: …`, and its tabs as `### Name`. It ends at the next question
 * or case study.
 */

export interface CaseStudyInFile {
  /** Null if it can't be stored; the problems say why. */
  caseStudy: CaseStudy | null
  key: string
  line: number
  problems: { code: CaseStudyCode; about: string; line: number }[]
}

const BEGINNING = /^#(?!#)[ \t]+(\S.*?)[ \t]*$/
const TITLE = /^title:(?:[ \t]+(.*)|[ \t]*$)/
const TAB = /^###(?!#)[ \t]+(\S.*?)[ \t]*$/
const FACT_OF_QUESTION = /^case_study:(?:[ \t]|$)/
const ID_AT_END = /(?:^|[ \t]+)\{#([^{}\s]+)\}$/

/**
 * The key of the case study that begins at a line; null if none does. A heading of level 1 alone is none, because texts of
 * hand-written files have such headings: a title or a tab must follow.
 */
export function caseStudyKeyAt(lines: readonly string[], at: number): string | null {
  const key = BEGINNING.exec(lines[at] ?? '')?.[1]
  if (key === undefined || !QuestionKey.safeParse(key).success) return null
  let next = at + 1
  while (next < lines.length && (lines[next] ?? '').trim() === '') next++
  return TITLE.test(lines[next] ?? '') || TAB.test(lines[next] ?? '') ? key : null
}

/** Reads the lines of a case study, the first of which is its key. */
export function readCaseStudyLines(lines: readonly string[], number: number): CaseStudyInFile {
  const key = BEGINNING.exec(lines[0] ?? '')?.[1] ?? ''
  const read: CaseStudyInFile = { caseStudy: null, key, line: number, problems: [] }
  const tabs: { id?: string; title: string; lines: string[] }[] = []
  let title: string | null = null
  const { isFenced } = fencesIn([...lines])
  for (const [at, line] of lines.entries()) {
    if (at === 0) continue
    const note = (code: CaseStudyCode, about: string) => read.problems.push({ code, about, line: number + at })
    const tab = tabs.at(-1)
    const begun = isFenced[at] ? null : TAB.exec(line)?.[1]
    if (begun != null) tabs.push({ ...tabNameOf(begun), lines: [] })
    else if (tab && !isFenced[at] && FACT_OF_QUESTION.test(line)) note('case-study-nested', line)
    else if (tab) tab.lines.push(line)
    else if (title === null && TITLE.test(line)) title = TITLE.exec(line)?.[1] ?? ''
    else if (line.trim() !== '') note('case-study-stray', line.slice(0, 120))
  }
  const given = tabs.map((tab) => ({ id: tab.id, title: tab.title, body: withoutEscapes(tab.lines) }))
  read.caseStudy = readCaseStudy({ id: key, title: title ?? '', tabs: given }, (code, about) =>
    read.problems.push({ code, about, line: number }),
  )
  return read
}

function tabNameOf(written: string): { id?: string; title: string } {
  const id = ID_AT_END.exec(written)
  return id?.[1] === undefined ? { title: written } : { id: id[1], title: written.slice(0, id.index) }
}

/** The text that `readCaseStudyLines` reads as the same case study. */
export function printCaseStudy({ id, title, tabs }: CaseStudy): string {
  const written = tabs.map((tab) => {
    const isDerived = tab.id === tabIdOf(id, normaliseLine(tab.title)) && !ID_AT_END.test(tab.title)
    return `### ${tab.title}${isDerived ? '' : ` {#${tab.id}}`}\n\n${withEscapes(tab.body)}`
  })
  return `${[`# ${id}\n\ntitle: ${title}`, ...written].join('\n\n')}\n`
}

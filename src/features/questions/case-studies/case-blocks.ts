import type { CaseStudy, ShownCaseStudy } from './case-study.schema.ts'

/** A question, as far as its case study is concerned. */
export interface InCaseStudy {
  readonly id: string
  readonly caseStudy?: string | undefined
}

/**
 * The questions in blocks: those of a case study together, where its first one stands, in their order; every other question by
 * itself. Orders that learners see are made of blocks, so that no shuffling takes a case study apart.
 */
export function blocksOf<Item extends InCaseStudy>(questions: readonly Item[]): Item[][] {
  const blocks: Item[][] = []
  const byCaseStudy = new Map<string, Item[]>()
  for (const question of questions) {
    const { caseStudy } = question
    const block = caseStudy === undefined ? undefined : byCaseStudy.get(caseStudy)
    if (block) {
      block.push(question)
      continue
    }
    const begun = [question]
    blocks.push(begun)
    if (caseStudy !== undefined) byCaseStudy.set(caseStudy, begun)
  }
  return blocks
}

/** The first items of the blocks, as many as asked. A block that would be cut gives way to smaller ones behind it, if there are any. */
export function drawBlocks<Item>(blocks: readonly (readonly Item[])[], count: number): Item[] {
  const drawn = new Set<readonly Item[]>()
  let room = count
  for (const block of blocks) {
    if (block.length > room) continue
    drawn.add(block)
    room -= block.length
  }
  return blocks.flatMap((block) => {
    if (drawn.has(block)) return [...block]
    const begun = block.slice(0, room)
    room -= begun.length
    return begun
  })
}

/** The case studies that questions name, in the order in which the questions do. */
export function caseStudiesOf(caseStudies: readonly CaseStudy[], questions: readonly InCaseStudy[]): CaseStudy[] {
  const byId = new Map(caseStudies.map((one) => [one.id, one]))
  const named = new Set(questions.flatMap(({ caseStudy }) => caseStudy ?? []))
  return [...named].flatMap((id) => byId.get(id) ?? [])
}

/** The case studies of these questions as learners get them. */
export function shownCaseStudies(
  caseStudies: readonly CaseStudy[],
  questions: readonly InCaseStudy[],
): ShownCaseStudy[] {
  return caseStudiesOf(caseStudies, questions).map((caseStudy) => ({
    ...caseStudy,
    questionIds: questions.filter((question) => question.caseStudy === caseStudy.id).map(({ id }) => id),
  }))
}

/** Courses, and exams, per export. */
export const MAX_PLACES = 100
/** Questions per export: the file is written in memory. */
export const MAX_EXPORTED = 20_000

const contentTypes: Readonly<Record<string, string>> = {
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  gift: 'text/plain; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  xml: 'application/xml',
  zip: 'application/zip',
}

export function contentTypeOf(fileName: string): string {
  return contentTypes[fileName.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
}

/** 'clf-c02-markdown.zip' */
export function archiveName(slug: string, format: string): string {
  return `${slug}-${format}.zip`
}

type LossGroup = { readonly sentence: string; readonly count: number; readonly questionIds: string[] }

/** The losses, the most frequent first, with the ids of the questions; no ids for a loss of the whole exam. */
export function groupLosses(losses: readonly { questionId: string; sentence: string }[]): LossGroup[] {
  const groups = new Map<string, Set<string>>()
  for (const { questionId, sentence } of losses) {
    const ids = groups.get(sentence) ?? new Set()
    if (questionId !== '') ids.add(questionId)
    groups.set(sentence, ids)
  }
  return [...groups]
    .map(([sentence, ids]) => ({ sentence, count: ids.size, questionIds: [...ids] }))
    .sort((a, b) => b.count - a.count)
}

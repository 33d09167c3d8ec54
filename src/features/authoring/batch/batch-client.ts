import { useSyncExternalStore } from 'react'
import { clientOf } from '../../../platform/api-client.ts'
import type { batchApi } from './batch-endpoints.server.ts'
import type { Placed, Replaced, ReplaceTargets } from './batch.schema.ts'

const call = clientOf<typeof batchApi>()
const at = (examId: string) => ({ params: { examId } })

export const moveQuestions = (examId: string, questionIds: string[], before: string | null) =>
  call('PUT', '/api/exams/:examId/draft/order', { ...at(examId), body: { questionIds, before } })
export const putOrder = (examId: string, questionIds: string[]) =>
  call('PUT', '/api/exams/:examId/draft/order', { ...at(examId), body: { questionIds } })
/** @param join the case studies that questions join there, by the key of the question */
export const sendQuestions = (
  examId: string,
  send: { questionIds: string[]; toExamId: string; as: 'move' | 'copy'; join?: Readonly<Record<string, string>> },
) => call('POST', '/api/exams/:examId/draft/send', { ...at(examId), body: send })
export const markQuestions = (examId: string, questionIds: string[], needsReview: boolean) =>
  call('POST', '/api/exams/:examId/draft/mark', { ...at(examId), body: { questionIds, needsReview } })
export const findDestinations = (examId: string) => (search: string, signal: AbortSignal) =>
  call('GET', '/api/exams/:examId/destinations', { ...at(examId), query: { search }, signal })
export const removeQuestions = (examId: string, questionIds: string[]) =>
  call('POST', '/api/exams/:examId/draft/remove', { ...at(examId), body: { questionIds } })
export const restoreQuestions = (examId: string, questions: Placed[]) =>
  call('POST', '/api/exams/:examId/draft/restore', { ...at(examId), body: { questions } })

export const findWords = (query: { courseId?: string; examId?: string; find: string; matchCase: boolean }) =>
  call('POST', '/api/replacements/preview', { body: query })
export const replaceWords = (replace: { find: string; matchCase: boolean; replaceWith: string } & ReplaceTargets) =>
  call('POST', '/api/replacements', { body: replace })
export const undoReplacing = ({ changed, caseStudies }: Replaced) =>
  call('POST', '/api/replacements/undo', { body: { changed, caseStudies: caseStudies.changed } })

/** The last batch change of an exam's questions and its undo. It survives navigation, until the next change. */
type Undo = { readonly examId: string; readonly said: string; readonly run: () => Promise<unknown> }

let last: Undo | null = null
const listeners = new Set<() => void>()

export function offerUndo(undo: Undo | null): void {
  last = undo
  for (const listener of listeners) listener()
}

export function useUndo(examId: string): Undo | null {
  const undo = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => last,
    () => null,
  )
  return undo?.examId === examId ? undo : null
}

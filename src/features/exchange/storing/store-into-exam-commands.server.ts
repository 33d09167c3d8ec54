import type { Db } from '../../../db/open.server.ts'
import { getCurrentExam } from '../../authoring/drafts/drafts-queries.server.ts'
import type { StoredImport } from '../imports/imports.schema.ts'
import { storeInDraft, toStoredImport, verdictsOf, type StoreRequest } from './import-parts-commands.server.ts'
import { listChangedByFamily, listPlacesByExam } from './store-import-queries.server.ts'

/** Stores new questions, and changed ones that this exam holds, in the draft of an existing exam. */
export async function storeIntoExam(tx: Db, request: StoreRequest, examId: string): Promise<StoredImport> {
  const { familyId, courseId } = await getCurrentExam(tx, examId)
  const added = await listPlacesByExam(tx, { importId: request.importId, verdicts: verdictsOf(request) })
  const changed = await listChangedByFamily(tx, request.importId)
  const places = [...added, ...changed.filter((group) => group.familyId === familyId)].flatMap((group) => group.places)
  return toStoredImport(places.length === 0 ? [] : [await storeInDraft(tx, request, familyId, places)], courseId)
}

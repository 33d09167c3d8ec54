import type { Db } from '../../../db/open.server.ts'
import { lockExams } from '../../catalogue/exam-locks-commands.server.ts'
import type { ReadExam, StoredImport } from '../imports/imports.schema.ts'
import {
  storeInDraft,
  toStoredImport,
  verdictsOf,
  type StoredExam,
  type StoreRequest,
} from './import-parts-commands.server.ts'
import { findFamilyBySlug, listChangedByFamily, listPlacesByExam } from './store-import-queries.server.ts'

/** Stores changed questions in the exams that hold them, and new ones in the exam whose slug the file names. */
export async function storeIntoHoldingExams(
  tx: Db,
  request: StoreRequest,
  exams: readonly ReadExam[],
): Promise<StoredImport> {
  const { importId } = request
  const byFamily = new Map<string, number[]>()
  const add = (familyId: string, places: readonly number[]) =>
    byFamily.set(familyId, [...(byFamily.get(familyId) ?? []), ...places])
  for (const { familyId, places } of await listChangedByFamily(tx, importId)) add(familyId, places)
  for (const { examPlace, places } of await listPlacesByExam(tx, { importId, verdicts: verdictsOf(request) })) {
    const slug = exams[examPlace - 1]?.facts.slug
    const familyId = slug === undefined ? null : await findFamilyBySlug(tx, slug)
    if (familyId !== null) add(familyId, places)
  }
  const stored: StoredExam[] = []
  await lockExams(tx, [...byFamily.keys()])
  for (const [familyId, places] of [...byFamily].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    stored.push(await storeInDraft(tx, request, familyId, places))
  return toStoredImport(stored, null)
}

import { sql } from 'kysely'
import type { Db } from '../../../../../db/open.server.ts'
import { Failure, fill } from '../../../../../lib/failure.ts'
import type { PersonId } from '../../../../../lib/ids.ts'
import { keepPicture } from '../../../../catalogue/pictures/write.server.ts'
import { PICTURE_SCHEME, picturesShownBy, withAddresses } from '../../../../questions/formats/pictures.ts'
import { judgeQuestion, toStored } from '../../../../questions/rules.ts'
import { StoredQuestion } from '../../../../questions/schema.ts'
import { copy } from '../../copy.ts'

/** Null: somebody at the shell of the server. */
type Store = { readonly actorId: PersonId | null; readonly now: Date; readonly importId: string }

/** Pictures that come with questions go into the store of pictures, and the texts show them by their address there. */
export async function keepPicturesOf(tx: Db, store: Store): Promise<void> {
  const { rows } = await sql<{ place: number; question: unknown; lost: string[] }>`
    select place, question, lost from import_questions
    where import_id = ${store.importId} and fate = 'open' and strpos(question::text, ${`](${PICTURE_SCHEME}`}) > 0
    order by place`.execute(tx)
  const addresses = new Map<string, string>()
  for (const row of rows) {
    const stored = StoredQuestion.parse(row.question)
    const lost = [...row.lost]
    const texts = Object.values(stored).filter((text) => typeof text === 'string')
    for (const address of picturesShownBy(texts))
      if (address.startsWith(PICTURE_SCHEME) && !addresses.has(address))
        addresses.set(address, await keepOne(tx, store, address, lost))
    const shown = Object.fromEntries(
      Object.entries(stored).map(([name, value]) => [
        name,
        typeof value === 'string' ? withAddresses(value, (address) => addresses.get(address)) : value,
      ]),
    )
    const { question } = judgeQuestion(shown)
    if (question === undefined) continue
    const needsReview = stored.needs_review || lost.length > row.lost.length
    await sql`
      update import_questions
      set question = ${JSON.stringify(toStored({ ...question, needsReview }))}::jsonb, lost = ${JSON.stringify(lost)}::jsonb
      where import_id = ${store.importId} and place = ${row.place}`.execute(tx)
  }
}

/** The address of a picture; of one that can't be kept, a name that leads nowhere. */
async function keepOne(tx: Db, store: Store, address: string, lost: string[]): Promise<string> {
  const hash = address.slice(PICTURE_SCHEME.length)
  const row = await tx
    .selectFrom('import_pictures')
    .where('import_id', '=', store.importId)
    .where('hash', '=', hash)
    .select('bytes')
    .executeTakeFirst()
  try {
    if (row !== undefined) {
      const { address: kept, isStill } = await keepPicture(tx, row.bytes, store)
      if (!isStill) lost.push(fill(copy['import.picture-moves'], { name: hash.slice(0, 8) }))
      return kept
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    lost.push(fill(copy['import.picture-left'], { name: hash.slice(0, 8), why: error.message }))
  }
  return `missing-${hash.slice(0, 8)}`
}

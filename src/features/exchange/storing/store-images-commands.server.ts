import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import { Failure, fill } from '../../../lib/failure.ts'
import type { UserId } from '../../../lib/ids.ts'
import { storeImage } from '../../catalogue/images/images-commands.server.ts'
import { IMAGE_SCHEME, imagesShownBy, withAddresses } from '../../questions/formats/bank-images.ts'
import { judgeQuestion, toStored } from '../../questions/questions.ts'
import { StoredQuestion } from '../../questions/questions.schema.ts'
import { copy } from '../imports/imports.copy.ts'

/** Null: somebody at the shell of the server. */
type Store = { readonly actorId: UserId | null; readonly now: Date; readonly importId: string }

/** Pictures that come with questions go into the store of pictures, and the texts show them by their address there. */
export async function storeImagesOf(tx: Db, store: Store): Promise<void> {
  const { rows } = await sql<{ place: number; question: unknown; lost: string[] }>`
    select place, question, lost from import_questions
    where import_id = ${store.importId} and outcome = 'open' and strpos(question::text, ${`](${IMAGE_SCHEME}`}) > 0
    order by place`.execute(tx)
  const addresses = new Map<string, string>()
  for (const row of rows) {
    const stored = StoredQuestion.parse(row.question)
    const lost = [...row.lost]
    const texts = Object.values(stored).filter((text) => typeof text === 'string')
    for (const address of imagesShownBy(texts))
      if (address.startsWith(IMAGE_SCHEME) && !addresses.has(address))
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
  const hash = address.slice(IMAGE_SCHEME.length)
  const row = await tx
    .selectFrom('import_images')
    .where('import_id', '=', store.importId)
    .where('hash', '=', hash)
    .select('bytes')
    .executeTakeFirst()
  try {
    if (row !== undefined) {
      const { address: kept, isStill } = await storeImage(tx, row.bytes, store)
      if (!isStill) lost.push(fill(copy['import.picture-moves'], { name: hash.slice(0, 8) }))
      return kept
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    lost.push(fill(copy['import.picture-left'], { name: hash.slice(0, 8), why: error.message }))
  }
  return `missing-${hash.slice(0, 8)}`
}

import { fromStored, textsOf, toStored, withTexts } from '../../questions/types/content-registry.ts'
import { caseStudyTexts, withCaseStudyTexts } from '../../questions/case-studies/case-studies.ts'
import type { CaseStudy } from '../../questions/case-studies/case-study.schema.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.server.ts'
import { Failure } from '../../../lib/failure.ts'
import { storeImageOfFile } from '../../catalogue/images/images-commands.server.ts'
import { IMAGE_SCHEME, imagesShownBy, withAddresses } from '../../questions/image-addresses.ts'
import type { LostImage } from '../imports/stored-lost.schema.ts'
import type { ImportAction } from './import-parts-commands.server.ts'

/** Moves the images of the open questions into the image store and points the texts at their addresses there. */
export async function storeImages(tx: Db, by: ImportAction): Promise<void> {
  const { rows } = await sql<{ place: number; question: unknown; lost: unknown[] }>`
    select place, question, lost from import_questions
    where import_id = ${by.importId} and outcome = 'open' and strpos(question::text, ${`](${IMAGE_SCHEME}`}) > 0
    order by place`.execute(tx)
  const addresses = new Map<string, string>()
  for (const row of rows) {
    const question = fromStored(row.question)
    const lost: LostImage[] = []
    for (const address of imagesShownBy(textsOf(question)))
      if (address.startsWith(IMAGE_SCHEME) && !addresses.has(address))
        addresses.set(address, await storeAtAddress(tx, by, address, lost))
    const shown = withTexts(question, (text) => withAddresses(text, (address) => addresses.get(address)))
    const needsReview = question.needsReview || lost.length > 0
    await sql`
      update import_questions
      set question = ${JSON.stringify(toStored({ ...shown, needsReview }))}::jsonb, lost = ${JSON.stringify([...row.lost, ...lost])}::jsonb
      where import_id = ${by.importId} and place = ${row.place}`.execute(tx)
  }
}

/**
 * A case study of an import with its images in the image store. What is lost is told at its first question, at this place of the
 * import, which then needs review.
 */
export async function withStoredImages(
  tx: Db,
  by: ImportAction,
  of: { readonly caseStudy: CaseStudy; readonly place: number },
): Promise<CaseStudy> {
  const { caseStudy, place } = of
  const addresses = new Map<string, string>()
  const lost: LostImage[] = []
  for (const address of imagesShownBy(caseStudyTexts(caseStudy)))
    if (address.startsWith(IMAGE_SCHEME)) addresses.set(address, await storeAtAddress(tx, by, address, lost))
  const told = lost.map((one) => ({ ...one, caseStudy: caseStudy.title }))
  if (told.length > 0)
    await sql`
      update import_questions
      set lost = lost || ${JSON.stringify(told)}::jsonb,
        question = jsonb_set(question, '{needsReview}', 'true')
      where import_id = ${by.importId} and place = ${place}`.execute(tx)
  return withCaseStudyTexts(caseStudy, (text) => withAddresses(text, (address) => addresses.get(address)))
}

/** The address of the stored image. An image that cannot be stored is added to `lost` and gets an address that leads nowhere. */
async function storeAtAddress(tx: Db, by: ImportAction, address: string, lost: LostImage[]): Promise<string> {
  const hash = address.slice(IMAGE_SCHEME.length)
  const name = hash.slice(0, 8)
  const row = await tx
    .selectFrom('import_images')
    .where('import_id', '=', by.importId)
    .where('hash', '=', hash)
    .select('bytes')
    .executeTakeFirst()
  try {
    if (row !== undefined) {
      const image = await storeImageOfFile(tx, row.bytes, by)
      if (!image.isStill) lost.push({ code: 'image-animated', name })
      return image.address
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    lost.push({ code: 'image-refused', name, failure: error.code })
  }
  return `missing-${name}`
}

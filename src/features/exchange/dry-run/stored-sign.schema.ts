import { z } from 'zod'
import { IMPORT_FORMATS } from '../../questions/formats/formats.schema.ts'

/** By which sign a file was recognized, where it stands, and the formats that the file resembles. */
const Sign = z.object({
  /** A format by whose sign the file was recognized; null if none fits, or an admin chose the format. */
  sign: z.string().nullable(),
  /** The file with the sign; empty where earlier builds did not store it. */
  file: z.string(),
  line: z.int().nullable(),
  nearest: z.array(z.enum(IMPORT_FORMATS)),
})
export type StoredSign = z.infer<typeof Sign>

/** The column holds JSON. Earlier builds stored the name of the format or a sentence. */
export function readSign(stored: string | null): StoredSign {
  if (stored?.startsWith('{') !== true) return { sign: stored, file: '', line: null, nearest: [] }
  return Sign.parse(JSON.parse(stored))
}

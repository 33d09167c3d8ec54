import { SaxesParser } from 'saxes'

type Fields = ReadonlyMap<string, string>

/** The texts in an XML reply: those directly below the root, and those of each element with the name of a record. */
export type S3Reply = { readonly root: string; readonly fields: Fields; readonly records: readonly Fields[] }

/** Reads what a proxy sent instead of the service as an empty reply. */
export function readReply(xml: string, record = ''): S3Reply {
  const parser = new SaxesParser()
  const [path, fields, records]: [string[], Map<string, string>, Map<string, string>[]] = [[], new Map(), []]
  let root = ''
  let text = ''
  parser.on('opentag', ({ name }) => {
    if (path.length === 0) root = name
    if (path.length === 1 && name === record) records.push(new Map())
    path.push(name)
    text = ''
  })
  parser.on('text', (more) => (text += more))
  parser.on('closetag', ({ name }) => {
    if (path.length === 2) fields.set(name, text)
    if (path.length === 3 && path[1] === record) records.at(-1)?.set(name, text)
    path.pop()
    text = ''
  })
  let isBroken = false
  parser.on('error', () => (isBroken = true))
  parser.write(xml).close()
  return isBroken ? { root: '', fields: new Map(), records: [] } : { root, fields, records }
}

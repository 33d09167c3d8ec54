import { strToU8 } from 'fflate'
import { reason, withReasons } from '../rules.ts'
import { keyTakenSentence } from './copy.ts'
import { keyTaken, type Reading } from './found.ts'
import { parseExamMarkdown, printExamMarkdown, type QuestionInFile } from './markdown.ts'
import { isPathAmongFiles, PICTURE_SCHEME, resolvePath, shownPictures, takePicture, withAddresses } from './pictures.ts'
import type { BroughtPicture, ExamToWrite, ReadStep, WrittenFile } from './schema.ts'

/** Reads our own Markdown (docs/content-format.md), with the pictures that lie beside it. */
export function* readOwnMarkdown(file: string, text: string, reading: Reading): Generator<ReadStep> {
  const pictures: BroughtPicture[] = []
  const withPictures = withAddresses(text, (address) => {
    const path = isPathAmongFiles(address) ? resolvePath(file, address) : ''
    const picture = reading.files.get(path)
    if (!picture) return undefined
    reading.used.add(path)
    return takePicture(pictures, path.split('/').at(-1) ?? path, picture.bytes)
  })
  const { exam, findings, questions } = parseExamMarkdown(withPictures, file)
  yield { kind: 'exam', file, facts: exam }
  for (const finding of findings) yield { kind: 'finding', finding }
  for (const question of questions) yield questionOf(question, { file, pictures, reading })
}

export function writeMarkdown(exam: ExamToWrite, path: string): WrittenFile[] {
  const shown = new Map([...exam.pictures].map(([address, picture]) => [address, `pictures/${picture.name}`]))
  const text = withAddresses(printExamMarkdown(exam.facts, exam.questions), (address) => shown.get(address))
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : ''
  const pictures = [...exam.pictures.values()].map(({ name, bytes }) => ({ path: `${folder}pictures/${name}`, bytes }))
  return [{ path, bytes: strToU8(text) }, ...pictures]
}

function questionOf(
  read: QuestionInFile,
  { file, pictures, reading }: { file: string; pictures: BroughtPicture[]; reading: Reading },
): ReadStep {
  const { key, line, input, ...judgement } = read
  const texts = Object.values(input).filter((value) => typeof value === 'string')
  const shown = new Set(texts.flatMap(shownPictures))
  const reasons = [...shown]
    .filter(isPathAmongFiles)
    .map((address) => reason('picture-missing', 'question', address, line))
  const earlier = reading.taken.get(key)
  // A key that was used before in the same file is refused already.
  if (earlier !== undefined && !judgement.reasons.some(({ code }) => code === 'key-taken'))
    reasons.push(keyTaken(key, line, keyTakenSentence(key, earlier)))
  if (earlier === undefined) reading.taken.set(key, `${file}, line ${line}`)
  return {
    kind: 'question',
    question: {
      ...withReasons(judgement, reasons),
      file,
      line,
      key,
      input,
      lost: [],
      pictures: pictures.filter(({ name }) => shown.has(PICTURE_SCHEME + name)),
    },
  }
}

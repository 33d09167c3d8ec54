import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Drawing, redraw } from '../../features/catalogue/images/drawings.ts'
import { isPathAmongFiles } from '../../features/questions/formats/bank-images.ts'
import { shownImages, withAddresses } from '../../features/questions/image-addresses.ts'
import { type FileFinding, fileFinding } from '../../features/questions/formats/formats.schema.ts'

/** The folder of a course's drawings, beside its exams. Their texts show them as `![description](images/<name>.svg)`. */
const FOLDER = 'images'

/** The drawings of a course by their path in its folder, null for a refused one, and the paths that its texts show. */
export interface CourseImages {
  drawings: ReadonlyMap<string, Drawing | null>
  shown: Set<string>
}

export async function readCourseImages(dir: string): Promise<{ images: CourseImages; findings: FileFinding[] }> {
  const drawings = new Map<string, Drawing | null>()
  const findings: FileFinding[] = []
  for (const name of await listFiles(join(dir, FOLDER))) {
    const file = join(dir, FOLDER, name)
    const drawing = /^[\w.-]+\.svg$/.test(name)
      ? redraw(await readFile(file))
      : { refused: 'a course holds its pictures as SVG, under a name of letters, digits, dots and hyphens' }
    const isRefused = 'refused' in drawing
    if (isRefused) findings.push(fileFinding('picture-refused', { file, about: drawing.refused }))
    drawings.set(`${FOLDER}/${name}`, isRefused ? null : drawing)
  }
  return { images: { drawings, shown: new Set() }, findings }
}

async function listFiles(dir: string): Promise<string[]> {
  try {
    return (await readdir(dir)).filter((name) => !name.startsWith('.')).sort()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** The text of an exam, with the addresses at which the drawings are stored. */
export function withStoredAddresses(text: string, { drawings, shown }: CourseImages): string {
  return withAddresses(text, (path) => {
    if (drawings.has(path)) shown.add(path)
    return drawings.get(path)?.address
  })
}

/** The image paths in the texts for which there is no file. */
export function missingImages(texts: string[], { drawings }: CourseImages): string[] {
  const paths = new Set(texts.flatMap(shownImages).filter(isPathAmongFiles))
  return [...paths].filter((path) => !drawings.has(path))
}

export function unusedImages(dir: string, { drawings, shown }: CourseImages): FileFinding[] {
  return [...drawings.keys()]
    .filter((path) => !shown.has(path))
    .map((path) => fileFinding('picture-unused', { file: join(dir, path), severity: 'warning' }))
}

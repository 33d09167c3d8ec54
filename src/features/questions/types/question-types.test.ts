import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { projectRoot } from '../../../platform/project-root.server.ts'
import { partNames } from './question-edit.copy.ts'
import { checkKinds } from '../checks/bank-checks.copy.ts'
import { reasonKinds } from '../questions.copy.ts'
import { Question } from './question-types.schema.ts'

/*
 * A type of question is its folder. Everything else asks a registry and names no type, so that another type changes no other file.
 */
const types = Question.options.map((option) => option.shape.type.value)
const home = join('src', 'features', 'questions', 'types')

/** Source files outside the types' home, without tests. */
function sources(): string[] {
  return readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => join('src', path))
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|fixture)\.tsx?$/.test(path) && !path.startsWith(home))
}

/** The places where a file names a type: an import from its folder, or its name as a literal. */
function namings(path: string, code: string): string[] {
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) {
      const target = node.text.startsWith('.') ? normalize(join(dirname(path), node.text)) : ''
      const isFromFolder = types.some((type) => target.startsWith(join(home, type, '/')))
      if (isFromFolder || types.some((type) => type === node.text)) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart())
        found.push(`${path}:${line + 1}: ${node.text}`)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

test('no file outside questions/types names a type of question', () => {
  const files = sources()
  expect(files.length).toBeGreaterThan(500)
  expect(files.flatMap((path) => namings(path, readFileSync(join(projectRoot, path), 'utf8')))).toEqual([])
})

test('what a type brings of its own, no other type and no shared list has', async () => {
  const all: readonly object[] = [reasonKinds, checkKinds, partNames]
  const isKnown = ([code, kind]: [string, unknown]) =>
    all.some((list) => Object.entries(list).some(([one, its]) => one === code && its === kind))
  const brought: string[] = []
  for (const type of types) {
    for (const name of ['findings', 'edit']) {
      const lists = (await import(`./${type}/${type}-${name}.copy.ts`)) as Record<string, object>
      const own = Object.entries(lists).filter(([list]) => /_(?:REASONS|REMARKS|PARTS)$/.test(list))
      const entries = own.flatMap(([, kinds]) => Object.entries(kinds) as [string, unknown][])
      expect(entries.filter((entry) => !isKnown(entry))).toEqual([])
      brought.push(...entries.map(([code]) => code))
    }
  }
  expect(brought.length).toBeGreaterThan(30)
  expect(brought.filter((code, place) => brought.indexOf(code) !== place)).toEqual([])
})

test('an import from the folder of a type, a comparison and an assignment are found', () => {
  const path = join('src', 'features', 'study', 'study.ts')
  const code = `
    import { rightOptionIds } from '../questions/types/choice/choice-grading.ts'
    const isChoice = question.type === 'choice'
    const answer = { type: 'choice', optionIds: [] }
    const other = 'choices'`
  expect(namings(path, code)).toHaveLength(3)
})

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export type FixtureExam = {
  readonly slug: string
  readonly title?: string
  /** The stem of each question by its key. */
  readonly questions: Readonly<Record<string, string>>
  /** Further facts of each question by its key, as lines. */
  readonly facts?: Readonly<Record<string, string>>
  /** The text of the one tab of a case study, which the first two questions name. */
  readonly scenario?: string
}

export type FixtureCourse = {
  readonly slug: string
  readonly description?: string
  readonly price?: string
  readonly exams: readonly FixtureExam[]
  /** The text of each study sheet by its domain. */
  readonly sheets?: Readonly<Record<string, string>>
  /** SVG by name. */
  readonly images?: Readonly<Record<string, string>>
}

/** A folder in the form of `content/`, removed after the test. */
export async function aContentFolder(courses: readonly FixtureCourse[]): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'altocert-catalogue-'))
  onTestFinished(() => rm(root, { recursive: true }))
  for (const { slug, description = 'What it is.', price = '19.99', exams, sheets = {}, images = {} } of courses) {
    await mkdir(join(root, slug))
    await writeFile(
      join(root, slug, 'course.md'),
      `---\ntitle: Course ${slug}\ncategory: associate\nprice: ${price}\n---\n\n${description}\n`,
    )
    await mkdir(join(root, slug, 'study'))
    for (const [place, [domain, text]] of Object.entries(sheets).entries())
      await writeFile(
        join(root, slug, 'study', `${place + 1}-${domain.toLowerCase()}.md`),
        sheetFile(domain, place + 1, text),
      )
    await mkdir(join(root, slug, 'images'))
    for (const [name, svg] of Object.entries(images)) await writeFile(join(root, slug, 'images', name), svg)
    for (const [place, exam] of exams.entries())
      await writeFile(join(root, slug, `${exam.slug}.md`), examFile(exam, place + 1))
  }
  return root
}

function examFile(
  { slug, title = 'Practice Exam', questions, facts = {}, scenario }: FixtureExam,
  order: number,
): string {
  const head = `---\ntitle: ${title}\nslug: ${slug}\norder: ${order}\ntime_limit: 90\npassing_score: 70\n---\n`
  const named = scenario === undefined ? '' : '\ncase_study: claims\n'
  const shared = scenario === undefined ? '' : `\n# claims\n\ntitle: Claims\n\n### Situation\n\n${scenario}\n`
  const body = Object.entries(questions).map(
    ([key, stem], place) =>
      `\n## ${key}\n\n${stem}\n\n- [x] This of ${key}\n- [ ] That of ${key}\n${place < 2 ? named : ''}${facts[key] ?? ''}\n### Explanation\n\nBecause of ${key}.\n`,
  )
  return head + shared + body.join('')
}

function sheetFile(domain: string, order: number, text: string): string {
  const source = 'https://docs.example.com/page'
  return `---\ndomain: ${domain}\norder: ${order}\nguide: NET-1\nsources:\n  - ${source}\n---\n\n## What the domain asks\n\n${text}\n`
}

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { checkBank } from '../../features/questions/checks/bank-checks.ts'
import { readContent } from './content.server.ts'

const course = `---
title: AWS Certified Cloud Practitioner
category: practitioner
price: 19.99
---

What the course is.
`

function anExam({ slug = 'clf-1', order = 1, questions = ['clf-1-001'] } = {}): string {
  const head = `---\ntitle: Exam\nslug: ${slug}\norder: ${order}\ntime_limit: 90\npassing_score: 70\n---\n`
  const body = questions.map(
    (key) => `\n## ${key}\n\nWhich?\n\n- [x] This\n- [ ] That\n\n### Explanation\n\nBecause.\n`,
  )
  return head + body.join('')
}

async function aTree(files: Record<string, string | Uint8Array>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'altocert-content-'))
  onTestFinished(() => rm(root, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), content)
  }
  return root
}

test('a folder of content becomes courses by slug, with exams in order and the line of every question', async () => {
  const root = await aTree({
    'README.md': 'no course',
    'b-course/course.md': course.replace('Practitioner', 'Other'),
    'a-course/course.md': course,
    'a-course/a-late.md': anExam({ slug: 'late', order: 2, questions: ['x-1', 'x-2'] }),
    'a-course/b-early.md': anExam({ slug: 'early', order: 1 }),
    'a-course/notes.txt': 'no exam',
    '.git/course.md': 'no course',
  })
  const { courses, findings } = await readContent(root)
  expect(findings).toEqual([])
  expect(courses).toMatchObject([
    {
      slug: 'a-course',
      title: 'AWS Certified Cloud Practitioner',
      category: 'practitioner',
      priceCents: 1999,
      blueprint: null,
      description: 'What the course is.',
      file: join(root, 'a-course/course.md'),
      exams: [
        { slug: 'early', order: 1, timeLimitMinutes: 90, passingScore: 70, isFreeTrial: false },
        {
          slug: 'late',
          order: 2,
          file: join(root, 'a-course/a-late.md'),
          questions: [
            { line: 9, question: { id: 'x-1' } },
            { line: 20, question: { id: 'x-2' } },
          ],
        },
      ],
    },
    { slug: 'b-course', title: 'AWS Certified Cloud Other', exams: [] },
  ])
})

test('an unreadable part becomes a finding with file and line, and the rest is read', async () => {
  const root = await aTree({
    'clf/course.md': course,
    'clf/good.md': anExam({ questions: ['good'] }).replace('Because.', ''),
    'clf/broken.md': anExam({ slug: 'broken', questions: ['bad', 'fine'] }).replace('- [x] This\n', ''),
    'clf/latin.md': Uint8Array.from([0x23, 0xfc, 0x0a]),
    'No Slug/course.md': course,
    'saa/exam.md': anExam({ slug: 'saa-1', questions: ['orphan'] }),
    'dva/course.md': course.replace('19.99', 'free'),
    'empty/notes.txt': '',
  })
  await mkdir(join(root, 'clf/folder.md'))
  const { courses, findings } = await readContent(root)
  expect(
    courses.map(({ slug, exams }) => [slug, exams.map((exam) => exam.questions.map(({ question }) => question.id))]),
  ).toEqual([
    ['No Slug', []],
    ['clf', [['fine'], ['good']]],
  ])
  expect(
    findings.map(({ file, line, code, severity, questionId }) => [
      file?.slice(root.length),
      line,
      code,
      severity,
      questionId,
    ]),
  ).toEqual([
    ['/No Slug', 1, 'folder-name', 'error', ''],
    ['/clf/broken.md', 9, 'answer-empty', 'error', 'bad'],
    ['/clf/broken.md', 9, 'right-answer-missing', 'error', 'bad'],
    ['/clf/folder.md', 1, 'file-unreadable', 'error', ''],
    ['/clf/latin.md', 1, 'file-unreadable', 'error', ''],
    ['/dva/course.md', 4, 'field-wrong', 'error', ''],
    ['/saa/course.md', 1, 'course-file-missing', 'error', ''],
  ])
})

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="9" height="9"/></svg>'

test('a course holds its drawings beside its exams, and texts show them at the address where they are stored', async () => {
  const root = await aTree({
    'clf/course.md': course,
    'clf/exam.md': anExam().replace('Because.', 'Because.\n\n![A square](images/square.svg)'),
    'clf/images/square.svg': drawing,
  })
  const { courses, findings } = await readContent(root)
  expect(findings).toEqual([])
  const [{ drawings, exams } = { drawings: [], exams: [] }] = courses
  expect(drawings).toMatchObject([
    { width: 40, height: 20, address: expect.stringMatching(/^\/pictures\/\w{64}\.svg$/) },
  ])
  const explanation = `Because.\n\n![A square](${drawings[0]?.address})`
  expect(exams).toMatchObject([{ questions: [{ question: { explanation } }] }])
})

test('a drawing that is missing, unused or unsafe is found, and so is a picture of another kind', async () => {
  const shown = ['away', 'unsafe', 'square'].map((name) => `![A ${name}](images/${name}.svg)`).join('\n\n')
  const root = await aTree({
    'clf/course.md': course,
    'clf/exam.md': anExam().replace('Because.', `Because.\n\n${shown}\n\n![A photo](images/photo.png)`),
    'clf/images/square.svg': drawing,
    'clf/images/unsafe.svg': drawing.replace('<rect', '<rect onclick="alert(1)"'),
    'clf/images/photo.png': Uint8Array.from([0x89, 0x50, 0x4e, 0x47]),
    'clf/images/unused.svg': drawing.replace('40 20', '20 40'),
  })
  const { findings } = await readContent(root)
  expect(findings.map(({ file, line, code, sentence }) => [file?.slice(root.length), line, code, sentence])).toEqual([
    ['/clf/exam.md', 9, 'picture-missing', 'A text shows the picture "images/away.svg", which is not among the files.'],
    [
      '/clf/images/photo.png',
      1,
      'picture-refused',
      'The picture was refused: a course holds its pictures as SVG, under a name of letters, digits, dots and hyphens.',
    ],
    ['/clf/images/unsafe.svg', 1, 'picture-refused', 'The picture was refused: it has the attribute onclick.'],
    ['/clf/images/unused.svg', 1, 'picture-unused', 'No text shows this picture.'],
  ])
})

test('the demo catalogue has no findings', async () => {
  const { courses, findings } = await readContent(fileURLToPath(new URL('../../../content', import.meta.url)))
  expect([...findings, ...checkBank(courses, { wantsDifficulty: true })]).toEqual([])
  expect(courses).toHaveLength(12)
  expect(courses.filter(({ exams }) => !exams.some(({ isFreeTrial }) => isFreeTrial))).toEqual([])
})

const sheetSections = [
  'What the domain asks',
  'Services and what each is for',
  'Limits worth knowing',
  'Which one, when',
  'Traps',
]

function aSheet({
  domain = 'Cloud Concepts',
  order = 1,
  words = 700,
  sections = sheetSections,
  source = 'https://docs.example.com/a',
} = {}) {
  const head = `---\ndomain: ${domain}\norder: ${order}\nguide: CLF-C02 1.0\nverified_on: 2026-11-22\nsources:\n  - ${source}\n---\n`
  const each = 'word '.repeat(words / sections.length).trim()
  return head + sections.map((title) => `\n## ${title}\n\n${each}\n`).join('')
}

const blueprint = `blueprint:
  code: CLF-C02
  minutes: 90
  questions: 65
  passing_score: 700
  source: https://aws.amazon.com/certification/
  domains:
    - { name: Cloud Concepts, weight: 60 }
    - { name: Billing, weight: 40 }
`

test('study sheets belong to their course, in the order of its domains', async () => {
  const root = await aTree({
    'a/course.md': course.replace('price:', `${blueprint}price:`),
    'a/exam.md': anExam(),
    'a/study/2-billing.md': aSheet({ domain: 'Billing', order: 2 }),
    'a/study/1-cloud-concepts.md': aSheet(),
  })
  const { courses, findings } = await readContent(root)
  expect(findings).toEqual([])
  expect(courses[0]?.sheets).toMatchObject([
    { slug: 'cloud-concepts', domain: 'Cloud Concepts', guide: 'CLF-C02 1.0', verifiedOn: '2026-11-22' },
    { slug: 'billing', order: 2, sources: ['https://docs.example.com/a'] },
  ])
})

test('a study sheet with wrong sections, sources, domain, name or length is found, and a domain without one', async () => {
  const root = await aTree({
    'a/course.md': course.replace('price:', `${blueprint}price:`),
    'a/exam.md': anExam(),
    'a/study/1-other.md': aSheet({
      words: 100,
      sections: sheetSections.toReversed(),
      source: 'https://docs.example.com/',
    }),
    'a/study/2-x.md': aSheet({ domain: 'X', order: 2, source: 'http://docs.example.com/a' }),
  })
  const { findings } = await readContent(root)
  expect(findings.map(({ code, severity }) => `${severity} ${code}`).sort()).toEqual([
    'error field-wrong',
    'error sheet-domain',
    'error sheet-name',
    'error sheet-sections',
    'error sheet-source',
    'warning sheet-missing',
    'warning sheet-words',
  ])
})

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runAltocert } from './altocert.server.ts'

const course = `---
title: AWS Certified Cloud Practitioner
category: practitioner
price: 19.99
blueprint:
  code: CLF-C02
  minutes: 90
  questions: 65
  passing_score: 700
  source: https://aws.amazon.com/certification/
  domains:
    - { name: Cloud Concepts, weight: 100 }
---
`

const exam = `---
title: Practice Exam 1
slug: clf-practice-exam-1
order: 1
time_limit: 90
passing_score: 70
---

## clf-1-001

Which service keeps objects?

- [x] Amazon S3
- [ ] AWS Lambda

domain: Cloud Concepts
difficulty: easy
url: https://docs.aws.amazon.com/s3/

### Explanation

Amazon S3 keeps objects; AWS Lambda runs code.
`

async function aFolder(examText: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'altocert-check-'))
  onTestFinished(() => rm(root, { recursive: true }))
  await mkdir(join(root, 'clf'))
  await writeFile(join(root, 'clf/course.md'), course)
  await writeFile(join(root, 'clf/exam.md'), examText)
  return root
}

async function run(...args: string[]): Promise<{ code: number; printed: string; complained: string }> {
  const printed: string[] = []
  const complained: string[] = []
  const code = await runAltocert(args, {
    print: (text) => void printed.push(text),
    complain: (text) => void complained.push(text),
  })
  return { code, printed: printed.join('\n'), complained: complained.join('\n') }
}

test('a clean tree is counted and ends with 0', async () => {
  const { code, printed, complained } = await run('check', await aFolder(exam))
  expect(code).toBe(0)
  expect(complained).toBe('')
  expect(printed).toMatchInlineSnapshot(`
    "                               questions    single  multiple      easy    medium      hard      none
    clf                                    1         1         0         1         0         0         0
      clf-practice-exam-1                  1         1         0         1         0         0         0
           1  100.0 % of 100 %  Cloud Concepts
    1 courses, 1 exams                     1         1         0         1         0         0         0

    No findings."
  `)
})

test('a finding is printed with file and line, and ends with 1', async () => {
  const root = await aFolder(exam.replace('AWS Lambda runs', 'option B runs'))
  const { code, printed } = await run('check', root)
  expect(code).toBe(1)
  expect(printed.replaceAll(root, '').split('\n').slice(-2)).toEqual([
    '/clf/exam.md:9: error explanation-names-place clf-1-001: The explanation names an answer by its place ("option B"), and places change.',
    '1 errors, 0 warnings.',
  ])
})

test('with --json counts and findings are one object', async () => {
  const { code, printed } = await run('check', '--json', await aFolder(exam.replace('difficulty: easy\n', '')))
  expect(code).toBe(1)
  expect(JSON.parse(printed)).toMatchObject({
    total: {
      questions: 1,
      kinds: { single: 1, multiple: 0 },
      difficulties: { none: 1 },
      domains: { 'Cloud Concepts': 1 },
    },
    courses: [{ slug: 'clf', questions: 1, examList: [{ slug: 'clf-practice-exam-1', questions: 1 }] }],
    findings: [{ code: 'difficulty-missing', severity: 'warning', questionId: 'clf-1-001', line: 9 }],
  })
})

test('a wrong call ends with 2 and says how it is called', async () => {
  for (const args of [
    [],
    ['fly'],
    ['check'],
    ['check', 'a', 'b'],
    ['check', '.', '--fast'],
    ['check', '/nowhere/at/all'],
  ]) {
    const { code, printed, complained } = await run(...args)
    expect([args, code, printed]).toEqual([args, 2, ''])
    expect(complained).toContain('check <folder> [--json]')
  }
})

test('help is no mistake', async () => {
  expect(await run('help')).toMatchObject({ code: 0 })
})

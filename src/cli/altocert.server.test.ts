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

async function run(...args: string[]): Promise<{ code: number; output: string; errors: string }> {
  const output: string[] = []
  const errors: string[] = []
  const code = await runAltocert(args, {
    print: (text) => void output.push(text),
    printError: (text) => void errors.push(text),
  })
  return { code, output: output.join('\n'), errors: errors.join('\n') }
}

test('check counts a folder without findings and exits with 0', async () => {
  const { code, output, errors } = await run('check', await aFolder(exam))
  expect(code).toBe(0)
  expect(errors).toBe('')
  expect(output).toMatchInlineSnapshot(`
    "                               questions    single  multiple      easy    medium      hard      none
    clf                                    1         1         0         1         0         0         0
      clf-practice-exam-1                  1         1         0         1         0         0         0
           1  100.0% of 100%  Cloud Concepts
    1 course, 1 exam                       1         1         0         1         0         0         0

    No findings."
  `)
})

test('check prints a finding with its file and line, and exits with 1', async () => {
  const root = await aFolder(exam.replace('AWS Lambda runs', 'option B runs'))
  const { code, output } = await run('check', root)
  expect(code).toBe(1)
  expect(output.replaceAll(root, '').split('\n').slice(-2)).toEqual([
    '/clf/exam.md:9: error explanation-names-place clf-1-001: The explanation names an answer by its place ("option B"), and places change.',
    '1 error, 0 warnings.',
  ])
})

test('check --json prints counts and findings as one object', async () => {
  const { code, output } = await run('check', '--json', await aFolder(exam.replace('difficulty: easy\n', '')))
  expect(code).toBe(1)
  expect(JSON.parse(output)).toMatchObject({
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

test('wrong usage exits with 2 and prints the usage', async () => {
  for (const args of [
    [],
    ['fly'],
    ['check'],
    ['check', 'a', 'b'],
    ['check', '.', '--fast'],
    ['check', '/nowhere/at/all'],
  ]) {
    const { code, output, errors } = await run(...args)
    expect([args, code, output]).toEqual([args, 2, ''])
    expect(errors).toContain('check <folder> [--json]')
  }
})

test('help exits with 0', async () => {
  expect(await run('help')).toMatchObject({ code: 0 })
})

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runOn } from './altocert.fixture.ts'

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

const run = (...args: string[]) => runOn(null, ...args)

test('check counts a folder without findings and exits with 0', async () => {
  const { code, output, errors } = await run('check', await aFolder(exam))
  expect(code).toBe(0)
  expect(errors).toBe('')
  expect(output).toMatchInlineSnapshot(`
    "                               questions    single  multiple      easy    medium      hard      none  verified
    clf                                    1         1         0         1         0         0         0         0
      clf-practice-exam-1                  1         1         0         1         0         0         0         0
    1 course, 1 exam                       1         1         0         1         0         0         0         0

    Shares, and words of a stem       single  multiple      easy    medium      hard      none    median      100+
    clf                               100.0%      0.0%    100.0%      0.0%      0.0%      0.0%         4      0.0%
           1  100.0% of 100%  Cloud Concepts
      clf-practice-exam-1             100.0%      0.0%    100.0%      0.0%      0.0%      0.0%         4      0.0%
           1  100.0% of 100%  Cloud Concepts
    1 course, 1 exam                  100.0%      0.0%    100.0%      0.0%      0.0%      0.0%         4      0.0%

    Cues for the test-wise         questions  find key    chance
    the longest option                     1      0.0%     50.0%
    the shortest option                    1    100.0%     50.0%
    option A                               1    100.0%     50.0%
    option B                               1      0.0%     50.0%

    Points above chance              longest  shortest         A         B
    clf                                    -         -         -         -
      clf-practice-exam-1                  -         -         -         -
    1 course, 1 exam                       -         -         -         -

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

test('check measures the cues of a file of any format, such as GIFT, and says where it cannot be read', async () => {
  const root = await aFolder(exam)
  const gift = Array.from(
    { length: 100 },
    (_, at) => `::${at}:: Which ${at}? {=A rather long service ${at} ~Short ${at} ~Brief ${at}}`,
  )
  await writeFile(join(root, 'bank.gift'), gift.join('\n\n'))
  const { code, output } = await run('check', join(root, 'bank.gift'))
  expect(code).toBe(1)
  expect(output).toMatch(/^the longest option +100 +100.0% +33.3%$/m)
  expect(output).toContain('warning cue-finds-key')
  await writeFile(join(root, 'notes.txt'), 'Nothing to ask.')
  expect((await run('check', join(root, 'notes.txt'))).output).toContain('error format-unknown')
})

test('check finds that the longest option is the key too often in the whole bank, and shows where', async () => {
  const [head = '', question = ''] = exam.split(/(?=## clf)/)
  const many = Array.from({ length: 100 }, (_, at) =>
    question.replace('clf-1-001', `clf-1-${at}`).replace('Amazon S3', 'Amazon S3 Standard'),
  )
  const { code, output } = await run('check', await aFolder(head + many.join('\n')))
  expect(code).toBe(1)
  expect(output).toContain(
    'all courses: warning cue-finds-key: Whoever picks the longest option finds the key in 100.0% of 100 questions; by chance it is 50.0%.',
  )
  expect(output).toMatch(/^the longest option +100 +100.0% +50.0%$/m)
  expect(output).toMatch(/^ {2}clf-practice-exam-1 +\+50.0 +-50.0 +\+50.0 +-50.0$/m)
})

test('check --json prints counts and findings as one object', async () => {
  const { code, output } = await run('check', '--json', await aFolder(exam.replace('difficulty: easy\n', '')))
  expect(code).toBe(1)
  expect(JSON.parse(output)).toMatchObject({
    total: {
      questions: 1,
      kinds: { single: 1, multiple: 0, ordering: 0, 'hot-spot': 0, matching: 0, numerical: 0, 'short-answer': 0 },
      difficulties: { none: 1 },
      domains: { 'Cloud Concepts': 1 },
      stems: { medianWords: 4, long: 0 },
      shares: {
        kinds: { single: 100, multiple: 0, ordering: 0, 'hot-spot': 0, matching: 0, numerical: 0, 'short-answer': 0 },
        difficulties: { none: 100 },
        domains: [{ name: 'Cloud Concepts', share: 100 }],
        longStems: 0,
      },
      cues: [
        { strategy: 'longest', questions: 1, found: 0, chance: 50 },
        { strategy: 'shortest', questions: 1, found: 100, chance: 50 },
        { strategy: 'place-1', questions: 1, found: 100, chance: 50 },
        { strategy: 'place-2', questions: 1, found: 0, chance: 50 },
      ],
    },
    courses: [
      {
        slug: 'clf',
        questions: 1,
        shares: { domains: [{ name: 'Cloud Concepts', share: 100, weight: 100 }] },
        examList: [{ slug: 'clf-practice-exam-1', questions: 1, cues: [{ strategy: 'longest' }, {}, {}, {}] }],
      },
    ],
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
    expect(errors).toContain('check <folder|file> [--json]')
  }
})

test('help exits with 0', async () => {
  expect(await run('help')).toMatchObject({ code: 0 })
})

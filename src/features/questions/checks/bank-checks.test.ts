import { expect, test } from 'vitest'
import { judgeQuestion } from '../questions.ts'
import type { BankCourse, BankExam } from './bank-checks.schema.ts'
import { checkBank, countQuestions } from './bank-checks.ts'

function anExam(slug: string, ids: string[], changed: object = {}): BankExam {
  const questions = ids.flatMap((id, at) => {
    const { question } = judgeQuestion({
      id,
      question: `Which ${slug} holds ${id}?`,
      answer_a: 'This',
      answer_b: 'That',
      final_answer: 'A',
      explanation: 'This, and not that.',
      domain: 'Cloud Concepts',
      url: 'https://docs.aws.amazon.com/',
      difficulty: 'easy',
      ...changed,
    })
    return question ? [{ question, line: 10 * (at + 1) }] : []
  })
  return { slug, title: `Exam ${slug}`, file: `content/${slug}.md`, questions }
}

function aCourse(slug: string, ...exams: BankExam[]): BankCourse {
  return { slug, title: `Course ${slug}`, blueprint: null, exams }
}

test('a clean bank has no findings', () => {
  expect(checkBank([aCourse('clf', anExam('alpha', ['apple']), anExam('beta', ['pear']))])).toEqual([])
})

test('a finding names its place, its severity and its problem', () => {
  expect(checkBank([aCourse('clf', anExam('alpha', ['apple', 'pear'], { url: '' }))])).toContainEqual({
    code: 'url-missing',
    severity: 'error',
    file: 'content/alpha.md',
    line: 20,
    courseSlug: 'clf',
    examSlug: 'alpha',
    questionId: 'pear',
    facts: [],
    sentence: 'The question has no link to a reference.',
  })
})

test('a key that two questions have is found wherever they are', () => {
  const findings = checkBank([
    aCourse('clf', anExam('alpha', ['apple'])),
    aCourse('saa', anExam('beta', ['pear', 'apple'], { question: undefined }), anExam('gamma', ['apple'])),
  ])
  expect(
    findings.map(({ code, courseSlug, examSlug, line, sentence }) => [code, courseSlug, examSlug, line, sentence]),
  ).toEqual([
    [
      'question-id-twice',
      'saa',
      'gamma',
      10,
      'The key "apple" is also that of a question in "Exam alpha" of "Course clf".',
    ],
  ])
})

test('a slug that two exams have is found wherever they are', () => {
  const findings = checkBank([aCourse('clf', anExam('alpha', ['apple'])), aCourse('saa', anExam('alpha', ['pear']))])
  expect(findings.map(({ code, courseSlug, questionId }) => [code, courseSlug, questionId])).toEqual([
    ['exam-slug-twice', 'saa', ''],
  ])
})

test('questions that contradict each other in two courses are found', () => {
  const same = { question: 'Which service keeps objects for a brewery?' }
  const findings = checkBank([
    aCourse('clf', anExam('alpha', ['apple'], same)),
    aCourse('saa', anExam('beta', ['pear'], { ...same, final_answer: 'B' })),
  ])
  expect(findings.map(({ code, questionId, sentence }) => [code, questionId, sentence])).toEqual([
    ['keys-contradict', 'pear', 'Asks the same as apple in "Exam alpha" of "Course clf", with another right answer.'],
  ])
})

test('a difficulty is missed only when the content is checked', () => {
  const courses = [aCourse('clf', anExam('alpha', ['apple'], { difficulty: '' }))]
  expect(checkBank(courses)).toEqual([])
  expect(checkBank(courses, { wantsDifficulty: true }).map(({ code }) => code)).toEqual(['difficulty-missing'])
})

test('questions are counted by kind, difficulty, domain, length and whether they were verified', () => {
  const exams = [
    anExam('alpha', ['apple', 'pear']),
    anExam('beta', ['plum'], {
      question: 'word '.repeat(100),
      final_answer: 'AB',
      difficulty: '',
      domain: 'Security',
      verified_on: '2026-11-24',
    }),
  ]
  expect(countQuestions(exams)).toEqual({
    exams: 2,
    questions: 3,
    kinds: expect.objectContaining({ single: 2, multiple: 1, ordering: 0 }),
    difficulties: { easy: 2, medium: 0, hard: 0, none: 1 },
    domains: { 'Cloud Concepts': 2, Security: 1 },
    verified: 1,
    stems: { medianWords: 4, long: 1 },
  })
})

test('the texts of a case study are read like stems, and a finding names the tab', () => {
  const tab = (id: string, body: string) => ({ id, title: id, body })
  const caseStudy = {
    id: 'claims',
    title: 'A claims department',
    tabs: [
      tab('Good', 'Letters `<b>` arrive.\n\n![A plan of the office](/pictures/a.webp)'),
      tab('Tag', 'Letters <b>arrive</b>.'),
      tab('Fence', '```json\n{}'),
      tab('Picture', '![](/pictures/a.webp)'),
    ],
  }
  const found = checkBank([aCourse('clf', { ...anExam('alpha', ['apple']), caseStudies: [caseStudy] })])
  expect(found.map(({ code, severity, questionId }) => [code, severity, questionId])).toEqual([
    ['html-tag', 'error', ''],
    ['fence-unclosed', 'error', ''],
    ['picture-undescribed', 'error', ''],
  ])
  expect(found[0]?.sentence).toBe(
    'The tab "Tag" of the case study "A claims department" has an HTML tag, which is not shown: <b>',
  )
})

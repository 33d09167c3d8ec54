import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8 } from 'fflate'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeQuestion } from '../questions.ts'
import { readBank, writeBank } from './bank.ts'
import { escapeGift } from './gift-syntax.ts'
import { wordLost } from './formats.copy.ts'
import type { Question } from '../types/question-types.schema.ts'

const bytes = new Uint8Array(readFileSync(join(import.meta.dirname, 'fixtures/gift-kinds.txt')))
const read = [...readBank([{ path: 'kinds.gift', bytes }])].flatMap((step) =>
  step.kind === 'question' ? [step.question] : [],
)

/** A question as one line: its type, its text, its parts with an asterisk before those that are right. */
function lineOf(question: Question): string {
  return `${question.type}: ${question.stem} | ${partsOf(question)}`
}

function partsOf(question: Question): string {
  if (question.type === 'choice')
    return question.options.map(({ text, isRight }) => `${isRight ? '*' : ''}${text}`).join('; ')
  if (question.type === 'short-answer') return question.forms.map(({ text }) => text).join('; ')
  if (question.type === 'numerical') return `${question.value} ± ${question.tolerance}`
  if (question.type !== 'matching') return ''
  const { prompts, options } = question
  const right = prompts.map(({ text, optionId }) => `${text} = ${options.find(({ id }) => id === optionId)?.text}`)
  const left = options.filter(({ id }) => !prompts.some(({ optionId }) => optionId === id))
  return [...right, ...left.map(({ text }) => `+ ${text}`)].join('; ')
}

const isQuestion = ({ question }: (typeof read)[number]) => question !== undefined

test('every kind of question that GIFT has is read to the question that it is', () => {
  expect(read.flatMap(({ question }) => (question === undefined ? [] : [lineOf(question)]))).toEqual([
    'choice: A route table decides where packets go. | *True; False',
    'choice: A subnet spans two regions. | True; *False',
    'choice: Port 443 belongs to HTTPS. | *True; False',
    'choice: A private address is reached from anywhere. | True; *False',
    'choice: UDP keeps the order of packets. | True; *False',
    'choice: Which color has a healthy target? | *green; red; blue',
    'choice: Which service resolves names? | Amazon VPC; *Amazon Route 53; AWS Direct Connect',
    'choice: Which two protocols carry mail? | *SMTP; *IMAP; ARP; ICMP',
    'choice: Which three are private ranges? | *10.0.0.0/8; *172.16.0.0/12; *192.168.0.0/16; 8.8.8.0/24',
    'choice: Which device forwards frames? | *a switch; a bridge; a printer',
    'choice: Which of these is a layer of the model? | *transport; *network; kitchen',
    'choice: Which one is right? | *this; that',
    'choice: A _____ forwards packets between networks. | *router; toaster; lamp',
    'choice: Packets that find no route are _____ . | kept; *dropped',
    'short-answer: Which command shows the route of packets? | traceroute; tracert',
    'short-answer: Who assigns addresses in a home? | the router',
    'short-answer: What does DNS stand for? | Domain Name System',
    'short-answer: Name a command that begins with net. | net*',
    'short-answer: Two plus _____ equals four. | two; 2',
    'matching: Which port belongs to which protocol? | HTTP = 80; HTTPS = 443; SSH = 22',
    'matching: Which layer does it belong to? | IP = network; TCP = transport; UDP = transport; + session',
    'numerical: What is the number of addresses in a /24? | 256 ± 0',
    'numerical: How many bits has an address of IPv4? | 32 ± 0',
    'numerical: Which port is well known? | 511.5 ± 511.5',
    'numerical: How much is the loss in percent? | 0.25 ± 0.05',
    'numerical: How many degrees below zero is it? | -1.5 ± 0.5',
    'numerical: When was the protocol standardized? | 1981 ± 0',
    'numerical: Which port is right? | 80 ± 0',
    'choice: Which sign is { or } or = or ~ or # or : here? | *a = b: {c}; d ~ e # f',
    'choice: First line\nSecond line, which one? | *this\none; that',
    'choice: Which tag is **bold**? | *`b`; `i`',
    'choice: Which sign makes it *strong*? | *two `*`; one `_`',
    'choice: Is \\<b> a tag? | *yes; no',
    'choice: Is this *text*? | *yes; no',
    'choice: Which one is *HTML*? | **this*; that',
    'choice: Which question has tags? | *this; that',
    'choice: Which protocol sets clocks? | *NTP; FTP',
    'choice: Which line is gone? | *both; none',
    'choice: Which block has one? | *this; that',
    'choice: No name, and two questions follow without one? | *yes; no',
  ])
})

test('what GIFT has and the bank lacks, and what is broken, is refused with its reason', () => {
  const refused = read.filter((one) => !isQuestion(one))
  expect(refused.map(({ line, reasons }) => `${line}: ${reasons.map(({ sentence }) => sentence).join(' ')}`)).toEqual([
    '131: The bank does not hold questions of this type: essay',
    '133: The bank does not hold questions of this type: essay',
    '135: The bank does not hold questions of this type: a description without answers',
    '138: This could not be read as the format has it: the brace of the answers is not closed',
    '140: "many" is not a number. The question has no explanation.',
    '142: No answer is marked as right. The question has no explanation.',
    '144: The question needs two to eight prompts. The question needs two to ten options. The question has no explanation.',
    '146: The bank does not hold questions of this type: a text with several blocks of answers',
    '148: The right number has no text. The question has no explanation.',
  ])
  // Three are no questions for an exam; the others have a fault.
  expect([read.length, refused.length]).toEqual([49, 9])
})

test('feedback, categories, tags and general feedback of GIFT are kept, and what is not kept is told', () => {
  const at = (line: number) => read.find((one) => one.line === line)
  expect(at(14)?.question?.explanation).toBe(
    'Both are transport protocols.\n\n#### Answer by answer\n\n- **True**: It does not: that is the work of TCP.\n- **False**: Right, UDP keeps no order.',
  )
  expect(at(17)?.question?.explanation).toContain('- **red**: wrong, it fails')
  expect([at(110)?.question?.domain, at(110)?.question?.difficulty, at(112)?.question?.domain]).toEqual([
    'Addresses',
    'hard',
    'Time',
  ])
  const told = (line: number) => at(line)?.lost.map(wordLost)
  expect(told(87)).toEqual([
    'Partial credit is not kept: a question is right or wrong as a whole.',
    'The field "feedback" is not kept.',
    'The name "Several numbers" is not kept.',
  ])
  expect(told(110)).toContain('The tag "exam" is not kept.')
  expect(told(43)).toEqual([])
  const doubts = read.flatMap(({ line, reasons }) =>
    reasons.flatMap(({ code, sentence }) => (code === 'key-uncertain' ? [`${line}: ${sentence}`] : [])),
  )
  expect(doubts).toEqual([
    '38: Which answers are right is not quite clear: any one of several is enough in the file',
    '92: Which answers are right is not quite clear: 8080 is right too',
  ])
})

const facts = { title: 'Exam', slug: 'exam', order: 1, timeLimitMinutes: 60, passingScore: 70, isFreeTrial: false }

/** A question as GIFT, and as it comes back; nothing of it may be lost. */
function thereAndBack(given: object): { text: string; back: Question | undefined } {
  const question = judgeQuestion({ id: 'one', explanation: 'Why.', domain: 'General', ...given }).question
  if (question === undefined) throw new Error('refused')
  const exam = { facts, courseTitle: 'Course', questions: [question], images: new Map() }
  const { files, losses } = writeBank('gift', [exam])
  expect(losses.filter(({ questionId }) => questionId !== '')).toEqual([])
  const [back] = [...readBank(files)].flatMap((step) => (step.kind === 'question' ? [step.question] : []))
  return { text: strFromU8(files[0]?.bytes ?? new Uint8Array()), back: back?.question }
}

const kinds: readonly (readonly [string, object, string])[] = [
  ['a choice', { answer_a: 'router', answer_b: 'lamp', final_answer: 'A' }, '{\n  =router\n  ~lamp\n'],
  ['a text', { type: 'short-answer', body: { forms: ['router', 'rout*'] } }, '{\n  =router\n  =rout*\n'],
  ['a number', { type: 'numerical', body: { value: '4', tolerance: '0.5' } }, '{\n  #=4:0.5\n'],
]

test.each(kinds)('a word that is missing within a sentence is written there: %s', (_kind, fields, block) => {
  const words = fc.stringMatching(/^[A-Za-z~={}#:\\]{1,8}( [a-z*`:]{1,8}){0,3}$/)
  fc.assert(
    fc.property(words, words, (before, after) => {
      const stem = `${before} _____ ${after}`
      const { text, back } = thereAndBack({ ...fields, question: stem })
      expect(text).toContain(`${escapeGift(before)} ${block}`)
      expect(text.trimEnd().endsWith(`} ${escapeGift(after)}`)).toBe(true)
      expect(back?.stem).toBe(stem)
    }),
    { numRuns: 60 },
  )
})

test('a blank at the end, and one of two, are no missing word', () => {
  for (const stem of [
    'Packets are _____',
    '_____ forwards packets',
    'A _____ and a _____ forward',
    'A ______ forwards',
  ])
    expect(thereAndBack({ ...kinds[0]?.[1], question: stem })).toMatchObject({
      text: expect.stringContaining(`[markdown]${stem} {`) as string,
      back: { stem },
    })
})

test('a statement is written as true or false, with what is said when it was answered wrong and right', () => {
  const statement = (final_answer: string, explanation: string) => ({
    question: 'A mask has 32 bits.',
    explanation,
    answer_a: 'True',
    answer_b: 'False',
    final_answer,
  })
  const each = 'It has.\n\n#### Answer by answer\n\n- **True**: Right # here.\n- **False**: Count them.'
  expect(thereAndBack(statement('A', 'It has.')).text).toContain('{\n  TRUE\n  ####It has.\n}')
  expect(thereAndBack(statement('A', each)).text).toContain('TRUE #Count them. #Right \\# here.')
  expect(thereAndBack(statement('B', each)).text).toContain('FALSE #Right \\# here. #Count them.')
  for (const key of ['A', 'B']) expect(thereAndBack(statement(key, each)).back?.explanation).toBe(each)
})

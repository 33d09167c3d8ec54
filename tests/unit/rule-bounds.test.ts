import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  isEmail,
  isNewPassword,
  nameProblem,
  passwordProblem,
  unmetPasswordRules,
} from '../../src/features/accounts/credentials.ts'
import { isWithinRate, RATE_WINDOW_MS } from '../../src/features/accounts/sign-in-limit.ts'
import { descriptionProblem, judgePrice, titleProblem } from '../../src/features/catalogue/course-rules.ts'
import { messageProblem } from '../../src/features/feedback/feedback.ts'
import { judgeQuestion } from '../../src/features/questions/questions.ts'
import { courseSlug } from '../../src/lib/slug.ts'
import { startApp, type Reply } from '../support/start-app.ts'
import { anAdmin, PASSWORD } from '../support/users.ts'
import {
  descriptionCases,
  emailCases,
  feedbackCases,
  nameCases,
  passwordCases,
  priceCases,
  questionCases,
  slugCases,
  specialCharacters,
  titleCases,
  type RuleCase,
} from '../support/rule-cases.ts'

const app = await startApp()
const admin = await anAdmin(app)
const course = { title: 'A course of the bounds', price: '1' }

type Told = { readonly field: string; readonly message: string }

/** What a reply says about fields; nothing where the call was accepted. */
function everythingTold({ status, body }: Reply): readonly Told[] {
  if (status === 200) return []
  const { error } = body as { error: { message: string; fields?: Told[] } }
  return status === 400 && error.fields !== undefined ? error.fields : [{ field: '', message: error.message }]
}

const toldOf = (reply: Reply, field: string) =>
  everythingTold(reply).flatMap((told) => (told.field === field || told.field === '' ? [told.message] : []))

const one = (problem: string | null) => (problem === null ? [] : [problem])
const named = (cases: readonly RuleCase[]) => cases.map((rule) => [rule.name, rule] as const)

test.each(named(titleCases))('a title of %s is judged alike by the rule and by the call', async (_name, rule) => {
  expect(one(titleProblem(rule.input))).toEqual(rule.messages)
  const made = await admin.browser.post('/api/courses', { ...course, title: rule.input })
  expect(toldOf(made, 'title')).toEqual(rule.messages)
})

test.each(named(descriptionCases))('a description of %s is judged alike', async (_name, rule) => {
  expect(one(descriptionProblem(rule.input))).toEqual(rule.messages)
  const made = await admin.browser.post('/api/courses', { ...course, description: rule.input })
  expect(toldOf(made, 'description')).toEqual(rule.messages)
})

test.each(named(priceCases))('a price of %s is judged alike', async (_name, rule) => {
  const judged = judgePrice(rule.input)
  expect(judged.kind === 'price' ? [] : [judged.sentence]).toEqual(rule.messages)
  const made = await admin.browser.post('/api/courses', { ...course, price: rule.input })
  expect(toldOf(made, 'price')).toEqual(rule.messages)
  const { id } = made.body as { id?: string }
  const stored = id === undefined ? {} : (await admin.browser.get(`/api/courses/${id}`)).body
  expect(stored).toMatchObject(judged.kind === 'price' ? { price: judged.priceCents / 100 } : {})
})

test.each(named(emailCases))('an address of %s is judged alike, at signing up and in', async (_name, rule) => {
  expect(isEmail(rule.input.trim())).toBe(rule.messages.length === 0)
  const visitor = app.visitor()
  const signUp = { name: 'Nora', email: rule.input, password: PASSWORD }
  expect(toldOf(await visitor.post('/api/auth/sign-up', signUp), 'email')).toEqual(rule.messages)
  const signIn = await visitor.post('/api/auth/sign-in', { email: rule.input, password: PASSWORD })
  // An address that may be one gets as far as its account.
  const unverified = 'Please verify your email address before signing in'
  expect(toldOf(signIn, 'email')).toEqual(rule.messages.length === 0 ? [unverified] : rule.messages)
})

const anAddress = () => `bound-${randomBytes(6).toString('hex')}@example.com`

test.each(named(passwordCases))('a new password of %s is judged alike', async (_name, rule) => {
  const unmet = unmetPasswordRules(rule.input).map(({ sentence }) => sentence)
  expect([...one(passwordProblem(rule.input)), ...unmet]).toEqual(rule.messages)
  expect(isNewPassword(rule.input)).toBe(rule.messages.length === 0)
  const signUp = { name: 'Nora', email: anAddress(), password: rule.input }
  expect(toldOf(await app.visitor().post('/api/auth/sign-up', signUp), 'password')).toEqual(rule.messages)
})

test('each special character of the list counts, and no other one of the keyboard', () => {
  const counting = (characters: string) => [...characters].filter((one) => isNewPassword(`Abcdefg1${one}`)).join('')
  expect(counting(specialCharacters)).toBe(specialCharacters)
  expect(counting(`-_=+[]\\;'/\`~ `)).toBe('')
})

test('who signs in is told the same of a password that cannot be one as of one that is wrong', async () => {
  for (const password of ['', 'x'.repeat(257), 'x'.repeat(10_000)])
    expect(toldOf(await app.visitor().post('/api/auth/sign-in', { email: anAddress(), password }), 'password')).toEqual(
      ['Invalid email or password'],
    )
  for (const password of ['x', ' ', '😀', 'x'.repeat(256)])
    expect((await app.visitor().post('/api/auth/sign-in', { email: anAddress(), password })).body).toMatchObject({
      error: { message: 'Invalid email or password' },
    })
})

test.each(named(nameCases))('a full name of %s is judged alike', async (_name, rule) => {
  expect(one(nameProblem(rule.input))).toEqual(rule.messages)
  const signUp = { name: rule.input, email: anAddress(), password: PASSWORD }
  expect(toldOf(await app.visitor().post('/api/auth/sign-up', signUp), 'name')).toEqual(rule.messages)
})

test.each(named(feedbackCases))('feedback of %s is judged alike', async (_name, rule) => {
  expect(one(messageProblem(rule.input))).toEqual(rule.messages)
  const said = { id: randomUUID(), type: 'positive', message: rule.input, context: '/' }
  expect(toldOf(await app.visitor().post('/api/feedback', said), 'message')).toEqual(rule.messages)
})

test.each(slugCases)('the title $title is addressed as the rule says, also once it is stored', async (rule) => {
  const now = new Date('2026-11-21T00:00:00Z')
  expect(courseSlug(rule.title, now)).toBe(rule.slug ?? `item-${now.getTime()}`)
  const made = await admin.browser.post('/api/courses', { title: rule.title, price: 1 })
  const { id } = made.body as { id: string }
  const { slug } = (await admin.browser.get(`/api/courses/${id}`)).body as { slug: string }
  expect(slug).toMatch(rule.slug === null ? /^item-\d{13}(-\d+)?$/ : new RegExp(`^${rule.slug}$`))
})

const exams = await admin.browser.post('/api/courses', { title: 'Questions at their bounds', price: 1 })
const { id: courseId } = exams.body as { id: string }

test.each(questionCases)('a question with $name is taken or refused alike', async ({ sent, isAccepted }) => {
  expect(judgeQuestion(sent).question !== undefined).toBe(isAccepted)
  const made = await admin.browser.post('/api/test_questions', {
    course_id: courseId,
    test_name: 'At its bounds',
    questions: [sent],
  })
  const { reasons } = judgeQuestion(sent)
  const told = reasons.map(({ field, sentence }) => ({ field: `questions.0.${field}`, message: sentence }))
  expect(everythingTold(made)).toEqual(isAccepted ? [] : told)
})

test('a fifth try in five minutes is allowed, a sixth is not, and a try counts until five minutes are over', () => {
  const tries = (count: number, ago: number) => Array.from({ length: count }, () => 1_000_000 - ago)
  expect([4, 5, 6].map((count) => isWithinRate(tries(count, 1), 1_000_000))).toEqual([true, false, false])
  const ages = [RATE_WINDOW_MS - 1, RATE_WINDOW_MS, RATE_WINDOW_MS + 1]
  expect(ages.map((ago) => isWithinRate(tries(5, ago), 1_000_000))).toEqual([false, true, true])
})

import { DAY_MS } from '../../src/lib/time.ts'
import type { Caller } from './api-caller.ts'
import type { Course, TakenExam } from './lived-in-shop.ts'

/** Adds the data of admin screens: coupons, prices, imports, a draft course, changed users and open work. */
export async function addAdminData(shop: {
  shopkeeper: Caller
  student: Caller
  friend: Caller
  courses: readonly Course[]
  taken: TakenExam
  /** Ids of users from previous months. */
  users: readonly string[]
}): Promise<{ importId: string; storedImportId: string; columnsImportId: string; draftCourseId: string }> {
  const { shopkeeper, student, friend, courses, taken, users } = shop
  await makeCoupons(shopkeeper, courses)
  await planPrices(shopkeeper, courses)
  await addFeedback(student, friend, shopkeeper)
  for (const [place, reason, words] of [
    [1, 'wrong-key', 'The page of AWS that is linked says the opposite since this spring.'],
    [4, 'outdated', 'This service has another name now.'],
  ] as const)
    await student.ask('PUT', `/api/attempts/${taken.id}/reports/${taken.questions[place]?.id}`, { reason, words })
  const draftCourseId = crypto.randomUUID()
  await shopkeeper.ask('POST', '/api/courses', {
    id: draftCourseId,
    title: 'Networking and Storage in Depth',
    description: 'Two exams beyond the certifications, for those who build networks and keep data for a living.',
    price: '24.99',
    category: 'specialty',
    status: 'draft',
  })
  await changeUsers(shopkeeper, student, friend, users)
  const imports = await addImports(shopkeeper, draftCourseId)
  await shopkeeper.ask('POST', '/api/question-checks')
  return { draftCourseId, ...imports }
}

async function makeCoupons({ ask }: Caller, courses: readonly Course[]) {
  const days = { firstDay: null, lastDay: null }
  for (const coupon of [
    { code: 'WELCOME20', percent: 20, amount: null, useLimit: 500, courseIds: null, ...days },
    { code: 'TENOFF', percent: null, amount: '10', useLimit: null, courseIds: null, ...days },
    {
      code: 'NETWORK-WEEK',
      percent: 35,
      amount: null,
      useLimit: 40,
      courseIds: courses.slice(0, 2).map(({ id }) => id),
      firstDay: dayFromNow(-3),
      lastDay: dayFromNow(4),
    },
    {
      code: 'SPRING',
      percent: 15,
      amount: null,
      useLimit: null,
      courseIds: null,
      firstDay: null,
      lastDay: dayFromNow(-20),
    },
  ])
    await ask('POST', '/api/coupons', coupon)
}

async function planPrices({ ask }: Caller, courses: readonly Course[]) {
  const change = async (ids: readonly (string | undefined)[], form: object) => {
    const request = { which: { kind: 'some', ids }, ...form }
    const { mark } = await ask<{ mark: string }>('POST', '/api/prices/preview', request)
    await ask('POST', '/api/prices', { ...request, mark })
  }
  const [first, second, third, fourth] = courses.map(({ id }) => id)
  await change([first, second], {
    change: { kind: 'percent', percent: -25, rounding: '99' },
    when: { kind: 'sale', startsAt: null, endsAt: instantFromNow(9) },
  })
  await change([third], {
    change: { kind: 'set', price: '34.99' },
    when: { kind: 'from', startsAt: instantFromNow(14) },
  })
  await change([fourth], { change: { kind: 'set', price: '27.99' }, when: { kind: 'now' } })
}

async function addFeedback(student: Caller, friend: Caller, shopkeeper: Caller) {
  const messages = [
    [student, 'suggestion', 'More exams about networking, please.', '/my-courses'],
    [student, 'positive', 'The explanations of the wrong answers are what made it click for me.', '/exam-review'],
    [
      friend,
      'negative',
      'On my old tablet the clock covers the last line of a long question.\n\nTurning it round helps.',
      '/course/aws-certified-cloud-practitioner/exam/clf-practice-exam-1/timed',
    ],
    [friend, 'suggestion', 'A way to print a receipt with my company on it.', '/orders'],
  ] as const
  const ids = messages.map(() => crypto.randomUUID())
  for (const [place, [{ ask }, type, message, context]] of messages.entries())
    await ask('POST', '/api/feedback', { id: ids[place], type, message, context })
  await shopkeeper.ask('POST', `/api/feedback/${ids[1]}/settle`)
}

/** Sets extra time, grants access, makes an admin, and locks a user. */
async function changeUsers(shopkeeper: Caller, student: Caller, friend: Caller, users: readonly string[]) {
  type Session = { user: { id: string } }
  const learner = (await student.ask<Session>('GET', '/api/auth/session')).user
  const helped = (await friend.ask<Session>('GET', '/api/auth/session')).user
  await shopkeeper.ask('PUT', `/api/profiles/${learner.id}/extra-time`, { extraTime: 'x1.25' })
  const { courses } = await shopkeeper.ask<{ courses: Course[] }>('GET', '/api/admin/courses')
  await shopkeeper.ask('POST', `/api/profiles/${helped.id}/access`, {
    courseId: courses[3]?.id,
    days: 14,
    reason: 'The payment page was away on Tuesday.',
    key: crypto.randomUUID(),
  })
  const [colleague, stranger] = users.slice(-2)
  await shopkeeper.ask('PUT', `/api/profiles/${colleague}/role`, { role: 'admin' })
  await shopkeeper.ask('PUT', `/api/profiles/${stranger}/lock`, { reason: 'Sold seats on to others.' })
}

/** Adds an import with questions to correct, a stored one, and a table that needs a column mapping. */
async function addImports(shopkeeper: Caller, courseId: string) {
  const importId = await uploadAndRead(shopkeeper, 'networking-bank.json', JSON.stringify(networkingBank))
  const storedImportId = await uploadAndRead(shopkeeper, 'storage.gift', giftBank)
  await shopkeeper.ask('POST', `/api/imports/${storedImportId}/store`, {
    target: { kind: 'new-exam', courseId, exam: { title: 'Storage in depth' } },
    withReview: true,
  })
  const columnsImportId = await uploadAndRead(shopkeeper, 'my-own-table.csv', ownTable)
  return { importId, storedImportId, columnsImportId }
}

async function uploadAndRead({ ask, context }: Caller, name: string, text: string): Promise<string> {
  const reply = await context.post(`/api/imports?name=${name}`, {
    data: text,
    headers: { 'content-type': 'application/octet-stream' },
  })
  const { id } = (await reply.json()) as { id: string }
  for (let tries = 0; tries < 200; tries += 1) {
    const { state } = await ask<{ state: string }>('GET', `/api/imports/${id}`)
    if (!['uploading', 'waiting', 'reading'].includes(state)) return id
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${name} was never read`)
}

const question = (number: number, stem: string, answers: readonly string[], key: string, more: object = {}) => ({
  id: `net-${String(number).padStart(3, '0')}`,
  question: stem,
  ...Object.fromEntries(answers.map((text, place) => [`answer_${'abcdef'[place]}`, text])),
  final_answer: key,
  explanation: 'A gateway endpoint is a target in the route table, so the traffic stays on the network of AWS.',
  domain: 'Network Design',
  ...more,
})

const networkingBank = {
  format: 'altocert-questions',
  version: 1,
  exams: [
    {
      title: 'Networking in depth',
      questions: [
        question(
          1,
          'Instances in a private subnet read large objects from Amazon S3 through a NAT gateway, and the bill for it grows. What lowers it without a change of the application?',
          ['A gateway endpoint for Amazon S3', 'A second NAT gateway', 'A larger instance type', 'An internet gateway'],
          'A',
        ),
        question(
          2,
          'Which **two** of these keep their state, so that the reply to an allowed request is allowed as well?',
          ['Security groups', 'Network ACLs', 'AWS Network Firewall with stateful rules', 'Route tables'],
          'AC',
        ),
        question(3, 'What does a transit gateway join?', ['VPCs and on-premises networks', 'Only subnets'], 'A'),
        question(4, 'Which record maps a name to another name?', ['A', 'AAAA', 'CNAME', 'TXT'], 'C', {
          explanation: '',
        }),
        question(
          5,
          'Which service shows which packets a VPC has dropped, and why?',
          ['VPC Flow Logs', 'AWS Config', 'Amazon Macie'],
          'A',
          { explanation: '', domain: '' },
        ),
        question(6, 'How many subnets may a /16 be split into?', ['As many as fit'], 'A'),
        question(7, 'Which port does HTTPS use?', ['80', '443', '22', '8080'], 'F'),
        question(8, '', ['Yes', 'No'], 'A'),
      ],
    },
  ],
}

/** Contains findings for the checks: a duplicate with another answer key, a wrong number of answers, a letter in an explanation. */
const giftBank = `::Objects:: Which service keeps objects of any size up to 5 TB each, and serves them over HTTPS? {
=Amazon S3
~AWS Lambda
~Amazon EBS
#### Amazon S3 keeps objects.
}

::Objects again:: Which service keeps objects of any size up to 5 TB each and serves them over HTTPS? {
~Amazon S3
~AWS Lambda
=Amazon EBS
#### Answer C is right.
}

::Blocks:: Which volume type keeps the throughput that was asked for, whatever its size? (Choose TWO.) {
=Provisioned IOPS SSD
~Cold HDD
~Throughput Optimized HDD
#### Provisioned IOPS volumes have the throughput that was asked for.
}

::Files:: Which service is a shared file system for many Linux instances at once? {
=Amazon EFS
~Amazon EBS
~AWS Snowball
}

::Archive:: A hospital keeps images for thirty years, reads hardly any of them, and can wait half a day. Which class costs least? {
=S3 Glacier Deep Archive, because it is made for data that is read once or twice a year and may take twelve hours to come back
~S3 Standard
~S3 One Zone-IA
#### It is the class with the lowest price for keeping.
}
`

const ownTable = `Topic;Task;First;Second;Third;Solution;Why
Storage;Which class is for data that is rarely read?;S3 Standard;S3 Glacier Flexible Retrieval;S3 Express One Zone;2;It costs least to keep.
Compute;What runs code without servers?;AWS Lambda;Amazon EC2;AWS Outposts;1;Lambda runs it on demand.
`

function instantFromNow(days: number): string {
  return new Date(Math.round((Date.now() + days * DAY_MS) / 3_600_000) * 3_600_000).toISOString()
}

function dayFromNow(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
}

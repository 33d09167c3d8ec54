import { fill } from '../../lib/failure.ts'
import { toDollars, type Cents } from '../../lib/money.ts'
import type { Blueprint } from '../questions/questions.schema.ts'
import { copy } from './catalogue.copy.ts'
import type { Category } from './catalogue.ts'
import { descriptionProblem, judgePrice, titleProblem } from './course-rules.ts'
import type { CourseFactsView } from './catalogue.schema.ts'
import { copy as rowCopy } from './data-calls/data-calls.copy.ts'

/** The typed text of a course's blueprint. If all fields are empty, the course has no blueprint. */
export type BlueprintTyped = {
  readonly code: string
  readonly minutes: string
  readonly questions: string
  readonly passingScore: string
  readonly source: string
  /** Left out by earlier builds. */
  readonly guide?: string | undefined
  readonly domains: readonly { readonly name: string; readonly weight: string }[]
  /** Has no field in the form; it is kept as it was read. */
  readonly curve?: Blueprint['curve']
}

/** The typed text of a course form, also where it is not valid yet. */
export type FactsTyped = {
  readonly title: string
  readonly description: string
  readonly price: string
  readonly category: Category | ''
  readonly slug: string
  readonly blueprint: BlueprintTyped
}

export const emptyBlueprint: BlueprintTyped = {
  code: '',
  minutes: '',
  questions: '',
  passingScore: '',
  source: '',
  guide: '',
  domains: [],
}

export function toFactsTyped(course: CourseFactsView): FactsTyped {
  const { blueprint } = course
  return {
    title: course.title,
    description: course.description === copy['course.description.default'] ? '' : course.description,
    price: toDollars(course.priceCents as Cents),
    category: course.category ?? '',
    slug: course.slug,
    blueprint:
      blueprint === null
        ? emptyBlueprint
        : {
            code: blueprint.code,
            minutes: String(blueprint.minutes),
            questions: String(blueprint.questions),
            passingScore: String(blueprint.passingScore),
            source: blueprint.source,
            guide: blueprint.guide ?? '',
            domains: blueprint.domains.map(({ name, weight }) => ({ name, weight: String(weight) })),
            ...(blueprint.curve && { curve: blueprint.curve }),
          },
  }
}

export type FactsProblems = Readonly<Partial<Record<string, string>>>

/** Validates a course form: the fields to send, and the problems by field. */
export function readFacts(typed: FactsTyped): { fields: FactsFields; problems: FactsProblems } {
  const price = judgePrice(typed.price)
  const { blueprint, problems: blueprintProblems } = readBlueprint(typed.blueprint)
  const slug = typed.slug.trim()
  const found: [string, string | null][] = [
    ['title', titleProblem(typed.title)],
    ['description', descriptionProblem(typed.description)],
    ['price', price.kind === 'refused' ? price.sentence : null],
    ['slug', /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug) && slug.length <= 200 ? null : rowCopy['row.slug.form']],
    ...Object.entries(blueprintProblems),
  ]
  const problems = Object.fromEntries(
    found.flatMap(([name, sentence]) => (sentence === null ? [] : [[name, sentence]])),
  )
  return {
    fields: {
      title: typed.title.trim(),
      description: typed.description,
      price: price.kind === 'price' ? toDollars(price.priceCents) : '',
      category: typed.category === '' ? null : typed.category,
      slug,
      blueprint,
    },
    problems,
  }
}

type FactsFields = {
  readonly title: string
  readonly description: string
  readonly price: string
  readonly category: Category | null
  readonly slug: string
  readonly blueprint: Blueprint | null
}

function readBlueprint(typed: BlueprintTyped): {
  blueprint: Blueprint | null
  problems: Record<string, string | null>
} {
  const domains = typed.domains.filter(({ name, weight }) => name.trim() !== '' || weight.trim() !== '')
  const { code, minutes, questions, passingScore, source, guide = '' } = typed
  if (
    domains.length === 0 &&
    [code, minutes, questions, passingScore, source, guide].every((text) => text.trim() === '')
  )
    return { blueprint: null, problems: {} }
  const read = {
    code: code.trim(),
    minutes: wholeOf(minutes),
    questions: wholeOf(questions),
    passingScore: wholeOf(passingScore),
    source: source.trim(),
    domains: domains.map(({ name, weight }) => ({ name: name.trim(), weight: Number(weight.trim() || Number.NaN) })),
    ...(guide.trim() !== '' && { guide: guide.trim() }),
    ...(typed.curve && { curve: typed.curve }),
  }
  const sum = read.domains.reduce((total, { weight }) => total + weight, 0)
  const isWeighted = read.domains.every(({ name, weight }) => name !== '' && weight > 0 && weight <= 100)
  const problems = {
    code: read.code !== '' && read.code.length <= 40 ? null : rowCopy['blueprint.code'],
    minutes: isBetween(read.minutes, 1440) ? null : rowCopy['blueprint.minutes'],
    questions: isBetween(read.questions, 1000) ? null : rowCopy['blueprint.questions'],
    passingScore: isBetween(read.passingScore, 1000) ? null : rowCopy['blueprint.passing'],
    source: /^https:\/\/[^\s/]+\.[^\s]+$/.test(read.source) ? null : rowCopy['blueprint.source'],
    guide: guide.trim().length <= 60 ? null : rowCopy['blueprint.guide'],
    domains: !isWeighted
      ? rowCopy['blueprint.domain']
      : Math.abs(sum - 100) < 0.01
        ? null
        : fill(rowCopy['blueprint.sum'], { sum: Number(sum.toFixed(2)) }),
  }
  const isRight = Object.values(problems).every((problem) => problem === null)
  return { blueprint: isRight ? read : null, problems }
}

const wholeOf = (text: string) => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN)
const isBetween = (value: number, most: number) => value >= 1 && value <= most

import { sha256Hex } from '../../lib/sha256.ts'
import { reasonSentences } from './questions.copy.ts'
import {
  type QuestionOption,
  OptionId,
  DEFAULT_DOMAIN,
  Difficulty,
  type Judgement,
  LETTERS,
  type Letter,
  MAX_OPTIONS,
  MAX_TEXT_LENGTH,
  type Question,
  type QuestionForReview,
  type QuestionForTaking,
  QuestionKey,
  type Reason,
  type ReasonCode,
  type StoredQuestion,
  type Verdict,
} from './questions.schema.ts'

/** Says whether what someone hands in may enter the bank, and brings it into the bank's form. Any value may be handed in. */
export function judgeQuestion(input: unknown): Judgement {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return refused([reason('not-a-question', '')])
  const draft = readDraft(new Map<string, unknown>(Object.entries(input)))
  if (draft.reasons.some(({ code }) => verdictOf[code] === 'refused')) return refused(draft.reasons)
  const answers = withIds(draft)
  const question: Question = {
    id: draft.id,
    stem: draft.stem,
    options: answers,
    explanation: draft.explanation,
    domain: draft.domain,
    needsReview: draft.needsReview || draft.reasons.length > 0,
    url: draft.url,
    suggestedOptionIds: idsAt(answers, draft.suggested),
    mostVotedOptionIds: idsAt(answers, draft.mostVoted),
    difficulty: draft.difficulty,
  }
  return { verdict: question.needsReview ? 'needs-review' : 'good', question, reasons: draft.reasons }
}

/** What each reason does to the question; one that is missing here does not compile. */
export const verdictOf = {
  'not-a-question': 'refused',
  'wrong-type': 'refused',
  'key-missing': 'refused',
  'key-malformed': 'refused',
  'key-taken': 'refused',
  'question-empty': 'refused',
  'answer-empty': 'refused',
  'answers-too-many': 'refused',
  'right-answer-missing': 'refused',
  'right-answer-unknown': 'refused',
  'text-too-long': 'refused',
  'line-stray': 'refused',
  'answer-gap': 'needs-review',
  'answer-repeated': 'needs-review',
  'answer-id-replaced': 'needs-review',
  'answer-not-indented': 'needs-review',
  'all-answers-right': 'needs-review',
  'explanation-empty': 'needs-review',
  'explanation-twice': 'needs-review',
  'letters-unknown': 'needs-review',
  'difficulty-unknown': 'needs-review',
  'review-unknown': 'needs-review',
  'fact-unknown': 'needs-review',
  'fact-twice': 'needs-review',
  'mark-inside-text': 'needs-review',
  'fence-holds-question': 'needs-review',
  'text-unstorable': 'needs-review',
  'type-unsupported': 'refused',
  'type-contradicts-key': 'needs-review',
  'syntax-broken': 'refused',
  'quote-unclosed': 'refused',
  'cells-too-many': 'needs-review',
  'entity-unknown': 'needs-review',
  'picture-missing': 'needs-review',
  'key-disputed': 'needs-review',
  'key-uncertain': 'needs-review',
} as const satisfies Record<ReasonCode, Exclude<Verdict, 'good'>>

/** Adds what a reader of files found to what the bank says: the graver verdict holds, and the question says that it needs review. */
export function withReasons(judgement: Judgement, found: Reason[]): Judgement {
  if (found.length === 0) return judgement
  const reasons = [...found, ...judgement.reasons]
  if (judgement.verdict === 'refused' || found.some(({ code }) => verdictOf[code] === 'refused'))
    return refused(reasons)
  return { verdict: 'needs-review', question: { ...judgement.question, needsReview: true }, reasons }
}

export function reason(code: ReasonCode, field: string, about = field, line?: number): Reason {
  const sentence = reasonSentences[code](about.length > 120 ? `${about.slice(0, 119)}…` : about)
  return line === undefined ? { code, field, sentence } : { code, field, sentence, line }
}

export function toQuestion(stored: StoredQuestion): Question {
  const letters = LETTERS.filter((letter) => stored[optionField(letter)] !== '')
  const texts = letters.map((letter) => stored[optionField(letter)])
  const isComplete = letters.every((letter) => stored.answer_ids[letter] !== undefined)
  const derived = isComplete ? [] : deriveOptionIds(stored.id, texts)
  const idOf = new Map(letters.map((letter, place) => [letter, stored.answer_ids[letter] ?? derived[place] ?? '']))
  const idsOf = (written: string) =>
    letters.filter((l) => written.includes(l.toUpperCase())).map((l) => idOf.get(l) ?? '')
  return {
    id: stored.id,
    stem: stored.question,
    options: letters.map((letter) => ({
      id: idOf.get(letter) ?? '',
      text: stored[optionField(letter)],
      isRight: stored.final_answer.includes(letter.toUpperCase()),
    })),
    explanation: stored.explanation,
    domain: stored.domain,
    needsReview: stored.needs_review,
    url: stored.url,
    suggestedOptionIds: idsOf(stored.suggested_answer),
    mostVotedOptionIds: idsOf(stored.most_voted_answer),
    difficulty: stored.difficulty,
  }
}

/** The exact inverse of `toQuestion`: what is stored and read again is the same question. */
export function toStored(question: Question): StoredQuestion {
  const text = (place: number) => question.options[place]?.text ?? ''
  return {
    id: question.id,
    question: question.stem,
    answer_a: text(0),
    answer_b: text(1),
    answer_c: text(2),
    answer_d: text(3),
    answer_e: text(4),
    answer_f: text(5),
    answer_ids: Object.fromEntries(question.options.map(({ id }, place) => [letterAt(place), id])),
    final_answer: lettersOf(question, rightOptionIds(question)),
    explanation: question.explanation,
    domain: question.domain,
    needs_review: question.needsReview,
    url: question.url,
    suggested_answer: lettersOf(question, question.suggestedOptionIds),
    most_voted_answer: lettersOf(question, question.mostVotedOptionIds),
    difficulty: question.difficulty,
  }
}

/** The same question as another one: with its own key, and answers that nobody has given yet. */
export function withKeyOf(question: Question, id: string): Question {
  const ids = deriveOptionIds(
    id,
    question.options.map(({ text }) => text),
  )
  const next = new Map(question.options.map((answer, place) => [answer.id, ids[place] ?? '']))
  const renamed = (old: readonly string[]) => old.flatMap((one) => next.get(one) ?? [])
  return {
    ...question,
    id,
    options: question.options.map((answer) => ({ ...answer, id: next.get(answer.id) ?? '' })),
    suggestedOptionIds: renamed(question.suggestedOptionIds),
    mostVotedOptionIds: renamed(question.mostVotedOptionIds),
  }
}

/** Neither key nor explanation is in what this returns; the fields are listed one by one so that a new one stays out. */
export function forTaking(question: Question): QuestionForTaking {
  return {
    id: question.id,
    stem: question.stem,
    options: question.options.map(({ id, text }) => ({ id, text })),
    isMultiple: isMultiple(question),
    choiceCount: choiceCount(question),
    domain: question.domain,
  }
}

export function forReview(question: Question): QuestionForReview {
  return {
    ...forTaking(question),
    rightOptionIds: rightOptionIds(question),
    explanation: question.explanation,
    url: question.url,
    suggestedOptionIds: question.suggestedOptionIds,
    mostVotedOptionIds: question.mostVotedOptionIds,
    difficulty: question.difficulty,
  }
}

export function isMultiple(question: Question): boolean {
  return choiceCount(question) > 1
}

export function choiceCount(question: Question): number {
  return rightOptionIds(question).length
}

export function rightOptionIds(question: Question): string[] {
  return question.options.filter(({ isRight }) => isRight).map(({ id }) => id)
}

/** The letters under which these answers are stored: `BE`. */
export function lettersOf(question: Question, optionIds: string[]): string {
  return question.options
    .flatMap(({ id }, place) => (optionIds.includes(id) ? [letterAt(place).toUpperCase()] : []))
    .join('')
}

/** The id of an answer that was given none: the same wherever and whenever the same file is read. */
export function deriveOptionId(questionId: string, text: string): string {
  return sha256Hex(`${questionId}\n${text}`).slice(0, 8)
}

/** As `deriveAnswerId`, for all answers of a question; one that says the same as an earlier one gets `-2`, `-3` and so on. */
export function deriveOptionIds(questionId: string, texts: string[]): string[] {
  const taken = new Set<string>()
  return texts.map((text) => claim(taken, deriveOptionId(questionId, text)))
}

/** The form in which the bank holds a text: lines end with a line feed, no blank edges, nothing that PostgreSQL can't store. */
export function normaliseText(text: string): string {
  const begun = withoutUnstorable(text)
    .replace(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .replace(/^ {1,3}(?! )/, '')
  // Not a pattern: one that looks for blanks at the end takes quadratic time over a long run of them in the middle.
  let end = begun.length
  while (' \t\n'.includes(begun.charAt(end - 1)) && end > 0) end--
  return begun.slice(0, end)
}

/** As `normaliseText`, for what stands on one line. */
export function normaliseLine(text: string): string {
  return withoutUnstorable(text).replace(/\s+/g, ' ').trim()
}

interface Draft {
  id: string
  stem: string
  answers: { text: string; id: string | null; isRight: boolean }[]
  explanation: string
  domain: string
  needsReview: boolean
  url: string
  suggested: number[]
  mostVoted: number[]
  difficulty: Difficulty
  reasons: Reason[]
}

function readDraft(fields: Map<string, unknown>): Draft {
  const reasons: Reason[] = []
  const note = (code: ReasonCode, field: string, about?: string) => reasons.push(reason(code, field, about))
  const id = readKey(fields, note)
  const stem = readText(fields, 'question', note)
  if (isBlank(stem)) note('question-empty', 'question')

  const texts = LETTERS.map((letter) => readText(fields, optionField(letter), note))
  const given = LETTERS.filter((letter) => fields.get(optionField(letter)) !== undefined)
  for (const letter of ['a', 'b'] as const) {
    if (!isBlank(texts[LETTERS.indexOf(letter)] ?? '')) continue
    const about = given.length === 1 ? 'only' : letter.toUpperCase()
    note('answer-empty', optionField(letter), about)
  }
  const extra = [...fields.keys()].filter((name) => /^answer_(?:[g-z]|\d+)$/.test(name))
  if (extra.length > 0) note('answers-too-many', 'answers', String(MAX_OPTIONS + extra.length))
  const filled = LETTERS.filter((_, place) => !isBlank(texts[place] ?? ''))
  const gap = LETTERS.find((letter) => !filled.includes(letter) && letter < (filled.at(-1) ?? ''))
  if (gap !== undefined && gap > 'b') note('answer-gap', optionField(gap), gap.toUpperCase())

  const key = readLetters(fields, 'final_answer', filled, note)
  if (key.written === '') note('right-answer-missing', 'final_answer')
  else if (key.unknown && extra.length === 0) note('right-answer-unknown', 'final_answer', key.written)
  else if (filled.length >= 2 && key.places.length === filled.length) note('all-answers-right', 'final_answer')
  const optionTexts = filled.map((letter) => texts[LETTERS.indexOf(letter)] ?? '')
  const repeated = optionTexts.find((text, place) => optionTexts.indexOf(text) !== place)
  if (repeated !== undefined) note('answer-repeated', 'answers', repeated)

  const explanation = readText(fields, 'explanation', note)
  // Spec 5: it has to be there as a text. One that is empty can be written later.
  if ((fields.get('explanation') ?? null) === null) note('wrong-type', 'explanation')
  else if (isBlank(explanation)) note('explanation-empty', 'explanation')
  return {
    id,
    stem,
    answers: withGivenIds(fields.get('answer_ids'), filled, optionTexts, note).map((answer, place) => ({
      ...answer,
      isRight: key.places.includes(place),
    })),
    explanation: isBlank(explanation) ? '' : explanation,
    domain: normaliseLine(readText(fields, 'domain', note)) || DEFAULT_DOMAIN,
    needsReview: readReview(fields.get('needs_review'), note),
    url: normaliseLine(readText(fields, 'url', note)),
    suggested: readHint(fields, 'suggested_answer', filled, note),
    mostVoted: readHint(fields, 'most_voted_answer', filled, note),
    difficulty: readDifficulty(fields, note),
    reasons,
  }
}

type Note = (code: ReasonCode, field: string, about?: string) => void

function readKey(fields: Map<string, unknown>, note: Note): string {
  const id = readText(fields, 'id', note)
  if (isBlank(id)) note('key-missing', 'id')
  else if (!QuestionKey.safeParse(id).success) note('key-malformed', 'id', id)
  return id
}

function readText(fields: Map<string, unknown>, field: string, note: Note): string {
  const value = fields.get(field)
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') {
    note('wrong-type', field)
    return ''
  }
  if (value.length > MAX_TEXT_LENGTH) {
    note('text-too-long', field)
    return ''
  }
  if (withoutUnstorable(value) !== value) note('text-unstorable', field)
  return normaliseText(value)
}

/** Reads `BE`, `b, e` and `E B` alike. The places are those among the filled answers. */
function readLetters(
  fields: Map<string, unknown>,
  field: string,
  filled: Letter[],
  note: Note,
): { written: string; places: number[]; unknown: boolean } {
  const written = normaliseLine(readText(fields, field, note))
  const named = new Set(written.toLowerCase().replace(/[\s,;|/&]+/g, ''))
  const places = filled.flatMap((letter, place) => (named.has(letter) ? [place] : []))
  return { written, places, unknown: places.length !== named.size || (written !== '' && named.size === 0) }
}

function readHint(fields: Map<string, unknown>, field: string, filled: Letter[], note: Note): number[] {
  const { written, places, unknown } = readLetters(fields, field, filled, note)
  if (!unknown) return places
  note('letters-unknown', field, written)
  return []
}

function readReview(value: unknown, note: Note): boolean {
  if (value === undefined || value === null) return false
  if (typeof value === 'boolean') return value
  note('review-unknown', 'needs_review', String(value))
  return true
}

function readDifficulty(fields: Map<string, unknown>, note: Note): Difficulty {
  const written = normaliseLine(readText(fields, 'difficulty', note))
  const parsed = Difficulty.safeParse(written.toLowerCase())
  if (parsed.success) return parsed.data
  note('difficulty-unknown', 'difficulty', written)
  return ''
}

function withGivenIds(
  given: unknown,
  filled: Letter[],
  texts: string[],
  note: Note,
): { text: string; id: string | null }[] {
  const ids = new Map<string, unknown>(typeof given === 'object' && given !== null ? Object.entries(given) : [])
  const taken = new Set<string>()
  return filled.map((letter, place) => {
    const text = texts[place] ?? ''
    const id = ids.get(letter)
    if (id === undefined || id === null) return { text, id: null }
    const parsed = OptionId.safeParse(id)
    if (!parsed.success || taken.has(parsed.data)) {
      note('answer-id-replaced', optionField(letter), typeof id === 'string' ? id : typeof id)
      return { text, id: null }
    }
    taken.add(parsed.data)
    return { text, id: parsed.data }
  })
}

function withIds(draft: Draft): QuestionOption[] {
  const derived = deriveOptionIds(
    draft.id,
    draft.answers.map(({ text }) => text),
  )
  const taken = new Set(draft.answers.flatMap(({ id }) => (id === null ? [] : [id])))
  return draft.answers.map(({ text, id, isRight }, place) => ({
    id: id ?? claim(taken, derived[place] ?? ''),
    text,
    isRight,
  }))
}

function claim(taken: Set<string>, wanted: string): string {
  let id = wanted
  for (let turn = 2; taken.has(id); turn++) id = `${wanted}-${turn}`
  taken.add(id)
  return id
}

function idsAt(answers: QuestionOption[], places: number[]): string[] {
  return answers.filter((_, place) => places.includes(place)).map(({ id }) => id)
}

function refused(reasons: Reason[]): Judgement {
  return { verdict: 'refused', reasons }
}

function optionField(letter: Letter): `answer_${Letter}` {
  return `answer_${letter}`
}

function letterAt(place: number): Letter {
  return LETTERS[place] ?? 'f'
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** PostgreSQL refuses NUL and half a surrogate pair in jsonb. */
function withoutUnstorable(text: string): string {
  const stored = text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
  // Few texts have surrogates at all, and looking for lone ones goes character by character.
  return /[\ud800-\udfff]/.test(stored) ? stored.replace(/\p{Surrogate}/gu, '\uFFFD') : stored
}

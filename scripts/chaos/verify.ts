import type { Db } from '../../src/db/open.server.ts'
import { sql } from 'kysely'
import type { BuyerRecord } from './shop-buyers.ts'
import type { ImportRecord } from './shop-importer.ts'
import type { TakerRecord } from './shop-takers.ts'

export type Findings = {
  /** Acknowledged answers that the database does not have, or has otherwise. */
  readonly lost: string[]
  /** Answers and imported exams that are there twice. */
  readonly doubled: string[]
  /** Orders that were paid or gave access more than once. */
  readonly twice: string[]
  /** Payments that the gateway confirmed and that gave no access. */
  readonly withoutAccess: string[]
}

/** Compares the database with what the clients have written down. */
export async function verify(
  db: Db,
  records: { takers: readonly TakerRecord[]; buyers: BuyerRecord; imports: ImportRecord },
): Promise<Findings> {
  const answers = await compareAnswers(db, records.takers)
  const imports = await compareImports(db, records.imports)
  return {
    lost: [...answers.lost, ...imports.lost],
    doubled: [...answers.doubled, ...imports.doubled],
    twice: await listFulfilledTwice(db),
    withoutAccess: await listWithoutAccess(db, records.buyers),
  }
}

async function compareAnswers(db: Db, takers: readonly TakerRecord[]) {
  const rows = await db
    .selectFrom('attempt_answers')
    .where('attempt_id', 'in', ['00000000-0000-0000-0000-000000000000', ...takers.map(({ attemptId }) => attemptId)])
    .select(['attempt_id', 'question_id', 'answer', 'seq'])
    .execute()
  const stored = new Map<string, typeof rows>()
  for (const row of rows) {
    const key = `${row.attempt_id} ${row.question_id}`
    stored.set(key, [...(stored.get(key) ?? []), row])
  }
  const lost: string[] = []
  for (const { attemptId, acknowledged, sent } of takers)
    for (const [questionId, seq] of acknowledged) {
      const row = stored.get(`${attemptId} ${questionId}`)?.[0]
      const where = `attempt ${attemptId}, question ${questionId}, write ${seq}`
      if (row === undefined) lost.push(`${where}: there is no answer`)
      else if (row.seq < seq) lost.push(`${where}: the stored one is ${row.seq}`)
      // A later write may be there although its reply was lost.
      else if (optionOf(row.answer) !== sent.get(questionId)?.get(row.seq))
        lost.push(`${where}: the stored answer ${JSON.stringify(row.answer)} was never sent as ${row.seq}`)
    }
  const doubled = [...stored].filter(([, all]) => all.length > 1).map(([key, all]) => `${key}: ${all.length} answers`)
  return { lost, doubled }
}

function optionOf(answer: unknown): string | undefined {
  return (answer as { optionIds?: string[] } | null)?.optionIds?.[0]
}

async function compareImports(db: Db, { stored }: ImportRecord) {
  const exams = await db
    .selectFrom('test_questions')
    .where('test_name', 'like', 'Chaos import %')
    .select(['test_name as title', 'question_count'])
    .execute()
  const lost: string[] = []
  for (const { title, questions } of stored) {
    const found = exams.find((exam) => exam.title === title)
    if (found?.question_count !== questions)
      lost.push(`${title}: ${found?.question_count ?? 0} of ${questions} questions`)
  }
  const titles = exams.map(({ title }) => title)
  const doubled = [...new Set(titles)]
    .filter((title) => titles.filter((other) => other === title).length > 1)
    .map((title) => `${title}: there are several exams`)
  return { lost, doubled }
}

async function listFulfilledTwice(db: Db): Promise<string[]> {
  const { rows } = await sql<{ order_id: string; moves: number; periods: number; lines: number }>`
    select orders.id as order_id,
      (select count(*)::int from order_moves where order_id = orders.id and to_state = 'paid') as moves,
      (select count(*)::int from access_periods join order_lines on order_lines.id = order_line_id
        where order_id = orders.id) as periods,
      (select count(*)::int from order_lines where order_id = orders.id) as lines
    from orders`.execute(db)
  return rows
    .filter(({ moves, periods, lines }) => moves > 1 || periods > lines)
    .map(({ order_id, moves, periods }) => `order ${order_id}: paid ${moves} times, ${periods} periods of access`)
}

async function listWithoutAccess(db: Db, { paid }: BuyerRecord): Promise<string[]> {
  const rows = await db
    .selectFrom('orders')
    .innerJoin('order_lines', 'order_lines.order_id', 'orders.id')
    .innerJoin('access_periods', 'access_periods.order_line_id', 'order_lines.id')
    .where('orders.state', '=', 'paid')
    .select('gateway_session_id')
    .execute()
  const open = new Set(rows.map(({ gateway_session_id }) => gateway_session_id))
  return [...paid.keys()].filter((id) => !open.has(id)).map((id) => `payment ${id} gave no access`)
}

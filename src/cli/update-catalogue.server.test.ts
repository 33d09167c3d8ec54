import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { withDatabase } from '../../tests/support/database-server.ts'
import { aDatabase } from '../../tests/support/test-database.ts'
import { addCatalogueCourse } from '../app/catalogue-update/catalogue-additions-commands.server.ts'
import { aContentFolder } from '../app/catalogue-update/content-folder.fixture.ts'
import { readContent } from '../app/server/content.server.ts'
import { seed } from '../app/server/seed.server.ts'
import { openDatabase } from '../db/open.server.ts'
import { listDraftQuestions } from '../features/authoring/drafts/drafts-queries.server.ts'
import { addQuestion } from '../features/authoring/drafts/draft-questions-commands.server.ts'
import { systemClock } from '../platform/clock.server.ts'
import { readEnv } from '../platform/env.server.ts'
import { createLog } from '../platform/log.server.ts'
import { projectRoot } from '../platform/project-root.server.ts'
import { runOn } from './altocert.fixture.ts'

const { db, url } = await aDatabase()

const run = (...args: string[]) => runOn(url, ...args)

test('a catalogue update says by name what it would do, does it, and then finds nothing', async () => {
  const seeded = await aContentFolder([
    { slug: 'net', exams: [{ slug: 'net-1', questions: { 'n-1': 'One?', 'n-2': 'Two?' } }] },
  ])
  const { courses } = await readContent(seeded)
  await db
    .transaction()
    .execute((tx) => addCatalogueCourse(tx, courses[0]!, { status: 'published', now: new Date(Date.now() - 60_000) }))
  const next = await aContentFolder([
    {
      slug: 'net',
      description: 'Better words.',
      exams: [
        { slug: 'net-1', title: 'Another title', questions: { 'n-1': 'One, better?', 'n-3': 'Three?' } },
        { slug: 'net-2', questions: { 'n-4': 'Four?' } },
      ],
    },
    { slug: 'sec', exams: [{ slug: 'sec-1', questions: { 's-1': 'One?' } }] },
  ])
  const dry = await run('update-catalogue', next)
  expect(dry).toMatchObject({ code: 0, errors: '' })
  expect(dry.output).toMatchInlineSnapshot(`
    "net: Course net
      course texts corrected with --publish: description
      net-1
        settings corrected: title
        1 new: n-3
        1 corrected: n-1 (text)
        stay, although the catalogue has them no more: n-2
      net-2
        new exam, added with --publish
        1 new: n-4

    sec: Course sec
      new course, to be added as a draft: an admin sets its price and publishes it
      sec-1: 1 question

    1 new course, 1 new exam, 2 new questions, 1 corrected, 2 course texts and settings.
    Nothing was changed. --apply puts this into drafts, --publish also publishes it."
  `)
  const applied = await run('update-catalogue', next, '--apply')
  expect([applied.code, applied.output]).toEqual([0, expect.stringContaining('waits in the draft')])
  const published = await run('update-catalogue', next, '--publish', '--json')
  expect([published.code, JSON.parse(published.output)]).toMatchObject([
    0,
    { mode: 'publish', courses: [{ slug: 'net', exams: [{ publishedVersion: 2 }, { publishedVersion: 1 }] }, {}] },
  ])
  const again = await run('update-catalogue', next, '--publish')
  expect(again).toMatchObject({ code: 0, errors: '' })
  expect(again.output).toMatchInlineSnapshot(`
    "net: Course net
      net-1
        stay, although the catalogue has them no more: n-2

    The shop has everything of this catalogue."
  `)
})

test('the update exits with 1 when an admin has to publish a draft', async () => {
  const content = (stem: string) =>
    aContentFolder([{ slug: 'dev', exams: [{ slug: 'dev-1', questions: { 'd-1': stem } }] }])
  const { courses } = await readContent(await content('One?'))
  const now = new Date(Date.now() - 60_000)
  await db.transaction().execute((tx) => addCatalogueCourse(tx, courses[0]!, { status: 'published', now }))
  const { id: examId } = await db
    .selectFrom('test_questions')
    .where('slug', '=', 'dev-1')
    .select('id')
    .executeTakeFirstOrThrow()
  await run('update-catalogue', await content('One, better?'), '--apply')
  const option = (text: string, isRight: boolean) => ({ id: null, text, isRight })
  await addQuestion(db, {
    actorId: null,
    now: new Date(),
    examId,
    edit: {
      type: 'choice',
      stem: 'Ours?',
      options: [option('This', true), option('That', false)],
      explanation: '',
      domain: '',
      url: '',
      needsReview: false,
    },
  })
  const { code, output } = await run('update-catalogue', await content('One, better?'), '--publish')
  expect([code, output]).toEqual([1, expect.stringContaining('not published: its draft has changes by an admin')])
  expect(await listDraftQuestions(db, examId)).toMatchObject([{ stem: 'One, better?' }, { stem: 'Ours?' }])
})

test('a shop has everything of the catalogue with which it was seeded', async () => {
  const fresh = await aDatabase()
  const env = readEnv({ PORT: '3000', DATABASE_URL: fresh.url, LOG_LEVEL: 'error' })
  expect(await seed({ db: fresh.db, env, clock: systemClock, log: createLog('error') })).toMatchObject({ courses: 12 })
  const everything = { code: 0, output: 'The shop has everything of this catalogue.' }
  expect(await runOn(fresh.url, 'update-catalogue')).toMatchObject(everything)
  await fresh.db.deleteFrom('catalogue_origins').execute()
  expect(await runOn(fresh.url, 'update-catalogue')).toMatchObject(everything)
})

test('wrong usage exits with 2, and a catalogue with errors changes nothing', async () => {
  const folder = await aContentFolder([{ slug: 'ops', exams: [{ slug: 'ops-1', questions: { 'o-1': 'One?' } }] }])
  for (const [args, sentence] of [
    [[folder, folder], 'name one folder'],
    [[folder, '--apply', '--publish'], 'name one of them'],
    [['/nowhere/at/all'], 'no such file'],
    [[join(folder, 'ops')], 'has no courses'],
  ] as const)
    expect(await run('update-catalogue', ...args)).toMatchObject({ code: 2, errors: expect.stringContaining(sentence) })
  await writeFile(join(folder, 'ops/course.md'), 'no course')
  const { code, errors } = await run('update-catalogue', folder, '--publish')
  expect([code, errors]).toEqual([1, expect.stringContaining('nothing was changed')])
  expect(await db.selectFrom('courses').where('slug', '=', 'ops').select('id').execute()).toEqual([])
})

test('a shop that was restored from a backup of the version before the renames can be compared with the catalogue', async () => {
  const name = 'update_before_renames'
  const root = openDatabase(inject('databaseServer'), { connections: 1 })
  await root.pool.query(`drop database if exists ${name} with (force)`)
  await root.pool.query(`create database ${name}`)
  await root.close()
  const old = withDatabase(inject('databaseServer'), name)
  const backup = join(projectRoot, 'tests/fixtures/shop-before-renames.backup')
  expect(await runOn(old, 'restore', backup)).toMatchObject({ code: 0 })
  const { code, output } = await runOn(old, 'update-catalogue', '--json')
  expect([code, JSON.parse(output)]).toMatchObject([0, { mode: 'dry-run' }])
  const { courses } = JSON.parse(output) as { courses: { state: string }[] }
  expect(courses.filter(({ state }) => state === 'new')).toHaveLength(12)
})

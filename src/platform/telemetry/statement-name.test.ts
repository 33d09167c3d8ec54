import { expect, test } from 'vitest'
import { statementName } from './statement-name.ts'

test('a statement is named by its verb and its table, and by none of its values', () => {
  const named = (text: string) => Object.values(statementName(text)).join(' ').trim()
  expect(named('select "id" from "users" where "email" = $1')).toBe('select users')
  expect(named("/* prepared */ insert into orders (id) values ('from secret')")).toBe('insert orders')
  expect(named('update "attempts" set "state" = $1 from "users" where 1 = 1')).toBe('update attempts')
  expect(named('delete from attempt_answers where attempt_id = $1')).toBe('delete attempt_answers')
  expect(named('begin')).toBe('begin')
  expect(
    named('with given as (select 1), done (a) as (select 2 from given) select * from done join courses on true'),
  ).toBe('select courses')
  expect(
    named(
      'with allowed as (select extract(epoch from (a - b)) from attempts for key share skip locked) insert into attempt_answers select * from allowed',
    ),
  ).toBe('insert attempt_answers')
  expect(named('select * from json_to_recordset($1) as given (id uuid)')).toBe('select')
  expect(named("select 1 where 'a' is distinct from b")).toBe('select')
  expect(named('update jobs.job set data = $1')).toBe('update jobs.job')
  expect(named('select id from orders for update skip locked')).toBe('select orders')
  expect(named('select exists (select from authenticators where user_id = id) from sessions join users on true')).toBe(
    'select sessions',
  )
  expect(named('')).toBe('unknown')
})

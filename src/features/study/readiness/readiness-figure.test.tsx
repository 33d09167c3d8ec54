import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { StaticRouter } from 'react-router'
import { ReadinessFigure } from './readiness-figure.tsx'
import { StudyLine } from '../ui/study-line.tsx'

const forecast = { expectedPercent: 78.4, lowPercent: 66.2, highPercent: 87.7, passChance: 0.83 }
const real = { expectedPercent: 77.1, lowPercent: 60, highPercent: 92.3, passChance: 0.71 }
const estimate = (resultCount: number) => ({
  kind: 'estimate' as const,
  answered: 120,
  passingPercent: 72,
  ...forecast,
  realExam: { ...real, resultCount },
})

test('a learner reads two statements: one for exams like ours, and a wider one for the real exam with the chance to pass', () => {
  const text = renderToStaticMarkup(<ReadinessFigure readiness={estimate(0)} />)
  expect(text).toContain('About 78%')
  expect(text).toContain(
    'on an exam like those of this course you would get between 66% and 88%, nine times out of ten',
  )
  expect(text).toContain('On the real exam, which may be harder or easier than our questions: between 60% and 92%.')
  expect(text).toContain('The chance to reach the 72% that pass: 71%.')
  expect(text).toContain('No results of the real exam are known here yet')
})

test('once results of the real exam are known, their number is named', () => {
  const text = renderToStaticMarkup(<ReadinessFigure readiness={estimate(31)} />)
  expect(text).toContain('It rests on 31 results of the real exam.')
  expect(text).not.toContain('No results')
})

test('My Courses has the expected score, both ranges and the passing score', () => {
  const course = { slug: 'a-course', title: 'A course' }
  const text = renderToStaticMarkup(
    <StaticRouter location="/my-courses">
      <StudyLine
        course={course}
        repetition={{ dueCount: 0, nextDueAt: null, examDate: null, fitted: null }}
        readiness={estimate(0)}
        plan={null}
        isMain
      />
    </StaticRouter>,
  )
  expect(text).toContain('Readiness, an estimate')
  expect(text).toContain('About 78%')
  expect(text).toContain('72% to pass')
  expect(text).toContain('66 to 88% on exams like ours, 60 to 92% on the real one')
})

import { renderToString } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import type { CaseStudyView } from './draft-case-studies.schema.ts'
import { CaseStudyEditor } from './ui/case-study-editor.tsx'
import { CaseStudyList } from './ui/case-study-list.tsx'

const view: CaseStudyView = {
  caseStudy: {
    id: 'claims',
    title: 'A claims department',
    tabs: [
      { id: 't1', title: 'Situation', body: 'Letters **arrive**.' },
      { id: 't2', title: 'Exhibit', body: 'One table.' },
    ],
  },
  version: 7,
  questionNumbers: [2, 3],
  problems: ['It is apart.'],
}

function shown(element: React.ReactNode): string {
  const Stub = createRoutesStub([{ path: '/', Component: () => element }])
  return renderToString(<Stub initialEntries={['/']} />).replaceAll('<!-- -->', '')
}

test('the list of a draft shows each case study with its questions, tabs and problems, and leads to its form', () => {
  const html = shown(
    <CaseStudyList examId="exam" hasDraft list={{ caseStudies: [view], problems: ['One is lost.'] }} />,
  )
  for (const text of [
    'A claims department',
    'Questions 2, 3',
    '2 tabs: Situation, Exhibit',
    'It is apart.',
    'One is lost.',
  ])
    expect(html).toContain(text)
  expect(html).toContain('href="/admin/exams/exam/case-study/claims"')
  expect(html).toContain('href="/admin/exams/exam/case-study"')
  expect(html).toContain('href="/admin/exams/exam/new-question?caseStudy=claims"')
})

test('without a draft the list leads to no form, and an exam without case studies has no list', () => {
  const html = shown(<CaseStudyList examId="exam" hasDraft={false} list={{ caseStudies: [view], problems: [] }} />)
  expect(html).toContain('A claims department')
  expect(html).not.toContain('href=')
  expect(shown(<CaseStudyList examId="exam" hasDraft={false} list={{ caseStudies: [], problems: [] }} />)).toBe('')
})

test('the form has a labelled field for the title and for the name and the text of each tab, and buttons that move it', () => {
  const html = shown(<CaseStudyEditor examId="exam" adminId="admin" stored={view} />)
  for (const label of ['Title', 'Name of tab 1', 'Text of tab 2', 'Move tab 1 down', 'Remove tab 2', 'Add a tab'])
    expect(html).toContain(label)
  expect(html).toContain('<strong>arrive</strong>')
  expect(html).toContain('Delete case study…')
})

test('a new case study begins with one tab, which the preview names, and cannot be deleted', () => {
  const html = shown(<CaseStudyEditor examId="exam" adminId="admin" stored={null} />)
  expect(html.match(/data-tab=/g)).toHaveLength(1)
  expect(html).not.toContain('Delete case study')
  expect(html).toMatch(/role="tab"[^>]*>Tab 1</)
})

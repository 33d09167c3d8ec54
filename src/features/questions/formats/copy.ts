import type { FileCode } from './schema.ts'

export const fileSentences = {
  'file-unreadable': (about) => `The file could not be read: ${about}`,
  'course-file-missing': () => 'The folder has no course.md.',
  'folder-name': (about) => `"${about}" can't be the slug of a course: lower-case letters, digits and single hyphens.`,
  'head-missing': () => 'The file does not begin with a head: facts between two lines "---".',
  'head-broken': (about) => `The head is not valid YAML: ${about}`,
  'field-missing': (about) => `The head has no "${about}".`,
  'field-wrong': (about) => `The head's ${about}`,
  'field-unknown': (about) => `The head's "${about}" means nothing here; is it misspelt?`,
  'text-before-questions': (about) => `This text stands before the first question and belongs to none: ${about}`,
  'no-questions': () => 'The exam has no questions.',
} satisfies Record<FileCode, (about: string) => string>

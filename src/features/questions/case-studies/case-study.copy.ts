import type { CaseStudyCode } from './case-study.schema.ts'

/** A sentence for each problem of a case study, with the title, key or line that it names. */
export const caseStudySentences = {
  'case-study-key': (about: string) =>
    `"${about}" can't be the key of a case study: a key has letters, digits, ".", "_" and "-", begins with a letter or digit, and has at most 100 characters.`,
  'case-study-taken': (about: string) => `Another case study of this exam has the key "${about}".`,
  'case-study-untitled': (about: string) => `The case study "${about}" has no title.`,
  'case-study-tabs': (about: string) => `A case study needs one to eight tabs: ${about}`,
  'case-study-tab-empty': (about: string) => `A tab of the case study has no name or no text: ${about}`,
  'case-study-too-long': (about: string) =>
    `A title of the case study is longer than 200 characters, the name of a tab longer than 100, or its text longer than 100,000: ${about}`,
  'case-study-nested': (about: string) => `A case study can't hold another one: ${about}`,
  'case-study-stray': (about: string) => `This line belongs to no tab of the case study: ${about}`,
  'case-study-without-questions': (about: string) =>
    `The case study has fewer than two questions; it needs two to eight that name it: ${about}`,
  'case-study-crowded': (about: string) => `The case study has more than eight questions: ${about}`,
  'case-study-apart': (about: string) =>
    `Questions of one case study follow each other; this one stands apart from the others: ${about}`,
  'case-study-named-wrongly': (about: string) =>
    `The question names a case study that the exam does not have: ${about}`,
  'case-study-picture-missing': (about: string) =>
    `The case study shows the picture "${about}", which is not among the files.`,
} satisfies Record<CaseStudyCode, (about: string) => string>

import { error, warning } from '../type-findings.ts'

export const SHORT_ANSWER_REMARKS = {
  'form-covered': warning(
    'Accepted answer without effect',
    (form: string, by: string) => `"${by}" accepts already what "${form}" accepts.`,
  ),
  'form-takes-all': error(
    'Every answer is right',
    () => 'An accepted answer is only "*", so that every answer is right.',
  ),
} as const

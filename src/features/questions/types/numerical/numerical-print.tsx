import type { TypePrint } from '../print-registry.tsx'
import { PrintedLine } from '../written/written-print.tsx'
import { keyLine } from './numerical-grading.ts'

export const numericalPrint: TypePrint<'numerical'> = {
  PrintedParts: ({ question }) => <PrintedLine unit={question.unit} />,
  printedKey: keyLine,
}

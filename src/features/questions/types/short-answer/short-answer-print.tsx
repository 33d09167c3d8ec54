import type { TypePrint } from '../print-registry.tsx'
import { PrintedLine } from '../written/written-print.tsx'
import { acceptedTexts } from './short-answer-texts.ts'

export const shortAnswerPrint: TypePrint<'short-answer'> = {
  PrintedParts: () => <PrintedLine />,
  printedKey: (question) => acceptedTexts(question).join(' / '),
}

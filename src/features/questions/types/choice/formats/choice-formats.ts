import type { LossKind } from '../../../formats/formats.copy.ts'
import type { TypeFormats } from '../../type-formats.ts'
import { lettersOf } from '../choice-letters.ts'
import type { ChoiceQuestion } from '../choice.schema.ts'
import { writeChoiceCard } from './choice-card.ts'
import { giftChoice, writeGiftChoice } from './choice-gift.ts'
import { aikenChoice, boxedChoice, numberedChoice } from './choice-lists.ts'
import { ownJsonChoice, ownMarkdownChoice } from './choice-markdown.ts'
import { moodleChoice, writeChoiceGap, writeMoodleChoice } from './choice-moodle.ts'
import { inputOfChoice, keyTextsOfChoice, NO_CHOICE, withChoiceTexts } from './choice-parsed.ts'
import { qtiChoice, qtiOneChoice, writeQtiChoice } from './choice-qti.ts'
import { rowChoice, udemyChoice, writeUdemyChoice } from './choice-tables.ts'
import { votedChoice } from './choice-voted.ts'

export const choiceFormats: TypeFormats<'choice'> = {
  emptyBody: () => NO_CHOICE,
  inputOf: inputOfChoice,
  keyTexts: keyTextsOfChoice,
  withTexts: withChoiceTexts,
  explainedTexts: ({ options }) => options.map(({ text }) => text),
  losses: lossesOfChoice,
  markdown: ownMarkdownChoice,
  json: ownJsonChoice,
  readers: {
    gift: giftChoice,
    aiken: aikenChoice,
    'moodle-xml': moodleChoice,
    qti: qtiChoice,
    'qti-1': qtiOneChoice,
    csv: rowChoice,
    'udemy-csv': udemyChoice,
    'markdown-numbered': numberedChoice,
    'markdown-boxes': boxedChoice,
    'voted-json': votedChoice,
  },
  writers: {
    gift: writeGiftChoice,
    'moodle-xml': writeMoodleChoice,
    'moodle-gap': writeChoiceGap,
    qti: writeQtiChoice,
    'udemy-csv': writeUdemyChoice,
    anki: writeChoiceCard,
  },
}

function lossesOfChoice(
  out: ChoiceQuestion,
  back: ChoiceQuestion,
  isSame: (out: string, back: string) => boolean,
): LossKind[] {
  const letters = (of: ChoiceQuestion, kind: 'suggestedOptionIds' | 'mostVotedOptionIds') => lettersOf(of, of[kind])
  const checks: [LossKind, boolean][] = [
    ['answers', areOptionsSame(out, back, isSame)],
    ['order', out.order === back.order],
    ['suggested', letters(out, 'suggestedOptionIds') === letters(back, 'suggestedOptionIds')],
    ['mostVoted', letters(out, 'mostVotedOptionIds') === letters(back, 'mostVotedOptionIds')],
  ]
  return checks.flatMap(([kind, isKept]) => (isKept ? [] : [kind]))
}

function areOptionsSame(
  out: ChoiceQuestion,
  back: ChoiceQuestion,
  isSame: (out: string, back: string) => boolean,
): boolean {
  return (
    out.options.length === back.options.length &&
    out.options.every(({ text, isRight }, place) => {
      const other = back.options[place]
      return other !== undefined && isRight === other.isRight && isSame(text, other.text)
    })
  )
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { plainText } from '../../../../lib/markdown.ts'
import { comparedPartsOf } from '../../types/check-registry.ts'
import type { Question } from '../../types/question-types.schema.ts'
import { readBank, recognise } from '../bank.ts'
import { wordLost } from '../formats.copy.ts'
import type { ReadStep } from '../formats.schema.ts'

/*
 * Packages of QTI 2.1 and 2.2 as other programs write them, read from the folder and from a zip: every interaction that becomes a type
 * of ours, a shared stimulus, and one package with faults.
 */

function filesOf(name: string): Record<string, Uint8Array> {
  const folder = join(import.meta.dirname, '..', 'fixtures', name)
  return Object.fromEntries(readdirSync(folder).map((file) => [file, new Uint8Array(readFileSync(join(folder, file)))]))
}

function readZip(name: string): ReadStep[] {
  const files = [{ path: `${name}.zip`, bytes: zipSync(filesOf(name)) }]
  expect(recognise(files)?.format).toBe('qti-2')
  return [...readBank(files)]
}

const questionsOf = (steps: readonly ReadStep[]) =>
  steps.flatMap((step) => (step.kind === 'question' ? [step.question] : []))

/** A question as one line: its type, its text, and what its key says of each part. */
function lineOf(question: Question): string {
  const parts = comparedPartsOf(question).map(({ text, keyValue }) => `${plainText(text) || text}: ${keyValue}`)
  return `${question.type}: ${question.stem.replaceAll('\n\n', ' ')} | ${parts.join('; ')}`
}

const linesIn = (steps: readonly ReadStep[]) =>
  questionsOf(steps).flatMap(({ question }) => (question === undefined ? [] : [lineOf(question)]))

test.each(['qti-2-1-package', 'qti-2-2-package', 'qti-2-faults'])(
  '%s says the same in a folder and in a zip',
  (name) => {
    const loose = Object.entries(filesOf(name)).map(([path, bytes]) => ({ path, bytes }))
    const keysIn = (steps: readonly ReadStep[]) => questionsOf(steps).map(({ key, verdict }) => [key, verdict])
    expect(keysIn(readZip(name))).toEqual(keysIn([...readBank(loose)]))
  },
)

test('a package of QTI 2.1 with every interaction is read to the questions that they are, in the order of its test', () => {
  const steps = readZip('qti-2-1-package')
  expect(steps.filter(({ kind }) => kind !== 'question')).toEqual([
    { kind: 'exam', file: 'test.xml', facts: { title: 'Harbor work', timeLimitMinutes: 45 } },
  ])
  expect(linesIn(steps)).toMatchInlineSnapshot(`
    [
      "choice: Which two goods must stay dry? | Tea: right; Ice: wrong; Rice: right",
      "ordering: A ship has arrived. Select three steps and put them in order. | Moor the ship: 1; Open the hatch: 2; Lift the boxes: 3; Set sail: out",
      "matching: What happens to each? | A crane: lifts; A tug: moves on water; A barge: moves on water; flies: out",
      "matching: Which word belongs to which light? | A red light: …: port; A green light: …: starboard; keel: out",
      "drop-down: A [[1]] is laid around a [[2]]. | rope: right in 1; bollard: right in 2",
      "drop-down: High water comes [[1]] a day, and is drawn by [[2]]. | twice: right in 1; once: wrong; the wind: wrong; the moon: right in 2; ships: wrong",
      "hot-spot: Where are the two lights? | picture:harbor.png: image; Red light: right; Green light: right; Pier: wrong; SHED: wrong",
      "short-answer: Six feet of water are a _____ at sea. | text: fathom
    one fathom",
      "numerical: How many kilometers has a nautical mile? | number: 1.852 ± 0.01",
      "matching: Which two mean the same? | The bow: the front; The stern: the back",
    ]
  `)
  const [choice, , match] = questionsOf(steps)
  expect([choice?.question?.explanation, match?.question?.explanation]).toEqual([
    'Tea and rice spoil when they are wet.',
    'Tugs and barges float.',
  ])
  expect(questionsOf(steps).flatMap(({ images }) => images.map(({ name }) => name))).toEqual(['harbor.png'])
})

test('items of QTI 2.2 that share a stimulus are a case study with its tabs and its picture, the others stand alone', () => {
  const steps = readZip('qti-2-2-package')
  const [caseStudy] = steps.flatMap((step) => (step.kind === 'case-study' ? [step] : []))
  expect(caseStudy?.caseStudy.title).toBe('A bakery plans its night')
  expect(caseStudy?.caseStudy.tabs.map(({ title, body }) => [title, body])).toEqual([
    ['Situation', 'Two ovens bake 400 loaves an hour. The shop opens at **six**.'],
    ['Orders', '| bread | loaves |\n| --- | --- |\n| rye | 900 |'],
    ['Plan', '![Two ovens beside a table](picture:plan.png)'],
  ])
  expect(caseStudy?.images.map(({ name }) => name)).toEqual(['plan.png'])
  const named = questionsOf(steps).map(({ question }) => question?.caseStudy)
  expect(named).toEqual(['stimulus', 'stimulus', 'stimulus', undefined, undefined, undefined, undefined])
  expect(linesIn(steps)).toMatchInlineSnapshot(`
    [
      "numerical: How many hours do 900 loaves take? | number: 2.25 ± 0.225",
      "ordering: In which order does the night go? | Mix the dough: 1; Let it rest: 2; Bake: 3",
      "hot-spot: Which oven is nearer to the door? | picture:plan.png: image; Left oven: right; Table: wrong; Right oven: wrong",
      "matching: Which bread comes of which flour? | Rye: dark bread; Wheat: light bread",
      "drop-down: Without [[1]] the dough rises too fast, and tastes of nothing. | salt: right; sugar: wrong",
      "drop-down: A crust shines if there is [[1]] in the oven. | steam: right; smoke: wrong",
      "short-answer: What is kept alive from one night to the next? | text: sourdough",
    ]
  `)
  const lost = questionsOf(steps).flatMap((one) => one.lost.map((part) => `${one.file}: ${wordLost(part)}`))
  expect(lost).toEqual(['starter.xml: Partial credit is not kept: a question is right or wrong as a whole.'])
})

test('what is wrong with an item is told by the item, and what is not there by its name; the others are read', () => {
  const steps = readZip('qti-2-faults')
  const told = questionsOf(steps).map(({ file, reasons: [first] }) => `${file}: ${first?.sentence}`)
  expect(told).toMatchInlineSnapshot(`
    [
      "01-order-without-key.xml: No answer is marked as right.",
      "02-order-equal-steps.xml: Two parts of the question say the same: Monday",
      "03-order-unknown-step.xml: "SUN" is said to be right and is none of the answers.",
      "04-match-two-partners.xml: The bank does not hold questions of this type: matchInteraction in which a part has several partners",
      "05-match-without-partner.xml: Prompt 2 has no right answer.",
      "06-gap-without-right.xml: Gap 2 has no right answer.",
      "07-inline-without-right.xml: Gap 1 has no right answer.",
      "08-area-outside.xml: The area "East" lies outside the image or has no size.",
      "09-area-without-shape.xml: The area "Middle" has no shape that can be read: rect, circle or polygon, with its numbers.",
      "10-area-without-picture.xml: A text shows the picture "lost.png", which is not among the files.",
      "11-number-in-words.xml: "many" is not a number.",
      "12-tolerance-below-zero.xml: The tolerance can't be below zero: -1",
      "13-tolerance-uneven.xml: Which answers are right is not quite clear: the tolerance is 0 or 1",
      "14-two-texts.xml: The bank does not hold questions of this type: textEntryInteraction, textEntryInteraction",
      "15-essay.xml: The bank does not hold questions of this type: extendedTextInteraction",
      "16-slider.xml: The bank does not hold questions of this type: sliderInteraction",
      "17-lost-stimulus.xml: The question has no explanation.",
    ]
  `)
  const findings = steps.flatMap((step) =>
    step.kind === 'finding' ? [`${step.finding.file}: ${step.finding.sentence}`] : [],
  )
  expect(findings).toEqual([
    'letter.xml: The file could not be read: an item names this stimulus, and it is not there.',
    '99-not-there.xml: The file could not be read: the test names it, and it is not there.',
  ])
  expect(linesIn(steps)).toHaveLength(3)
})

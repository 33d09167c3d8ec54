import { error, refused } from '../type-findings.ts'

export const HOT_SPOT_REASONS = {
  'area-outside': refused((about) => `The area "${about}" lies outside the image or has no size.`),
  'area-unclear': refused(
    (about) => `The area "${about}" has no shape that can be read: rect, circle or polygon, with its numbers.`,
  ),
  'image-missing': refused(() => 'The question needs one picture, as Markdown: ![What it shows](address).'),
  'image-size': refused((about) => `The picture needs a ${about} between 1 and 4,000 pixels.`),
} as const

export const HOT_SPOT_REMARKS = {
  'area-covered': error(
    'Area within another one',
    (text: string) => `An area lies within another one, so that a press could mean either: ${text}`,
  ),
} as const

import { remark } from '../../checks/bank-checks.copy.ts'
import { imagesIn } from '../../image-addresses.ts'
import type { TypeChecks } from '../type-checks.ts'
import type { Area } from './hot-spot.schema.ts'

export const hotSpotChecks: TypeChecks<'hot-spot'> = {
  comparedParts: ({ image, areas }) => [
    // Two questions about one picture differ by what they ask; about two pictures they are never the same.
    { text: imagesIn(image)[0]?.address ?? image, keyValue: 'image', isRight: false },
    ...areas.map(({ text, isRight }) => ({ text, keyValue: isRight ? 'right' : 'wrong', isRight })),
  ],

  wordingRemarks({ areas }) {
    const covered = areas.find((one) => areas.some((other) => one !== other && covers(other, one)))
    return covered === undefined ? [] : [remark('area-covered', covered.text)]
  },

  balanceRemarks: () => [],
  cueOptions: () => null,
  kinds: { 'hot-spot': 'to point at in a picture' },
  kindOf: () => 'hot-spot',
}

/** Whether the box around one area lies within that of another, so that a pointer could mean either. */
function covers(outer: Area, inner: Area): boolean {
  const [out, box] = [boxOf(outer), boxOf(inner)]
  return out.left <= box.left && out.top <= box.top && out.right >= box.right && out.bottom >= box.bottom
}

function boxOf({ shape, numbers }: Area) {
  const [a = 0, b = 0, c = 0, d = 0] = numbers
  if (shape === 'rect') return { left: a, top: b, right: c, bottom: d }
  if (shape === 'circle') return { left: a - c, top: b - c, right: a + c, bottom: b + c }
  const [xs, ys] = [numbers.filter((_, at) => at % 2 === 0), numbers.filter((_, at) => at % 2 === 1)]
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}

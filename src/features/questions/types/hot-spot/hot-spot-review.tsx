import { Markdown } from '../../../../ui/markdown-text.tsx'
import { letterOfPart, lettersOfParts } from '../parts/part-letters.ts'
import { PartMark } from '../parts/part-mark.tsx'
import type { AnswerReviewProps } from '../type-form.ts'
import { AreaOverlay, type OverlaidArea } from './area-overlay.tsx'
import type { HotSpotAnswer, HotSpotForReview, HotSpotForTaking } from './hot-spot.schema.ts'
import type { TypeReview } from '../review-registry.tsx'

export const hotSpotReview: TypeReview<'hot-spot'> = {
  Parts: HotSpotReview,
  Opinions: () => null,
  answerLabel: areaLetters,
}

/** The picture with its areas marked as chosen, right or wrong, and the same in words. */
export function HotSpotReview({ question, answer }: AnswerReviewProps<'hot-spot'>) {
  const rights = 'rightAreaIds' in question ? question.rightAreaIds : null
  const given = answer?.areaIds ?? []
  const lookOf = (id: string): OverlaidArea['look'] => {
    if (rights?.includes(id) === true) return 'right'
    if (!given.includes(id)) return 'open'
    return rights === null ? 'chosen' : 'wrong'
  }
  return (
    <>
      <AreaOverlay
        image={question.image}
        width={question.width}
        height={question.height}
        areas={question.areas.map((area, place) => ({
          ...area,
          letter: letterOfPart(place),
          look: lookOf(area.id),
        }))}
        onChoose={null}
      />
      <ul className="mt-3 max-w-read space-y-2">
        {question.areas.map(({ id, text }, place) => (
          <li key={id} className="flex gap-3 rounded-md border border-line px-4 py-2.5">
            <span aria-hidden="true" className="w-4 shrink-0 font-semibold text-soft">
              {letterOfPart(place)}
            </span>
            <div className="min-w-0">
              <Markdown text={text} as="phrasing" />
              <PartMark isGiven={given.includes(id)} isRight={rights?.includes(id) ?? null} />
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The letters of the areas: 'A, C'. */
export function areaLetters({ areas }: HotSpotForTaking | HotSpotForReview, { areaIds }: HotSpotAnswer): string {
  const inOrder = areas.map(({ id }) => id).filter((id) => areaIds.includes(id))
  return lettersOfParts(areas, inOrder)
}

import { fill } from '../../../lib/failure.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { cardsPath } from '../study-client.ts'
import { copy } from '../study.copy.ts'

/** A download of the missed and due questions for Anki, or the sentence that there are none. */
export function CardsBlock({ courseSlug, count }: { courseSlug: string; count: number }) {
  return (
    <section
      aria-labelledby="cards-heading"
      className="mt-8 flex flex-wrap items-center justify-between gap-4 rounded-lg border border-line bg-surface p-5 tablet:p-6"
    >
      <div className="min-w-0 flex-1 basis-72">
        <h2 id="cards-heading" className="text-lg font-semibold">
          {copy['cards.title']}
        </h2>
        <p className="text-soft">{copy[count === 0 ? 'cards.none' : 'cards.about']}</p>
      </div>
      {count === 0 ? null : (
        <ButtonLink look="secondary" to={cardsPath(courseSlug)} reloadDocument>
          {fill(copy['cards.download'], { n: count })}
        </ButtonLink>
      )}
    </section>
  )
}

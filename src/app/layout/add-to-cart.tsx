import type { ComponentProps } from 'react'
import { addToCart } from '../../features/cart/cart-client.ts'
import { copy as catalogueCopy } from '../../features/catalogue/catalogue.copy.ts'
import { fill } from '../../lib/failure.ts'
import { Button } from '../../ui/button.tsx'

type Sellable = {
  readonly id: string
  readonly slug: string
  readonly title: string
  readonly description: string
  readonly priceCents: number
  readonly wasCents: number | null
  readonly imageUrl: string
}

/** Buys a course, or extends the access of its owner, who studies first: the button is the second one then. */
export function BuyOrExtend({
  isOwned,
  ...rest
}: { isOwned: boolean } & Pick<ComponentProps<typeof AddToCart>, 'course' | 'onCard' | 'className'>) {
  return isOwned ? (
    <AddToCart {...rest} look="secondary" label={catalogueCopy['card.extend']} />
  ) : (
    <AddToCart {...rest} />
  )
}

/** Adds a course to the cart. On a card the toast names the course; elsewhere it shows the cart's own sentence. */
export function AddToCart({
  course,
  onCard = false,
  label = catalogueCopy['card.add'],
  look,
  className,
}: {
  course: Sellable
  onCard?: boolean
  label?: string
  look?: 'primary' | 'secondary'
  className?: string
}) {
  const handleClick = () =>
    addToCart(
      {
        id: course.id,
        slug: course.slug,
        title: course.title,
        name: course.title,
        description: course.description,
        price: course.priceCents / 100,
        ...(course.wasCents === null ? {} : { was: course.wasCents / 100 }),
        image: course.imageUrl,
      },
      onCard
        ? [catalogueCopy['card.added.title'], fill(catalogueCopy['card.added.text'], { title: course.title })]
        : undefined,
    )
  return (
    <Button
      look={look}
      className={className}
      onClick={handleClick}
      aria-label={onCard ? `${label}: ${course.title}` : undefined}
    >
      {label}
    </Button>
  )
}

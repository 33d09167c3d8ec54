import { z } from 'zod'
import { parseDollars } from '../../lib/money.ts'
import { MAX_QUANTITY } from './cart.ts'

/** An item as local storage holds it under `cart`; the price is in dollars. */
export const CartItem = z.object({
  id: z.string().min(1).max(100),
  /** Missing in carts stored by earlier versions; the id leads to the course too. */
  slug: z.string().min(1).max(200).optional(),
  title: z.string().max(400),
  name: z.string().max(400),
  description: z.string().optional(),
  price: z
    .number()
    .refine((price) => parseDollars(price) !== null && price >= 0, 'must be dollars with at most two decimals'),
  /** During a sale the price that is struck through, in dollars. */
  was: z.number().nonnegative().optional().catch(undefined),
  quantity: z.number().int().min(1).max(MAX_QUANTITY),
  image: z.string().default(''),
})
export type CartItem = z.infer<typeof CartItem>

export const StoredCart = z.array(CartItem).max(100)

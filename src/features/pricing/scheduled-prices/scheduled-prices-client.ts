import { clientOf } from '../../../platform/api-client.ts'
import type { plansApi } from './scheduled-prices-endpoints.server.ts'
import type { PricesForm } from './scheduled-prices.schema.ts'

const call = clientOf<typeof plansApi>()

/** @throws CallFailed, with problems under `which.…`, `change.…` and `when.…` */
export const previewPrices = (form: PricesForm) => call('POST', '/api/prices/preview', { body: form })

/** @throws CallFailed */
export const applyPrices = (form: PricesForm, mark: string) => call('POST', '/api/prices', { body: { ...form, mark } })

/** @throws CallFailed */
export const cancelScheduledPrice = (scheduledPriceId: string) =>
  call('DELETE', '/api/scheduled-prices/:scheduledPriceId', { params: { scheduledPriceId } })

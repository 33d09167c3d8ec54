import { clientOf } from '../../../platform/client.ts'
import type { plansApi } from './api.server.ts'
import type { PricesForm } from './schema.ts'

const call = clientOf<typeof plansApi>()

/** @throws CallFailed, with problems under `which.…`, `change.…` and `when.…` */
export const previewPrices = (form: PricesForm) => call('POST', '/api/prices/preview', { body: form })

/** @throws CallFailed */
export const applyPrices = (form: PricesForm, mark: string) => call('POST', '/api/prices', { body: { ...form, mark } })

/** @throws CallFailed */
export const cancelPlan = (planId: string) => call('DELETE', '/api/price-plans/:planId', { params: { planId } })

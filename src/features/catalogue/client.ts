import { clientOf } from '../../platform/client.ts'
import type { catalogueApi } from './api.server.ts'

const call = clientOf<typeof catalogueApi>()

export const changePrice = (courseId: string, price: string) =>
  call('PATCH', '/api/courses/:courseId', { params: { courseId }, body: { price } })
export const changeFreeTrial = (examId: string, isFreeTrial: boolean) =>
  call('PATCH', '/api/test_questions/:examId', { params: { examId }, body: { is_free_trial: isFreeTrial } })

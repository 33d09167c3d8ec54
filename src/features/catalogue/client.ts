import { call } from '../../platform/client.ts'

export const changePrice = (courseId: string, price: string) =>
  call<{ done: true }>('PATCH', `/api/courses/${courseId}`, { price })
export const changeFreeTrial = (examId: string, isFreeTrial: boolean) =>
  call<{ done: true }>('PATCH', `/api/test_questions/${examId}`, { is_free_trial: isFreeTrial })

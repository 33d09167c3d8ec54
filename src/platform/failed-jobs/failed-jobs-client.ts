import { clientOf } from '../api-client.ts'
import type { failedJobsApi } from './failed-jobs-endpoints.server.ts'

const call = clientOf<typeof failedJobsApi>()

/** @throws CallFailed */
export const retryJob = (jobId: string) => call('POST', '/api/failed-jobs/:jobId/retry', { params: { jobId } })

/** @throws CallFailed */
export const dismissJob = (jobId: string) => call('POST', '/api/failed-jobs/:jobId/dismiss', { params: { jobId } })

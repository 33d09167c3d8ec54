import type { ClientLoaderFunctionArgs } from 'react-router'
import { CourseList, type ListedCourses } from '../../features/authoring/courses/ui/course-list.tsx'
import { PriceControl } from '../../features/pricing/scheduled-prices/ui/price-control.tsx'
import type { LiveHandle } from '../../platform/realtime/realtime.schema.ts'
import type { courseManagementLoader } from '../page-loaders.server.ts'

export { courseManagementLoader as loader } from '../page-loaders.server.ts'

export const handle: LiveHandle = {
  live: (data) => ({ courseIds: null, courses: (data as { foundCount: number }).foundCount }),
}

/** Notes when the list was requested: it shows every edit that was saved before. */
export async function clientLoader({ serverLoader }: ClientLoaderFunctionArgs): Promise<ListedCourses> {
  const askedAt = Date.now()
  return { ...(await serverLoader<typeof courseManagementLoader>()), askedAt }
}

const priceControl = ({ id, title }: { id: string; title: string }, adminId: string) => (
  <PriceControl courseId={id} title={title} adminId={adminId} look="quiet" />
)

/** Every course with its exams. A price can also be changed from a date or as a sale. */
export default function CourseManagementPage() {
  return <CourseList priceControl={priceControl} />
}

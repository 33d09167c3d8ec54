import { useNavigate } from 'react-router'
import { paths } from '../../lib/paths.ts'
import { useMutation } from '../../ui/use-mutation.ts'
import { startDrill } from './study-client.ts'
import type { DrillFilters } from './study.schema.ts'

/** Starts a drill, which ends the open one, and goes to it. */
export function useDrillStart(courseSlug: string, openDrillId: string | null) {
  const navigate = useNavigate()
  return useMutation((filters: DrillFilters) => startDrill(courseSlug, filters, openDrillId ?? undefined), {
    onSuccess: ({ id }) => navigate(paths.runningDrill(courseSlug, id)),
  })
}

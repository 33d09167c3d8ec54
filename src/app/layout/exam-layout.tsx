import { Outlet } from 'react-router'
import { sendFeedback } from '../../features/feedback/feedback-client.ts'
import { FeedbackWidget } from '../../features/feedback/ui/feedback-widget.tsx'
import { FrameTool } from '../../ui/frame-tool.ts'
import { useLiveChanges } from './use-live-changes.ts'

/** Around exams and drills: the feedback widget and the stream of changes, without the shop's header and footer. */
export default function ExamLayout() {
  useLiveChanges()
  return (
    <FrameTool value={<FeedbackWidget place="header" onSend={sendFeedback} />}>
      <Outlet />
    </FrameTool>
  )
}

import { Outlet } from 'react-router'
import { sendFeedback } from '../../features/feedback/feedback-client.ts'
import { FeedbackWidget } from '../../features/feedback/ui/feedback-widget.tsx'
import { FrameTool } from '../../ui/frame-tool.ts'

/** Around exams and drills: only the feedback widget, without the shop's header and footer. */
export default function ExamLayout() {
  return (
    <FrameTool value={<FeedbackWidget place="header" onSend={sendFeedback} />}>
      <Outlet />
    </FrameTool>
  )
}

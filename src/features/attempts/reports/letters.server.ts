import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { letter } from '../../../platform/letter.server.ts'
import type { Letter } from '../../../platform/mail.server.ts'
import { copy } from './copy.ts'
import type { ReportView, SettleReport } from './schema.ts'

/** How a report ended, and why. */
export function settledLetter(
  report: ReportView & { readonly courseSlug: string; readonly examSlug: string },
  settled: SettleReport,
  site: { readonly brand: string; readonly appUrl: string },
): Letter {
  const path = report.hasReview
    ? `${paths.examReview(report.attemptId)}#question-${report.questionNumber}`
    : paths.exam(report.courseSlug, report.examSlug)
  const what = {
    n: report.questionNumber,
    exam: report.examTitle,
    course: report.courseTitle,
    reason: copy[`report.reason.${report.reason}`],
  }
  return letter({
    to: report.reporter.email,
    subject: fill(copy['letter.subject'], { outcome: copy[`settle.outcome.${settled.outcome}`].toLowerCase() }),
    greeting: `Hello ${report.reporter.name},`,
    lines: [
      fill(copy['letter.line.what'], what),
      copy[`letter.line.${settled.outcome}`],
      fill(copy['letter.line.note'], { note: settled.note }),
    ],
    action: {
      label: copy[report.hasReview ? 'letter.action.review' : 'letter.action.exam'],
      url: `${site.appUrl}${path}`,
    },
    brand: site.brand,
  })
}

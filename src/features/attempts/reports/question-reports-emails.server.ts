import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { composeEmail } from '../../../platform/email-template.server.ts'
import type { Email } from '../../../platform/mail.server.ts'
import { copy } from './question-reports.copy.ts'
import type { ReportView, SettleReport } from './question-reports.schema.ts'

/** Tells the reporter how the report was settled, and why. @param claim the answer that they think right, in words */
export function settledEmail(
  report: ReportView & { readonly courseSlug: string; readonly examSlug: string },
  settled: SettleReport,
  claim: string,
  site: { readonly brand: string; readonly appUrl: string },
): Email {
  const path = report.hasReview
    ? `${paths.examReview(report.attemptId)}#question-${report.questionNumber}`
    : paths.exam(report.courseSlug, report.examSlug)
  const what = {
    n: report.questionNumber,
    exam: report.examTitle,
    course: report.courseTitle,
    reason: copy[`report.reason.${report.reason}`],
  }
  return composeEmail({
    to: report.reporter.email,
    subject: fill(copy['letter.subject'], { outcome: copy[`settle.outcome.${settled.outcome}`].toLowerCase() }),
    name: report.reporter.name,
    lines: [
      fill(copy['letter.line.what'], what),
      ...(report.claim === null || report.source === null || claim === ''
        ? []
        : [fill(copy['letter.line.claim'], { claim, source: report.source })]),
      copy[`letter.line.${settled.outcome}`],
      ...(settled.outcome === 'corrected' ? [copy['letter.line.errata']] : []),
      fill(copy['letter.line.note'], { note: settled.note }),
    ],
    action: {
      label: copy[report.hasReview ? 'letter.action.review' : 'letter.action.exam'],
      url: `${site.appUrl}${path}`,
    },
    brand: site.brand,
  })
}

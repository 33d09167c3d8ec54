import { useLoaderData, type MetaFunction } from 'react-router'
import { leftOverOf, toEdited } from '../../questions/types/edit-registry.ts'
import { fill } from '../../../lib/failure.ts'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { Notice } from '../../../ui/notice.tsx'
import { BackLink, Heading } from '../../../ui/page-parts.tsx'
import type { correctQuestionLoader } from './imports-endpoints.server.ts'
import { copy } from './imports.copy.ts'
import { CorrectQuestionForm } from './ui/correct-question-form.tsx'
import { ReadQuestion } from './ui/read-question.tsx'

export { correctQuestionLoader as loader } from './imports-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['mend.title'] }, { name: 'robots', content: 'noindex' }]

/** One question of an import as it was read; while it is open, with the form to correct it. */
export default function CorrectQuestionPage() {
  const { importId, name, target, read, next } = useLoaderData<typeof correctQuestionLoader>()
  const { place, file, line, verdict, outcome, reasons, question, input } = read
  const canCorrect = outcome === 'open' && (verdict === 'refused' || verdict === 'needs-review')
  const left = leftOverOf(input)
  return (
    <>
      <BackLink to={`${adminPaths.import(importId)}?verdict=${verdict}#questions`}>{name}</BackLink>
      <Heading of="record">{canCorrect ? copy['mend.title'] : copy[`verdict.${verdict}`]}</Heading>
      <p className="nums mt-1 text-sm wrap-anywhere text-soft">{fill(copy['mend.where'], { file, line })}</p>
      {reasons.length === 0 ? null : (
        <Notice
          tone="flag"
          className="mt-6 max-w-read"
          title={copy[verdict === 'refused' ? 'mend.why' : 'mend.why.review']}
        >
          <ul className="list-disc pl-5">
            {reasons.map(({ code, field, sentence, line: at }) => (
              <li key={`${code}:${field}:${at}`} className="wrap-anywhere">
                {sentence}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {left === null ? null : (
        <Notice tone="info" className="mt-3 max-w-read" title={left.title}>
          <ul className="list-disc pl-5">
            {left.texts.map((text) => (
              <li key={text} className="wrap-anywhere">
                {text}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="mt-6">
        {canCorrect ? (
          <CorrectQuestionForm
            key={place}
            importId={importId}
            target={target?.kind === 'exam' ? target.title : null}
            read={read}
            next={next}
          />
        ) : question === null ? null : (
          <ReadQuestion question={toEdited(question)} />
        )}
      </div>
    </>
  )
}

import { useState, type FormEvent } from 'react'
import { useLoaderData, useNavigate, type MetaFunction } from 'react-router'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { fill } from '../../../lib/failure.ts'
import { toastOf } from '../../../platform/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { BackLink, Heading } from '../../../ui/page-parts.tsx'
import { withQuery } from '../../../ui/query-string.ts'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { useMutation } from '../../../ui/use-mutation.ts'
import { changeGuide } from './freshness-client.ts'
import type { guideLoader } from './freshness-endpoints.server.ts'
import { copy } from './guide-change.copy.ts'
import type { GuideChanged } from './guide-change.schema.ts'
import { domainLines, readDomains } from './guide-domains.ts'

export { guideLoader as loader } from './freshness-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['guide.title'] }, { name: 'robots', content: 'noindex' }]

/** Changes the exam guide of a course, after showing what that does to its questions. */
export default function GuideChangePage() {
  const { course } = useLoaderData<typeof guideLoader>()
  return (
    <>
      <BackLink to={adminPaths.course(course.id)}>{course.title}</BackLink>
      <Heading of="record">{copy['guide.title']}</Heading>
      <p className="mt-2 max-w-read text-soft">{copy['guide.about']}</p>
      {course.blueprint === null ? (
        <p className="mt-6">{copy['guide.no-blueprint']}</p>
      ) : (
        <GuideForm key={course.rowVersion} blueprint={course.blueprint} />
      )}
    </>
  )
}

type Blueprint = NonNullable<ReturnType<typeof useLoaderData<typeof guideLoader>>['course']['blueprint']>

function useGuideForm(blueprint: Blueprint) {
  const { course, counts } = useLoaderData<typeof guideLoader>()
  const [former, setFormer] = useState(blueprint.guide ?? blueprint.code)
  const [guide, setGuide] = useState('')
  const [lines, setLines] = useState(domainLines(blueprint.domains))
  const [mapping, setMapping] = useState<Readonly<Record<string, string>>>({})
  const domains = readDomains(lines)
  const names = domains?.map(({ name }) => name) ?? []
  const targetOf = (from: string) => mapping[from] ?? (names.includes(from) ? from : '')
  const asked = (isPreview: boolean) => ({
    guide,
    former,
    domains: domains ?? [],
    mapping: Object.fromEntries(counts.map(({ domain }) => [domain, targetOf(domain) || null])),
    version: course.rowVersion,
    isPreview,
  })
  return {
    course,
    counts,
    former,
    setFormer,
    guide,
    setGuide,
    lines,
    setLines,
    domains,
    names,
    targetOf,
    asked,
    setMapping,
  }
}

function GuideForm({ blueprint }: { blueprint: Blueprint }) {
  const form = useGuideForm(blueprint)
  const { course, domains } = form
  const navigate = useNavigate()
  const [seen, setSeen] = useState<{ asked: string; outcome: GuideChanged } | null>(null)
  const asked = JSON.stringify(form.asked(true))
  const sending = useMutation((isPreview: boolean) => changeGuide(course.id, form.asked(isPreview)), {
    onSuccess: async (outcome, isPreview) => {
      if (isPreview) return setSeen({ asked, outcome })
      toast('success', copy['guide.changed'], fill(copy['guide.changed.text'], { n: outcome.queued }))
      await navigate(withQuery(adminPaths.freshness, { course: course.id }))
    },
    onFailure: (error) => toast(...toastOf(error)),
  })
  // What was shown is what is done: any change of the form asks again.
  const shown = seen?.asked === asked ? seen.outcome : null
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (domains !== null) sending.run(shown === null)
  }
  return (
    <form onSubmit={handleSubmit} className="mt-6 max-w-read space-y-5">
      <div className="grid gap-5 tablet:grid-cols-2">
        <Field
          label={copy['guide.former']}
          required
          maxLength={60}
          value={form.former}
          onChange={(event) => form.setFormer(event.target.value)}
        />
        <Field
          label={copy['guide.new']}
          required
          maxLength={60}
          value={form.guide}
          onChange={(event) => form.setGuide(event.target.value)}
        />
      </div>
      <TextArea
        label={copy['guide.domains']}
        hint={copy['guide.domains.hint']}
        rows={6}
        value={form.lines}
        problem={domains === null ? copy['guide.domains.wrong'] : null}
        onChange={(event) => form.setLines(event.target.value)}
      />
      <MappingFields form={form} />
      <div aria-live="polite">{shown === null ? null : <Outcome outcome={shown} guide={form.guide} />}</div>
      <Button type="submit" {...sending.button}>
        {copy[shown === null ? 'guide.preview' : 'guide.apply']}
      </Button>
    </form>
  )
}

/** For each domain of the questions, the domain that it became. */
function MappingFields({ form: { counts, names, targetOf, setMapping } }: { form: ReturnType<typeof useGuideForm> }) {
  return (
    <fieldset className="space-y-3">
      <legend className="text-lg font-semibold">{copy['guide.mapping']}</legend>
      {counts.map(({ domain, count }) => (
        <SelectField
          key={domain}
          label={`${domain} (${fill(copy['guide.count'], { n: count })})`}
          value={targetOf(domain)}
          onChange={(event) => setMapping((before) => ({ ...before, [domain]: event.target.value }))}
        >
          <option value="">{copy['guide.none']}</option>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </SelectField>
      ))}
    </fieldset>
  )
}

function Outcome({ outcome: { domains, queued }, guide }: { outcome: GuideChanged; guide: string }) {
  return (
    <div className="nums rounded-lg border border-line bg-surface p-4">
      <ul className="space-y-1 text-sm">
        {domains.map(({ from, to, count }) => (
          <li key={from}>
            {to === null
              ? fill(copy['guide.stays'], { from, n: count })
              : fill(copy['guide.moves'], { from, to, n: count })}
          </li>
        ))}
      </ul>
      <p className="mt-3 font-semibold">{fill(copy['guide.would'], { n: queued, guide })}</p>
    </div>
  )
}

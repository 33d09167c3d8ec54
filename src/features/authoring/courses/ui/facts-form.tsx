import { cents, formatDollars } from '../../../../lib/money.ts'
import { paths } from '../../../../lib/paths.ts'
import { courseSlug } from '../../../../lib/slug.ts'
import { lengthOf } from '../../../../lib/text.ts'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { PlusIcon, TrashIcon } from '../../../../ui/icons.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { DESCRIPTION_LIMIT, judgePrice } from '../../../catalogue/course-rules.ts'
import type { BlueprintTyped, FactsProblems, FactsTyped } from '../../../catalogue/course-facts-form.ts'
import { Badge, CategoryBadge } from '../../../catalogue/ui/course-badge.tsx'
import { LevelField } from './level-field.tsx'

/** The fields of a course, with its card as the shop shows it. */
export function FactsForm({
  typed,
  problems,
  isSlugFree,
  now,
  onChange,
}: {
  typed: FactsTyped
  problems: FactsProblems
  /** Whether the slug follows the title: true until the course is published. */
  isSlugFree: boolean
  /** ISO instant, for the slug of a title without letters. */
  now: string
  onChange: (typed: FactsTyped) => void
}) {
  const slugOf = (title: string) => courseSlug(title, new Date(now))
  const set = (changed: Partial<FactsTyped>) => onChange({ ...typed, ...changed })
  const setTitle = (title: string) => {
    const follows = isSlugFree && (typed.slug === '' || typed.slug === slugOf(typed.title))
    set({ title, ...(follows ? { slug: slugOf(title) } : {}) })
  }
  return (
    <div className="grid gap-x-12 gap-y-8 desktop:grid-cols-[1fr_320px]">
      <div className="min-w-0 space-y-5">
        <ShopFields typed={typed} problems={problems} onTitle={setTitle} onChange={set} />
        <SlugField
          slug={typed.slug}
          suggested={typed.title.trim() === '' ? typed.slug : slugOf(typed.title)}
          isFree={isSlugFree}
          problem={problems['slug']}
          onChange={(slug) => set({ slug })}
        />
        <BlueprintFields
          typed={typed.blueprint}
          problems={problems}
          onChange={(changed) => set({ blueprint: { ...typed.blueprint, ...changed } })}
        />
      </div>
      <CardPreview typed={typed} />
    </div>
  )
}

function ShopFields({
  typed,
  problems,
  onTitle,
  onChange,
}: {
  typed: FactsTyped
  problems: FactsProblems
  onTitle: (title: string) => void
  onChange: (changed: Partial<FactsTyped>) => void
}) {
  return (
    <>
      <Field
        label="Title"
        value={typed.title}
        problem={problems['title']}
        onChange={(event) => onTitle(event.target.value)}
      />
      <TextArea
        label="Description"
        rows={4}
        value={typed.description}
        problem={problems['description']}
        hint={`${lengthOf(typed.description.trim())} of ${DESCRIPTION_LIMIT - 1} characters`}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      <div className="grid gap-5 tablet:grid-cols-2">
        <Field
          label="Price in dollars"
          inputMode="decimal"
          autoComplete="off"
          value={typed.price}
          problem={problems['price']}
          onChange={(event) => onChange({ price: event.target.value })}
        />
        <LevelField
          label="Level"
          level={typed.category === '' ? null : typed.category}
          onChange={(level) => onChange({ category: level ?? '' })}
        />
      </div>
    </>
  )
}

function SlugField({
  slug,
  suggested,
  isFree,
  problem,
  onChange,
}: {
  slug: string
  /** The slug of the title. */
  suggested: string
  isFree: boolean
  problem: string | undefined
  onChange: (slug: string) => void
}) {
  return (
    <div>
      <Field
        label="Address in the shop"
        value={slug}
        autoComplete="off"
        spellCheck={false}
        problem={problem}
        hint={
          <span className="wrap-anywhere">
            {paths.course(slug === '' ? '…' : slug)}
            {isFree ? '' : '. Links to the old address stop working when it changes.'}
          </span>
        }
        onChange={(event) => onChange(event.target.value)}
      />
      {slug === suggested ? null : (
        <Button look="quiet" className="-ml-4 max-w-full text-left wrap-anywhere" onClick={() => onChange(suggested)}>
          Take it from the title: {suggested}
        </Button>
      )}
    </div>
  )
}

const numbers = [
  { name: 'minutes', label: 'Minutes', hint: undefined },
  { name: 'questions', label: 'Questions', hint: undefined },
  { name: 'passingScore', label: 'Passing score', hint: 'On its scale to 1,000' },
] as const

type BlueprintChange = {
  readonly typed: BlueprintTyped
  readonly problems: FactsProblems
  readonly onChange: (changed: Partial<BlueprintTyped>) => void
}

function GuideFields({ typed, problems, onChange }: BlueprintChange) {
  return (
    <div className="mt-4 grid gap-5 tablet:grid-cols-2">
      <Field
        label="Code"
        value={typed.code}
        placeholder="SAA-C03"
        problem={problems['code']}
        onChange={(event) => onChange({ code: event.target.value })}
      />
      <Field
        label="The provider's exam guide"
        type="url"
        value={typed.source}
        placeholder="https://"
        problem={problems['source']}
        onChange={(event) => onChange({ source: event.target.value })}
      />
      <Field
        label="Version of the exam guide"
        value={typed.guide ?? ''}
        hint="Questions that name no other version follow it."
        problem={problems['guide']}
        onChange={(event) => onChange({ guide: event.target.value })}
      />
    </div>
  )
}

function BlueprintFields({ typed, problems, onChange }: BlueprintChange) {
  return (
    <fieldset className="border-t border-line pt-5">
      <legend className="sr-only">The real exam</legend>
      <h2 aria-hidden="true" className="text-lg font-semibold">
        The real exam
      </h2>
      <p className="mt-1 text-sm text-soft">
        What the provider publishes of it. The badge, timed mode and the checks use it; leave all of it empty if there
        is none.
      </p>
      <GuideFields typed={typed} problems={problems} onChange={onChange} />
      <div className="mt-5 grid grid-cols-3 gap-3 tablet:gap-5">
        {numbers.map(({ name, label, hint }) => (
          <Field
            key={name}
            label={label}
            inputMode="numeric"
            value={typed[name]}
            hint={hint}
            problem={problems[name]}
            onChange={(event) => onChange({ [name]: event.target.value })}
          />
        ))}
      </div>
      <DomainFields
        domains={typed.domains}
        problem={problems['domains']}
        onChange={(domains) => onChange({ domains })}
      />
    </fieldset>
  )
}

type DomainTyped = BlueprintTyped['domains'][number]

function DomainFields({
  domains,
  problem,
  onChange,
}: {
  domains: readonly DomainTyped[]
  problem: string | undefined
  onChange: (domains: DomainTyped[]) => void
}) {
  const sum = domains.reduce((total, { weight }) => total + (Number(weight) || 0), 0)
  const setDomain = (at: number, changed: Partial<DomainTyped>) =>
    onChange(domains.map((domain, place) => (place === at ? { ...domain, ...changed } : domain)))
  return (
    <>
      <h3 className="mt-6 text-sm font-medium">Domains and their weights</h3>
      <ul className="mt-2 space-y-2">
        {domains.map((domain, place) => (
          // Rows have no id. The index serves as the key: rows are edited in place, added at the end and removed.
          <DomainRow
            key={place}
            domain={domain}
            place={place}
            onChange={(changed) => setDomain(place, changed)}
            onRemove={() => onChange(domains.filter((_, at) => at !== place))}
          />
        ))}
      </ul>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-3">
        <Button
          look="secondary"
          onClick={() => onChange([...domains, { name: '', weight: '' }])}
          disabled={domains.length >= 30}
        >
          <PlusIcon /> Add a domain
        </Button>
        {domains.length === 0 ? null : (
          <p className={`nums text-sm ${Math.abs(sum - 100) < 0.01 ? 'text-soft' : 'text-flag'}`}>
            Sum: {Number(sum.toFixed(2))}%
          </p>
        )}
      </div>
      {problem === undefined ? null : (
        <p role="alert" className="mt-1 text-sm text-bad">
          {problem}
        </p>
      )}
    </>
  )
}

function DomainRow({
  domain,
  place,
  onChange,
  onRemove,
}: {
  domain: DomainTyped
  place: number
  onChange: (changed: Partial<DomainTyped>) => void
  onRemove: () => void
}) {
  // Only the first row shows its labels.
  const labelClass = place === 0 ? '' : 'sr-only'
  const number = place === 0 ? '' : place + 1
  return (
    <li className="grid grid-cols-[1fr_5.5rem_2.75rem] items-end gap-2">
      <Field
        label={<span className={labelClass}>Domain {number}</span>}
        value={domain.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <Field
        label={<span className={labelClass}>Percent {number}</span>}
        inputMode="decimal"
        value={domain.weight}
        onChange={(event) => onChange({ weight: event.target.value })}
      />
      <IconButton label={`Remove domain ${place + 1}`} onClick={onRemove}>
        <TrashIcon />
      </IconButton>
    </li>
  )
}

function CardPreview({ typed }: { typed: FactsTyped }) {
  const price = judgePrice(typed.price)
  return (
    <section aria-label="Card in the shop" className="min-w-0">
      <h2 className="text-sm font-semibold text-soft">In the shop</h2>
      <div className="mt-3 rounded-lg border border-line bg-surface p-5">
        <Badge
          category={typed.category === '' ? null : typed.category}
          code={typed.blueprint.code.trim() === '' ? null : typed.blueprint.code.trim()}
          title={typed.title}
        />
        <p className="mt-4 font-semibold wrap-anywhere">{typed.title.trim() === '' ? 'No title yet' : typed.title}</p>
        <p className="mt-1 line-clamp-3 text-sm text-soft wrap-anywhere">
          {typed.description.trim() === '' ? 'No description' : typed.description}
        </p>
        <p className="nums mt-4 flex items-center justify-between gap-3">
          <span className="text-lg font-semibold">
            {price.kind === 'price' ? formatDollars(cents(price.priceCents)) : 'No price yet'}
          </span>
          <CategoryBadge category={typed.category === '' ? null : typed.category} />
        </p>
      </div>
    </section>
  )
}

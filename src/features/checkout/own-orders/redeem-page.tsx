import { useState, type FormEvent } from 'react'
import { useLoaderData, useNavigate, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { paths } from '../../../lib/paths.ts'
import { formatDay } from '../../../lib/time.ts'
import { messageOf } from '../../../platform/api-client.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Heading, Page } from '../../../ui/page-parts.tsx'
import { useMutation } from '../../../ui/use-mutation.ts'
import type { redeemLoader } from '../checkout-endpoints.server.ts'
import { redeemSeat } from '../checkout-client.ts'
import { copy } from '../checkout.copy.ts'
import { readSeatCode } from '../orders.ts'
import type { RedeemedSeat } from '../checkout.schema.ts'

export { redeemLoader as loader } from '../checkout-endpoints.server.ts'

export const meta: MetaFunction = () => [{ title: copy['seat.title'] }, { name: 'robots', content: 'noindex' }]

/** Shows the course of a seat code and redeems it. */
export default function RedeemPage() {
  const seat = useLoaderData<typeof redeemLoader>()
  const [redeemed, setRedeemed] = useState<RedeemedSeat | null>(null)
  return (
    <Page width="form">
      <Heading className="text-2xl font-semibold">{copy['seat.title']}</Heading>
      <p className="mt-2 font-mono font-semibold wrap-anywhere">{seat.code}</p>
      {redeemed !== null ? (
        <div className="mt-6">
          <Notice tone="good" title={fill(copy['seat.done.title'], { title: redeemed.title })}>
            <p>{fill(copy['seat.done'], { day: formatDay(redeemed.until) })}</p>
          </Notice>
          <ButtonLink to={paths.course(redeemed.courseSlug)} className="mt-6 w-full">
            {copy['seat.open']}
          </ButtonLink>
        </div>
      ) : seat.kind === 'open' ? (
        <Redeem key={seat.code} code={seat.code} title={seat.title} email={seat.email} onRedeemed={setRedeemed} />
      ) : seat.kind === 'yours' ? (
        <div className="mt-6">
          <Notice tone="info" title={seat.title}>
            <p>{copy['seat.yours']}</p>
          </Notice>
          <ButtonLink to={paths.course(seat.courseSlug)} className="mt-6 w-full">
            {copy['seat.open']}
          </ButtonLink>
        </div>
      ) : (
        <AnotherCode problem={copy[`seat.${seat.kind}`]} />
      )}
    </Page>
  )
}

function Redeem({
  code,
  title,
  email,
  onRedeemed,
}: {
  code: string
  title: string
  email: string
  onRedeemed: (seat: RedeemedSeat) => void
}) {
  const redeem = useMutation(redeemSeat, { onSuccess: onRedeemed })
  return (
    <>
      <p className="mt-4">{fill(copy['seat.course'], { title })}</p>
      {redeem.failure === null ? null : (
        <Notice tone="bad" className="mt-4">
          {messageOf(redeem.failure)}
        </Notice>
      )}
      <Button className="mt-6 w-full" {...redeem.button} onClick={() => redeem.run(code)}>
        <span className="min-w-0 break-words">
          {redeem.isBusy ? copy['seat.busy'] : fill(copy['seat.redeem'], { email })}
        </span>
      </Button>
    </>
  )
}

function AnotherCode({ problem }: { problem: string }) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    const code = readSeatCode(text)
    if (code === null) setRefusal(copy['seat.missing'])
    else void navigate(paths.redeem(code))
  }
  return (
    <>
      <Notice tone="flag" className="mt-6">
        {problem}
      </Notice>
      <form onSubmit={handleSubmit} className="mt-6" noValidate>
        <Field
          label={copy['seat.field']}
          hint={copy['seat.hint']}
          problem={refusal}
          value={text}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" className="mt-4 w-full">
          {copy['seat.look']}
        </Button>
      </form>
    </>
  )
}

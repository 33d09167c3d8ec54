import { z } from 'zod'
import { GatewayError } from './gateway-error.server.ts'
import { fieldName, type FormValue } from './form-encoding.server.ts'

const integer = z
  .string()
  .regex(/^-?\d{1,15}$/, 'Invalid integer')
  .transform(Number)
const text = (max: number) =>
  z.string().min(1, 'This value cannot be empty').max(max, `must be at most ${max} characters`)
const address = z
  .string()
  .max(5000)
  .regex(/^https?:\/\/[^\s]+$/, 'Not a valid URL')
const currency = z
  .string()
  .regex(/^[a-z]{3}$/i, 'Invalid currency')
  .transform((code) => code.toLowerCase())
const expand = z.array(z.string()).max(20).default([])
const limit = integer.pipe(z.number().int().min(1).max(100)).default(10)
const metadata = z
  .record(
    z.string().max(40, 'Metadata keys have at most 40 characters'),
    z.string().max(500, 'Metadata values have at most 500 characters'),
  )
  .refine((entries) => Object.keys(entries).length <= 50, 'Metadata has at most 50 keys')
  .default({})

const LineItem = z.strictObject({
  quantity: integer.pipe(z.number().int().min(1, 'must be greater than or equal to 1').max(999_999)),
  price_data: z.strictObject({
    currency,
    unit_amount: integer.pipe(z.number().int().min(0, 'must be greater than or equal to 0').max(99_999_999)),
    tax_behavior: z.enum(['exclusive', 'inclusive', 'unspecified']).optional(),
    product_data: z.strictObject({
      name: text(250),
      description: text(500).optional(),
      images: z.array(z.string()).max(8).optional(),
      metadata,
      tax_code: z.string().optional(),
    }),
  }),
})

/** The parameters of `POST /v1/checkout/sessions` that this gateway supports. */
export const CreateSession = z.strictObject({
  mode: z.literal('payment', 'This test gateway only supports mode=payment'),
  line_items: z.array(LineItem).min(1).max(100),
  success_url: address,
  cancel_url: address.optional(),
  client_reference_id: text(200).optional(),
  customer_email: z.email('Invalid email address').max(800).optional(),
  customer_creation: z.enum(['always', 'if_required']).optional(),
  expires_at: integer.optional(),
  locale: text(10).optional(),
  metadata,
  allowed_payment_method_types: z
    .array(z.enum(['card', 'us_bank_account']))
    .min(1)
    .optional(),
  payment_intent_data: z
    .strictObject({ metadata, description: text(1000).optional(), receipt_email: z.email().optional() })
    .optional(),
  submit_type: z.enum(['auto', 'book', 'donate', 'pay']).optional(),
  ui_mode: z.literal('hosted_page').optional(),
  expand,
})
export type CreateSession = z.infer<typeof CreateSession>

const Range = z.union([
  integer.transform((at) => ({ gte: at, lte: at, gt: undefined, lt: undefined })),
  z.strictObject({
    gt: integer.optional(),
    gte: integer.optional(),
    lt: integer.optional(),
    lte: integer.optional(),
  }),
])
export type Range = z.infer<typeof Range>

const page = {
  limit,
  starting_after: z.string().optional(),
  ending_before: z.string().optional(),
  created: Range.optional(),
  expand,
}

export const ListSessions = z.strictObject({
  ...page,
  payment_intent: z.string().optional(),
  status: z.enum(['open', 'complete', 'expired']).optional(),
  customer_details: z.strictObject({ email: z.string() }).optional(),
})
export const ListEvents = z.strictObject({ ...page, type: z.string().optional() })
export const ListRefunds = z.strictObject({
  ...page,
  payment_intent: z.string().optional(),
  charge: z.string().optional(),
})
export const ListLines = z.strictObject({ ...page, limit })
export const Retrieve = z.strictObject({ expand })

export const CreateRefund = z
  .strictObject({
    payment_intent: z.string().optional(),
    charge: z.string().optional(),
    amount: integer.pipe(z.number().int().min(1, 'must be greater than or equal to 1')).optional(),
    reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
    metadata,
    expand,
  })
  .refine((request) => request.payment_intent !== undefined || request.charge !== undefined, {
    message: 'One of the following params should be provided for this request: payment_intent or charge.',
    path: ['payment_intent'],
  })

/** Parses the parameters. @throws GatewayError that names the first invalid parameter */
export function readParams<T extends z.ZodType>(schema: T, form: FormValue): z.output<T> {
  const read = schema.safeParse(form)
  if (read.success) return read.data
  const issue = read.error.issues[0]
  if (issue === undefined) throw new Error('zod refused the form without an issue')
  if (issue.code === 'unrecognized_keys') {
    const param = fieldName([...issue.path, issue.keys[0] ?? ''])
    const message = `Received unknown parameter: ${param} (or one that this test gateway does not support)`
    throw new GatewayError(400, 'invalid_request_error', message, { code: 'parameter_unknown', param })
  }
  const param = fieldName(issue.path)
  if (valueAt(form, issue.path) === undefined) {
    const message = issue.code === 'custom' ? issue.message : `Missing required param: ${param}.`
    throw new GatewayError(400, 'invalid_request_error', message, { code: 'parameter_missing', param })
  }
  const code = issue.message === 'Invalid integer' ? 'parameter_invalid_integer' : undefined
  throw new GatewayError(400, 'invalid_request_error', `Invalid ${param}: ${issue.message}`, {
    ...(code ? { code } : {}),
    param,
  })
}

function valueAt(form: FormValue, path: readonly PropertyKey[]): FormValue | undefined {
  return path.reduce<FormValue | undefined>((here, part) => {
    if (Array.isArray(here)) return here[Number(part)]
    return typeof here === 'object' ? here[String(part)] : undefined
  }, form)
}

import { html } from 'hono/html'
import { formatMoney, emulatorPage, STYLESHEET_PATH, type Markup } from '../../emulator-layout.server.ts'
import { switchForm } from './gateway-switch-form.server.ts'
import type { Switches } from './gateway-switches.server.ts'
import { testCards, type CardField, type CardForm } from '../payment-cards.server.ts'
import { offeredMethods, totalCents, type Payment } from '../card-payment.server.ts'

export type PayForm = {
  method: 'card' | 'bank'
  email: string
  card: CardForm
  problems: Partial<CardForm>
  decline: string | null
}

export function payPage(page: {
  payment: Payment
  merchant: string
  base: string
  switches: Switches
  form: PayForm
}): Markup {
  const { payment, merchant, base, form } = page
  const total = formatMoney(totalCents(payment), payment.currency)
  return frame(
    `Pay ${merchant} ${total}`,
    base,
    html`<h1>Pay ${merchant}</h1>
      <p class="total">${total}</p>
      ${lineTable(payment)}
      <form method="post" action="${base}/pay/${payment.id}" novalidate>
        ${
          form.decline === null
            ? ''
            : html`<p class="alert" role="alert" id="decline" tabindex="-1" autofocus>${form.decline}</p>`
        }
        ${methodFields(payment, form)}
        ${
          payment.customerEmail === null
            ? html`<div class="field">
                <label for="email">Email (optional)</label>
                <input id="email" name="email" type="email" autocomplete="email" value="${form.email}" />
              </div>`
            : html`<p class="quiet">The receipt goes to ${payment.customerEmail}.</p>`
        }
        <button>Pay ${total}</button>
      </form>
      ${payment.cancelUrl === null ? '' : html`<p class="way"><a href="${payment.cancelUrl}">Cancel and return</a></p>`}
      ${cardList()}
      <details>
        <summary>What the gateway does next</summary>
        <p class="quiet">
          These switches apply to every payment from now on. <a href="${base}/gateway">All payments</a>
        </p>
        ${switchForm({ switches: page.switches, base, back: `/pay/${payment.id}` })}
      </details>`,
  )
}

export function confirmPage(page: { payment: Payment; merchant: string; base: string }): Markup {
  const { payment, merchant, base } = page
  const total = formatMoney(totalCents(payment), payment.currency)
  return frame(
    'Confirm your payment',
    base,
    html`<h1>Confirm your payment</h1>
      <p>
        The bank of the card ending in ${payment.method?.last4 ?? ''} asks whether you want to pay ${merchant} ${total}.
      </p>
      <form method="post" action="${base}/pay/${payment.id}/confirm" class="row">
        <button name="answer" value="complete">Complete authentication</button>
        <button name="answer" value="fail" class="plain">Fail authentication</button>
      </form>`,
  )
}

/** Explains why this session can't be paid, and links back to the shop. */
export function closedPage(page: { payment: Payment; merchant: string; base: string }): Markup {
  const { payment, merchant, base } = page
  if (payment.status === 'expired') {
    return frame(
      'This checkout has expired',
      base,
      html`<h1>This checkout has expired</h1>
        <p>Nothing was paid. Go back to ${merchant} and check out again.</p>
        ${payment.cancelUrl === null ? '' : html`<p class="way"><a href="${payment.cancelUrl}">Return to ${merchant}</a></p>`}`,
    )
  }
  const success = payment.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', payment.id)
  return frame(
    'This checkout is complete',
    base,
    html`<h1>${payment.isPaid ? 'This order has already been paid' : 'This checkout is already complete'}</h1>
      <p>
        ${
          payment.isPaid
            ? 'Nothing more is charged.'
            : payment.charge?.status === 'failed'
              ? 'The bank debit failed. Nothing was charged.'
              : 'The bank debit is on its way. Nothing more is charged.'
        }
      </p>
      <p class="way"><a href="${success}">Return to ${merchant}</a></p>`,
  )
}

export function unknownPage(base: string): Markup {
  return frame(
    'No such checkout',
    base,
    html`<h1>No such checkout</h1>
      <p>This address belongs to no payment. Go back to the shop and check out again.</p>`,
  )
}

export function frame(title: string, base: string, body: Markup): Markup {
  return emulatorPage({
    title,
    label: 'Test gateway',
    notice: 'This is a test gateway: no money moves, and no real card works here.',
    stylesheet: `${base}${STYLESHEET_PATH}`,
    body,
  })
}

function lineTable(payment: Payment): Markup {
  const total = formatMoney(totalCents(payment), payment.currency)
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Item</th>
        <th scope="col" class="sum">Amount</th>
      </tr>
    </thead>
    <tbody>
      ${payment.lines.map(
        (line) =>
          html`<tr>
            <td>
              ${line.name}${line.quantity > 1 ? ` × ${line.quantity}` : ''}
              ${line.description === null ? '' : html`<br /><span class="quiet">${line.description}</span>`}
            </td>
            <td class="sum">${formatMoney(line.unitCents * line.quantity, payment.currency)}</td>
          </tr>`,
      )}
    </tbody>
    <tfoot>
      <tr>
        <th scope="row">Total</th>
        <td class="sum">${total}</td>
      </tr>
    </tfoot>
  </table>`
}

/** The choice of a payment method, and the fields of the offered methods. */
function methodFields(payment: Payment, form: PayForm): Markup {
  const hasCard = offeredMethods(payment).includes('card')
  const hasBank = offeredMethods(payment).includes('us_bank_account')
  const isBank = hasBank && (form.method === 'bank' || !hasCard)
  return html`<fieldset>
      <legend>Payment method</legend>
      ${
        hasCard
          ? html`<label class="choice"
              ><input type="radio" name="method" value="card" ${isBank ? '' : 'checked'} />Card</label
            >`
          : ''
      }
      ${
        hasBank
          ? html`<label class="choice"
              ><input type="radio" name="method" value="bank" ${isBank ? 'checked' : ''} />Bank debit</label
            >`
          : ''
      }
    </fieldset>
    ${hasCard ? cardFields(form) : ''}
    ${
      hasBank
        ? html`<p class="bank-only hint">
            A test account is debited. The money is decided later: the order waits until then.
          </p>`
        : ''
    }`
}

function cardFields(form: PayForm): Markup {
  const firstWrong = (['number', 'expiry', 'cvc', 'holder'] as const).find((name) => form.problems[name] !== undefined)
  return html`<div class="card-only">
    ${cardInput(form, firstWrong, 'number', 'card_number', 'Card number', 'cc-number', 'numeric')}
    <div class="pair">
      ${cardInput(form, firstWrong, 'expiry', 'expiry', 'Expiry', 'cc-exp', 'text', 'Month / year, such as 08 / 30')}
      ${cardInput(form, firstWrong, 'cvc', 'cvc', 'CVC', 'cc-csc', 'numeric', 'Any 3 digits')}
    </div>
    ${cardInput(form, firstWrong, 'holder', 'name', 'Name on card', 'cc-name', 'text')}
  </div>`
}

/** An invalid field shows its problem below; the first invalid field gets the focus. The page never repeats the CVC. */
function cardInput(
  form: PayForm,
  firstWrong: CardField | undefined,
  field: CardField,
  name: string,
  label: string,
  autocomplete: string,
  inputmode: 'numeric' | 'text',
  hint?: string,
): Markup {
  const problem = form.problems[field]
  const says = [
    ...(problem === undefined ? [] : [`${name}-error`]),
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(field === 'number' && form.decline !== null ? ['decline'] : []),
  ]
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      autocomplete="${autocomplete}"
      inputmode="${inputmode}"
      maxlength="200"
      spellcheck="false"
      value="${field === 'cvc' ? '' : form.card[field]}"
      ${says.length > 0 ? html`aria-describedby="${says.join(' ')}"` : ''}
      ${problem === undefined ? '' : html`aria-invalid="true"`}
      ${firstWrong === field ? 'autofocus' : ''}
    />
    ${problem === undefined ? '' : html`<p class="error" id="${name}-error">${problem}</p>`}
    ${hint === undefined ? '' : html`<p class="hint" id="${name}-hint">${hint}</p>`}
  </div>`
}

function cardList(): Markup {
  return html`<details>
    <summary>Test cards</summary>
    <p class="quiet">With any expiry date in the future, any CVC and any name.</p>
    <table>
      <thead>
        <tr>
          <th scope="col">Number</th>
          <th scope="col">What happens</th>
        </tr>
      </thead>
      <tbody>
        ${testCards.map(
          (card) =>
            html`<tr>
              <td><code class="number">${card.number}</code></td>
              <td>${card.effect}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`
}

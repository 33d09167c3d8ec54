import { html } from 'hono/html'
import type { Markup } from '../../emulator-layout.server.ts'
import type { Switches } from './gateway-switches.server.ts'

type Choice = { name: keyof Switches; label: string; options: Record<string, string> }

const choices: readonly Choice[] = [
  {
    name: 'delivery',
    label: 'Events reach the shop',
    options: {
      normal: 'at once, in order',
      twice: 'twice',
      late: 'late',
      'out-of-order': 'out of order',
      never: 'never (held back)',
    },
  },
  {
    name: 'api',
    label: 'The API answers',
    options: {
      normal: 'normally',
      slow: 'slowly',
      down: 'with an error (503)',
      unreachable: 'not at all (connection cut)',
    },
  },
  {
    name: 'bankDebit',
    label: 'Delayed payments',
    options: { settles: 'settle', fails: 'fail', waits: 'wait to be decided' },
  },
  { name: 'mail', label: 'The mail server', options: { accepts: 'accepts mail', refuses: 'refuses mail (451)' } },
]

const waits: readonly { name: 'lateMs' | 'slowMs' | 'settleMs'; label: string }[] = [
  { name: 'lateMs', label: 'Late and out-of-order events wait (ms)' },
  { name: 'slowMs', label: 'A slow answer takes (ms)' },
  { name: 'settleMs', label: 'Delayed payments are decided after (ms)' },
]

/** The switches as a form that works without JavaScript; `back` is the path to return to. */
export function switchForm(options: { switches: Switches; base: string; back: string }): Markup {
  const { switches, base } = options
  return html`<form method="post" action="${base}/gateway/switches">
    <input type="hidden" name="back" value="${options.back}" />
    ${choices.map(
      ({ name, label, options: texts }) =>
        html`<div class="field">
          <label for="switch-${name}">${label}</label>
          <select id="switch-${name}" name="${name}">
            ${Object.entries(texts).map(
              ([value, text]) =>
                html`<option value="${value}" ${switches[name] === value ? 'selected' : ''}>${text}</option>`,
            )}
          </select>
        </div>`,
    )}
    ${waits.map(
      ({ name, label }) =>
        html`<div class="field">
          <label for="switch-${name}">${label}</label>
          <input id="switch-${name}" name="${name}" inputmode="numeric" value="${switches[name]}" />
        </div>`,
    )}
    <button class="plain">Save the switches</button>
  </form>`
}

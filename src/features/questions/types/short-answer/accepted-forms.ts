import { usualSigns } from '../written/usual-signs.ts'

/* What a form of a short answer accepts: `*` stands for any text, also none, and `\*` for an asterisk. */

/** Stands for `*` among the characters of a form; no file can hold it, because it is no character. */
const ANY = ''

export interface AcceptedForms {
  readonly forms: readonly { readonly text: string }[]
  readonly isCaseSensitive: boolean
}

/** Whether one of the forms accepts a text. */
export function isAccepted(text: string, { forms, isCaseSensitive }: AcceptedForms): boolean {
  const given = [...sameText(text, isCaseSensitive)]
  return forms.some((form) => accepts(signsOf(sameText(form.text, isCaseSensitive)), given))
}

/**
 * A text without what makes no difference: the signs of another keyboard, runs of blanks, and case where it means nothing. Case goes
 * letter by letter, because the small form of a Greek sigma depends on its neighbours, and upwards first, for the German sharp s.
 */
export function sameText(text: string, isCaseSensitive: boolean): string {
  const line = usualSigns(text)
  return isCaseSensitive ? line : [...line].map((letter) => letter.toUpperCase().toLowerCase()).join('')
}

/** Whether one form accepts everything that the other accepts. */
export function isCovering(form: string, other: string, isCaseSensitive: boolean): boolean {
  return accepts(signsOf(sameText(form, isCaseSensitive)), signsOf(sameText(other, isCaseSensitive)))
}

/** Whether a form accepts any text whatever. */
export function isAnything(form: string): boolean {
  return /^[*\s]*\*[*\s]*$/.test(form)
}

export function hasWildcard(form: string): boolean {
  return signsOf(form).includes(ANY)
}

/** The form that accepts exactly this text. */
export function formOfText(text: string): string {
  return text.replaceAll('*', '\\*')
}

/** The text that a form without wildcards accepts. */
export function textOfForm(form: string): string {
  return form.replaceAll('\\*', '*')
}

function signsOf(form: string): string[] {
  return [...form.matchAll(/\\\*|[^]/gu)].map(([sign]) => (sign === '*' ? ANY : sign === '\\*' ? '*' : sign))
}

/** Looks at each character of the text at most once for each sign of the form: a pattern that backtracks could take forever. */
function accepts(form: readonly string[], text: readonly string[]): boolean {
  let [at, from, wildcard, kept] = [0, 0, -1, 0]
  while (from < text.length) {
    if (form[at] === ANY) {
      wildcard = at++
      kept = from
    } else if (at < form.length && form[at] === text[from]) {
      at++
      from++
    } else if (wildcard !== -1) {
      // The last wildcard takes one character more.
      at = wildcard + 1
      from = ++kept
    } else return false
  }
  return form.slice(at).every((sign) => sign === ANY)
}

/** Stands in a sentence for the word or number that is asked for. */
export const BLANK = '_____'

/** A text that was read from HTML, where every underscore of the blank became an escaped one. One that is alone in its line would be a rule. */
export function withPlainBlank(markdown: string): string {
  return markdown.replaceAll(/(?:\\_){5}/g, (escaped, at: number) => {
    const before = markdown.slice(markdown.lastIndexOf('\n', at) + 1, at)
    const [after = ''] = markdown.slice(at + escaped.length).split('\n', 1)
    return (before + after).trim() === '' ? escaped : BLANK
  })
}

/**
 * A text with the signs of other keyboards and of copied texts as those of ours, without signs that nobody sees, and with single
 * blanks. Telephones write other quotation marks than authors, and Japanese keyboards wide letters and digits.
 */
export function usualSigns(written: string): string {
  return (
    written
      .normalize('NFC')
      .replace(/\p{Cf}/gu, '')
      // Not the wide asterisk and backslash, which mean something in accepted forms.
      .replace(/[\uff0b-\uff19\uff21-\uff3a\uff41-\uff5a]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
      .replace(/[\u2010-\u2013\u2212]/g, '-')
      .replace(/[\u2018\u2019\u02bc]/g, "'")
      .replace(/[\u201c-\u201e]/g, '"')
      // The sign for micro and the Greek letter look alike.
      .replaceAll('\u00b5', '\u03bc')
      .replace(/\s+/g, ' ')
      .trim()
  )
}

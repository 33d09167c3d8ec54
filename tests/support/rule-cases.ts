/** An input and the messages that it must cause; without messages it is accepted. */
export type RuleCase = { readonly name: string; readonly input: string; readonly messages: readonly string[] }

const accepted = (name: string, typed: string): RuleCase => ({ name, input: typed, messages: [] })
const refused = (name: string, typed: string, ...told: string[]): RuleCase => ({ name, input: typed, messages: told })

const LONG = 10_000
const letters = (count: number) => 'x'.repeat(count)
/** Each emoji is one code point, but two UTF-16 units. */
const emoji = (count: number) => '😀'.repeat(count)
const blanks = [
  ['nothing', ''],
  ['white space', ' \t  '],
  ['white space of other scripts', '\u00a0\u2003\u3000'],
  ['characters without a shape', '\u200b\u200f'],
] as const
const blankCases = (told: string) => blanks.map(([name, typed]) => refused(name, typed, told))
/** Texts in several scripts that must be accepted. */
const scripts = [
  accepted('an emoji of several parts', '👩🏽‍🚀 Cloud'),
  accepted('combining marks', 'Cafe\u0301 Z\u0335\u0321alg\u0310o'),
  accepted('right to left', 'שלום עולם مرحبا'),
  accepted('outside the first plane', '𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𠮷野家'),
  accepted('quotes and an ampersand', `O'Reilly & "Sons"`),
]

const titleTooLong = 'Course title must be less than 200 characters'
const titleOdd = 'Course title contains invalid characters'
export const titleCases: readonly RuleCase[] = [
  ...blankCases('Course title is required'),
  accepted('one character', 'A'),
  accepted('198 characters', letters(198)),
  accepted('199 characters', letters(199)),
  accepted('199 characters between spaces', `  ${letters(199)} `),
  accepted('199 emoji', emoji(199)),
  refused('200 characters', letters(200), titleTooLong),
  refused('201 characters', letters(201), titleTooLong),
  refused('200 emoji', emoji(200), titleTooLong),
  refused('10,000 characters', letters(LONG), titleTooLong),
  refused('a less-than sign', 'a < b', titleOdd),
  refused('a greater-than sign', 'a > b', titleOdd),
  refused('a script', '<script>alert(1)</script>', titleOdd),
  ...scripts,
]

const descriptionTooLong = 'Course description must be less than 2000 characters'
export const descriptionCases: readonly RuleCase[] = [
  ...blanks.map(([name, typed]) => accepted(name, typed)),
  accepted('1,998 characters', letters(1998)),
  accepted('1,999 characters', letters(1999)),
  accepted('1,999 emoji', emoji(1999)),
  accepted('a tag, which is shown as typed', '<b>bold</b>'),
  refused('2,000 characters', letters(2000), descriptionTooLong),
  refused('2,001 characters', letters(2001), descriptionTooLong),
  refused('2,000 emoji', emoji(2000), descriptionTooLong),
  refused('10,000 characters', letters(LONG), descriptionTooLong),
  ...scripts,
]

const notPrice = 'Price must be an amount in dollars, such as 19.99'
const tooDear = 'Price cannot exceed $9,999.99'
const belowZero = 'Price cannot be negative'
export const priceCases: readonly RuleCase[] = [
  refused('nothing', '', notPrice),
  refused('white space', '   ', notPrice),
  refused('a word', 'free', notPrice),
  refused('an emoji', '💰', notPrice),
  refused('digits of another script', '١٢', notPrice),
  refused('full-width digits', '１２', notPrice),
  refused('a power of ten', '1e3', notPrice),
  refused('a cent below zero', '-0.01', belowZero),
  refused('far below zero', `-${'9'.repeat(LONG)}`, belowZero),
  accepted('zero', '0'),
  accepted('a cent', '0.01'),
  accepted('a cent below the highest', '9999.98'),
  accepted('the highest', '9999.99'),
  accepted('a third decimal', '12.345'),
  refused('a cent above the highest', '10000.00', tooDear),
  refused('10,000 digits', '9'.repeat(LONG), tooDear),
]

const notEmail = 'Please enter a valid email address'
const address = (length: number) => `${letters(length - 6)}@ab.cd`
export const emailCases: readonly RuleCase[] = [
  ...blankCases(notEmail),
  refused('a word', 'nobody', notEmail),
  refused('no dot', 'a@b', notEmail),
  refused('nothing before the sign', '@b.c', notEmail),
  refused('two signs', 'a@@b.c', notEmail),
  refused('a space inside', 'a b@c.d', notEmail),
  refused('321 characters', address(321), notEmail),
  refused('322 characters', address(322), notEmail),
  refused('321 characters with emoji', `${emoji(315)}@ab.cd`, notEmail),
  refused('10,000 characters', address(LONG), notEmail),
  accepted('the shortest', 'a@b.c'),
  accepted('319 characters', address(319)),
  accepted('320 characters', address(320)),
  accepted('320 characters with emoji', `${emoji(314)}@ab.cd`),
  accepted('combining marks', 'u\u0308@ab.cd'),
  accepted('right to left', 'שלום@ab.cd'),
  accepted('outside the first plane', '𝔘𝔫𝔦@ab.cd'),
]

const short = 'Password must be at least 8 characters long'
const noUpper = 'Password must contain at least one uppercase letter'
const noLower = 'Password must contain at least one lowercase letter'
const noDigit = 'Password must contain at least one number'
const noSpecial = 'Password must contain at least one special character'
const longPassword = 'Password must be at most 256 characters long'
const good = (length: number) => `Aa1!${letters(length - 4)}`
export const passwordCases: readonly RuleCase[] = [
  refused('nothing', '', short, noUpper, noLower, noDigit, noSpecial),
  refused('white space', ' '.repeat(8), noUpper, noLower, noDigit, noSpecial),
  refused('7 characters', good(7), short),
  refused('7 characters with emoji', `Aa1!${emoji(3)}`, short),
  refused('no capital', 'aaaaaa1!', noUpper),
  refused('no small letter', 'AAAAAA1!', noLower),
  refused('no digit', 'AAAAaaa!', noDigit),
  refused('a digit of another script', 'AAAAaa١!', noDigit),
  refused('no special character', 'AAAAaaa1', noSpecial),
  refused('a special character that is none of ours', 'AAAAaa1-', noSpecial),
  refused('257 characters', good(257), longPassword),
  refused('10,000 characters', good(LONG), longPassword),
  accepted('8 characters', good(8)),
  accepted('9 characters', good(9)),
  accepted('8 characters with emoji', `Aa1!${emoji(4)}`),
  accepted('letters of another script', 'Жшлуд١1!'),
  accepted('combining marks', 'E\u0301cole1!é'),
  accepted('256 characters', good(256)),
]
/** Each of these characters satisfies the password rule, and no other character does. */
export const specialCharacters = '!@#$%^&*(),.?":{}|<>'

/** The items of the form's password checklist, by the server's messages. */
export const passwordItem: Readonly<Record<string, string>> = {
  [short]: 'At least 8 characters',
  [noUpper]: 'One uppercase letter',
  [noLower]: 'One lowercase letter',
  [noDigit]: 'One number',
  [noSpecial]: 'One special character',
}

const nameWithAddress = 'Full name must not contain the address of a web page'
const nameTooLong = 'Full name must be at most 200 characters long'
export const nameCases: readonly RuleCase[] = [
  ...blankCases('Full name is required'),
  accepted('one character', '李'),
  accepted('199 characters', letters(199)),
  accepted('200 characters', letters(200)),
  accepted('200 emoji', emoji(200)),
  accepted('initials with dots', 'J. R. Smith'),
  accepted('a title with a dot', 'Dr. Müller-Lüdenscheid'),
  accepted('initials without spaces', 'J.R.R. Tolkien'),
  accepted('a name with a suffix', 'Ana Sá e Silva, M.Sc., Jr.'),
  accepted('a slash between names', 'Ana/Bea Roe'),
  refused('the address of a page', 'Win at https://evil.example', nameWithAddress),
  refused('an address without a scheme', 'www.evil.example', nameWithAddress),
  refused('a domain with a path', 'Claim evil.example/prize now', nameWithAddress),
  refused('201 characters', letters(201), nameTooLong),
  refused('201 emoji', emoji(201), nameTooLong),
  refused('10,000 characters', letters(LONG), nameTooLong),
  ...scripts,
]

const feedbackTooLong = 'At most 4000 characters'
export const feedbackCases: readonly RuleCase[] = [
  ...blankCases('Please enter your feedback'),
  accepted('one character', '!'),
  accepted('3,999 characters', letters(3999)),
  accepted('4,000 characters', letters(4000)),
  accepted('4,000 emoji', emoji(4000)),
  refused('4,001 characters', letters(4001), feedbackTooLong),
  refused('4,001 emoji', emoji(4001), feedbackTooLong),
  refused('10,000 characters', letters(LONG), feedbackTooLong),
  ...scripts,
]

/** Course titles and their slugs; null for `item-` and the time, when no character of the title can be used. */
export const slugCases: readonly { readonly title: string; readonly slug: string | null }[] = [
  { title: 'AWS Certified Rule Keeper', slug: 'aws-certified-rule-keeper' },
  { title: '  Spaces   and -- hyphens - ', slug: 'spaces-and-hyphens' },
  { title: 'C++ & Co.', slug: 'c-co' },
  { title: '101 Ways', slug: 'item-101-ways' },
  { title: '2026', slug: null },
  { title: '20 26', slug: null },
  { title: '!!!', slug: null },
  { title: '😀 👩🏽‍🚀', slug: null },
  { title: 'שלום עולם', slug: null },
  { title: '١٢٣', slug: null },
  { title: 'Cafe\u0301 Ole\u0301', slug: 'cafe-ole' },
  { title: 'Café Olé', slug: 'caf-ol' },
  { title: 'ITEM\u00a0Tab\u2003Line', slug: 'item-tab-line' },
  { title: `Long ${letters(194)}`, slug: `long-${letters(194)}` },
]

const question = {
  id: 'q1',
  question: 'Why?',
  answer_a: 'So',
  answer_b: 'Not',
  final_answer: 'A',
  explanation: 'Because.',
}
/** The fields that must be texts. */
const needed = ['question', 'answer_a', 'answer_b', 'final_answer', 'explanation'] as const
/** A submitted question, and whether it is accepted. */
export const questionCases: readonly { readonly name: string; readonly sent: object; readonly isAccepted: boolean }[] =
  [
    { name: 'all five fields', sent: question, isAccepted: true },
    ...needed.flatMap((field) =>
      [undefined, null, 7, true, ['x'], { text: 'x' }].map((value) => ({
        name: `${field} as ${JSON.stringify(value) ?? 'nothing'}`,
        sent: { ...question, [field]: value },
        isAccepted: false,
      })),
    ),
    ...(['question', 'answer_b', 'explanation'] as const).flatMap((field) =>
      [letters(LONG), emoji(LONG / 2), 'שלום', 'e\u0301', '𝔘'].map((value) => ({
        name: `${field} of ${[...value].length} characters from ${[...value][0]}`,
        sent: { ...question, [field]: value },
        isAccepted: true,
      })),
    ),
    ...[' ', '\u2003'].map((value) => ({
      name: `a question of white space ${JSON.stringify(value)}`,
      sent: { ...question, question: value },
      isAccepted: false,
    })),
  ]

import numerals from './numerals.json' with { type: 'json' }

/** Words for each digit, 0 first, then ten, eleven and twelve; several for one are separated by blanks. */
const NUMERALS: Readonly<Record<string, readonly string[]>> = numerals
const DIGITS_MAX = 64
const TEN = '10'
/** Where eleven to nineteen are ten and a digit, each a word of its own. */
const TEN_AND_DIGIT = new Set(['tr', 'vi', 'zh'])

/**
 * The digits that somebody said: "one", "the number two please", "two two" for 22, in the language of the flow; numerals that
 * were written as digits count too. Undefined where no numeral was said.
 */
export function spokenDigits(heard: string, language: string): string | undefined {
  const values = valuesOf(language)
  const said = words(heard, language, values).flatMap((word) => (/^\d+$/.test(word) ? word : (values.get(word) ?? [])))
  const isTeens = TEN_AND_DIGIT.has(language.split('-', 1)[0] ?? '')
  const digits = (isTeens ? withTeens(said) : said).join('')
  return digits === '' || digits.length > DIGITS_MAX ? undefined : digits
}

function withTeens(said: readonly string[]): string[] {
  return said.flatMap((each, at) => {
    if (said[at - 1] === TEN && /^[1-9]$/.test(each)) return []
    const digit = said[at + 1] ?? ''
    return each === TEN && /^[1-9]$/.test(digit) ? `1${digit}` : each
  })
}

/** Chinese is written without blanks between its words. */
function words(heard: string, language: string, values: ReadonlyMap<string, string>): string[] {
  // Ukrainian writes an apostrophe within its five and nine; Turkish has an i without a dot.
  const plain = heard.toLocaleLowerCase(language).normalize('NFKC').replaceAll(/['’ʼ]/g, '')
  const parts = plain.split(/[^\p{L}\p{M}\p{N}]+/u)
  if (!language.startsWith('zh')) return parts.filter(Boolean)
  return parts.flatMap((part) => (values.has(part) ? [part] : [...part]))
}

function valuesOf(language: string): ReadonlyMap<string, string> {
  const own = NUMERALS[language] ?? NUMERALS[language.split('-', 1)[0] ?? ''] ?? []
  return new Map(
    own.flatMap((said, value) =>
      said.split(' ').map((word) => [word.normalize('NFKC').replaceAll(/['’ʼ]/g, ''), String(value)] as const),
    ),
  )
}

/** What the service writes for programs, as people read it; all of it pure. */

/** A sentence that tells a program what to send: JSON, names of fields, UTC, patterns of dates. What stands for a name in a text stays. */
const FOR_PROGRAMS = /\{"|\[\{|\[\[|`|\b[a-z]\w*_[a-z]\w*|\bUTC\b|YYYY|JJJJ|JSON/
const JOINT = /(?<=[.!]) (?=[\p{Lu}"„“])/u

/** What stands beside a field without the sentences that are meant for programs. */
export function helpForPeople(help: string): string {
  const left = help.split(JOINT).filter((sentence) => !FOR_PROGRAMS.test(sentence))
  return left.join(' ')
}

/** `phone_number` and `phoneNumber` as `Phone number`; what is no name of a program stays. */
export function nameForPeople(name: string): string {
  if (!/^[a-z][\w-]*$/i.test(name) || /^[A-Z]+$/.test(name)) return name
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Whether a text is a moment as the service writes it. */
export function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)?$/.test(text)
}

/** Moments in a text that are in UTC, such as the one in the name of a call. */
const MOMENTS = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| UTC)?(?![\d:])/g

/** A text of the service with its moments as the reader's clock shows them. */
export function momentsForPeople(text: string, timeOf: (instant: string) => string): string {
  return text.replaceAll(MOMENTS, (moment) => timeOf(moment.replace(/ UTC$/, '')))
}

/** A refusal that names fields and models as programs do, by what they are called: the service says which is which. */
export function namesForPeople(sentence: string, labelOf: (name: string) => string | undefined): string {
  const quoted = sentence.replaceAll(
    /(["„“])([a-z][\w.]*)(["“”])/g,
    (whole, open: string, name: string, close: string) => {
      const label = labelOf(name)
      return label === undefined ? whole : `${open}${label}${close}`
    },
  )
  return quoted.replaceAll(/\b[a-z]+(?:\.[a-z]\w*)+\b/g, (name) => labelOf(name) ?? name)
}

/** A value of lists and named parts in one line, for the cell of a table. */
export function lineOf(
  value: unknown,
  said: (value: string | number | boolean) => string,
  nameOf = nameForPeople,
): string {
  if (value === null || value === undefined || value === '') return ''
  if (Array.isArray(value))
    return value
      .map((each) => lineOf(each, said, nameOf))
      .filter((each) => each !== '')
      .join(', ')
  if (typeof value !== 'object') return said(value as string | number | boolean)
  const parts = Object.entries(value).flatMap(([name, part]) => {
    const text = lineOf(part, said, nameOf)
    return text === '' ? [] : [`${nameOf(name)}: ${text}`]
  })
  return parts.join('; ')
}

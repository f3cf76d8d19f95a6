/** What came and went, made readable; pure. What is not as it claims to be stays as it is. */
const INDENT = 2
const PAD = '  '

/** JSON with its lines; undefined where there is none. */
export function prettyJson(value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return undefined
  if (typeof value !== 'string') return JSON.stringify(value, null, INDENT)
  try {
    return JSON.stringify(JSON.parse(value), null, INDENT)
  } catch {
    return value
  }
}

/** Markup with a line for each verb, indented by what holds it; anything else as it is. */
export function prettyMarkup(text: string | null): string | undefined {
  if (text === null || text === '') return undefined
  if (!text.trimStart().startsWith('<')) return prettyJson(text)
  let depth = 0
  return text
    .replaceAll(/>\s*</g, '>\n<')
    .split('\n')
    .map((line) => {
      if (line.startsWith('</')) depth = Math.max(0, depth - 1)
      const shown = `${PAD.repeat(depth)}${line}`
      const opens = /^<[A-Za-z]/.test(line) && !line.endsWith('/>') && !/<\/\w+>$/.test(line)
      if (opens) depth += 1
      return shown
    })
    .join('\n')
}

/** The fields of a form; undefined where the body is none. */
export function readForm(body: string | null): [name: string, value: string][] | undefined {
  if (body === null || body === '' || /^\s*[{<[]/.test(body) || !body.includes('=')) return undefined
  return [...new URLSearchParams(body)].toSorted(([one], [other]) => (one < other ? -1 : 1))
}

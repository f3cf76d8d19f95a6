import { DIAL_NOUNS_MAX } from './dial.ts'
import { ELEMENTS } from './grammar.ts'
import type { ElementRule } from './grammar-values.ts'
import { type MarkupElement, parseMarkup } from './parse.ts'
import { valueProblem, webAddressProblem } from './value-check.ts'
import { MARKUP_BYTES_MAX } from './verb.ts'

interface CheckOptions {
  /**
   * The document will be handed over inline, where relative addresses lead nowhere
   * (docs/reference/providers.md#markup-documents).
   */
  readonly absoluteUrls?: boolean
}

/** A list longer than this helps nobody. */
const PROBLEMS_MAX = 50

/** What the provider would refuse, ignore or never reach in this markup; an empty list when all is well. */
export function checkMarkup(xml: string, options: CheckOptions = {}): string[] {
  const bytes = Buffer.byteLength(xml)
  if (bytes > MARKUP_BYTES_MAX) {
    return [`The document has ${bytes} bytes, the provider accepts ${MARKUP_BYTES_MAX}.`]
  }
  const parsed = parseMarkup(xml)
  if ('problem' in parsed) return [parsed.problem]
  return parsed.elements.flatMap((element) => elementProblems(element, options)).slice(0, PROBLEMS_MAX)
}

function elementProblems(element: MarkupElement, options: CheckOptions): string[] {
  const rule = ELEMENTS.get(element.name)
  const problems =
    rule === undefined
      ? [`<${element.name}> is unknown${suggestion(element.name, [...ELEMENTS.keys()])}.`]
      : [
          ...placeProblems(element),
          ...attributeProblems(element, rule, options),
          ...textProblems(element, rule, options),
          ...flowProblems(element),
        ]
  return problems.map((problem) => `Line ${element.line}: ${problem}`)
}

function placeProblems({ name, parent }: MarkupElement): string[] {
  if (parent === undefined) return name === 'Response' ? [] : [`the document must be one <Response>, not <${name}>.`]
  const allowed = ELEMENTS.get(parent.name)
  // What stands in an unknown element cannot be judged.
  if (allowed === undefined || allowed.children?.includes(name)) return []
  return [`<${name}> may not stand in <${parent.name}>.`]
}

function attributeProblems(element: MarkupElement, rule: ElementRule, options: CheckOptions): string[] {
  const { name, attributes, parent } = element
  const known = parent?.name === 'Refer' ? {} : rule.attributes
  const missing = (rule.required ?? []).filter((attribute) => attributes[attribute] === undefined)
  return [
    ...missing.map((attribute) => `<${name}> has no ${attribute}${MISSING[attribute] ?? ''}.`),
    ...Object.entries(attributes).flatMap(([attribute, value]) => {
      const valueRule = Object.hasOwn(known, attribute) ? known[attribute] : undefined
      if (valueRule === undefined) {
        return [`<${name}> has no attribute ${attribute}${suggestion(attribute, Object.keys(known))}.`]
      }
      const problem = valueProblem(value, valueRule, options)
      return problem === undefined ? [] : [`${attribute} of <${name}> ${problem}.`]
    }),
  ]
}

const MISSING: Readonly<Record<string, string>> = {
  action: ': the provider would ask for the same document again, and it loops',
}

function textProblems(element: MarkupElement, rule: ElementRule, options: CheckOptions): string[] {
  const { name, children } = element
  const text = element.text.trim()
  if (rule.text === undefined) return text === '' ? [] : [`<${name}> may hold no text.`]
  switch (rule.text) {
    case 'url':
      return textAddressProblems(element, text, options)
    case 'required':
      return text === '' && children.length === 0 ? [`<${name}> is empty.`] : []
    case 'optional':
      return name === 'Dial' && text !== '' && children.length > 0 ? ['<Dial> holds a number and nouns.'] : []
  }
}

function textAddressProblems({ name, attributes }: MarkupElement, text: string, options: CheckOptions): string[] {
  if (text === '') return attributes.digits === undefined ? [`<${name}> names no address.`] : []
  const problem = webAddressProblem(text, options)
  return problem === undefined ? [] : [`the address in <${name}> ${problem}.`]
}

/** Verbs after these never run. */
function neverReturns({ name, attributes }: MarkupElement): boolean {
  return ['Redirect', 'Hangup', 'Reject'].includes(name) || (name === 'Dial' && attributes.action !== undefined)
}

function flowProblems(element: MarkupElement): string[] {
  const { name, parent, children } = element
  if (name === 'Dial' && children.length > DIAL_NOUNS_MAX) {
    return [`<Dial> rings ${children.length} at once, the provider rings at most ${DIAL_NOUNS_MAX}.`]
  }
  if (parent?.name !== 'Response') return []
  const place = parent.children.indexOf(element)
  const before = parent.children[place - 1]
  if (before !== undefined && neverReturns(before)) return [`<${name}> never runs: <${before.name}> ends the document.`]
  return name === 'Reject' && place > 0 ? ['<Reject> only works as the first verb.'] : []
}

function suggestion(name: string, known: readonly string[]): string {
  const meant = known.find((other) => other.toLowerCase() === name.toLowerCase())
  return meant === undefined ? '' : ` (it is written ${meant})`
}

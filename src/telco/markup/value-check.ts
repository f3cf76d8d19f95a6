import type { ValueRule } from './grammar-values.ts'
import { hintsProblem } from './hints.ts'

interface AddressOptions {
  readonly absoluteUrls?: boolean
}

/** What is wrong with the value of an attribute, as the end of a sentence that begins with its name. */
export function valueProblem(value: string, rule: ValueRule, options: AddressOptions): string | undefined {
  switch (rule.kind) {
    case 'text':
      return undefined
    case 'url':
      return webAddressProblem(value, options)
    case 'socket':
      return /^wss:\/\/[^\s?#]+$/.test(value) ? undefined : 'must be a wss:// address without a query'
    case 'boolean':
      return ['true', 'false'].includes(value) ? undefined : 'must be true or false'
    case 'hints':
      return hintsProblem(value)
    case 'number':
      return isBetween(value, rule) ? undefined : `must be a whole number from ${rule.min} to ${rule.max}`
    case 'word':
      return rule.words.includes(value) ? undefined : `must be one of ${rule.words.filter(Boolean).join(', ')}`
    case 'words': {
      const unknown = value.split(' ').filter((each) => !rule.words.includes(each))
      return unknown.length === 0 ? undefined : `may only hold ${rule.words.join(', ')}`
    }
  }
}

function isBetween(value: string, { min, max }: { readonly min: number; readonly max: number }): boolean {
  return /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max
}

/** What is wrong with an address, as the end of a sentence that begins with its name. */
export function webAddressProblem(address: string, { absoluteUrls = false }: AddressOptions): string | undefined {
  if (address === '' || /\s/.test(address)) return 'must be an address without blanks'
  const fragmentStart = address.indexOf('#')
  if (fragmentStart !== -1 && address.indexOf('?', fragmentStart) !== -1) {
    return 'has its query after the fragment, where it is never sent'
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase()
  if (scheme !== undefined && !isHttp(address)) return 'must be an http or https address'
  if (scheme === undefined && absoluteUrls) return 'must be an absolute address'
  return undefined
}

function isHttp(address: string): boolean {
  return /^https?:\/\//i.test(address) && URL.canParse(address)
}

import { isLocalHost } from '../../public-address.ts'
import { type Said, sayRefusal } from '../../refusals.ts'

/**
 * What is wrong with the API URL in the published words (docs/reference/domain.md#address-sentences), where being local
 * wins; undefined when nothing is.
 */
export function apiUrlProblem(apiUrl: string | undefined): Said | undefined {
  const url = parseApiUrl(apiUrl)
  if (url === undefined || isLocalHost(url.hostname)) return sayRefusal('address-local')
  return url.protocol === 'https:' ? undefined : sayRefusal('address-not-https')
}

/** The API URL (docs/reference/contract.md#public-address); undefined when none is set or it is no web address. */
export function parseApiUrl(apiUrl: string | undefined): URL | undefined {
  if (apiUrl === undefined || !/^https?:\/\/[^\s#?]+$/i.test(apiUrl)) return undefined
  return URL.canParse(apiUrl) ? new URL(apiUrl) : undefined
}

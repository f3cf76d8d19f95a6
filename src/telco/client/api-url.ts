import { isLocalHost, NO_HTTPS, NO_LOCALHOST } from '../../public-address.ts'

/**
 * What is wrong with the API URL in the published words (docs/reference/domain.md#address-sentences), where being local
 * wins; undefined when nothing is.
 */
export function apiUrlProblem(apiUrl: string | undefined): string | undefined {
  const url = parseApiUrl(apiUrl)
  if (url === undefined || isLocalHost(url.hostname)) return NO_LOCALHOST
  return url.protocol === 'https:' ? undefined : NO_HTTPS
}

/** The API URL (docs/reference/contract.md#public-address); undefined when none is set or it is no web address. */
export function parseApiUrl(apiUrl: string | undefined): URL | undefined {
  if (apiUrl === undefined || !/^https?:\/\/[^\s#?]+$/i.test(apiUrl)) return undefined
  return URL.canParse(apiUrl) ? new URL(apiUrl) : undefined
}

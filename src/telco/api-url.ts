import { isLocalHost, NO_HTTPS, NO_LOCALHOST } from '../public-address.ts'

/** What is wrong with the API URL in the words of domain.md 1.1.1, where being local wins; undefined when nothing is. */
export function apiUrlProblem(apiUrl: string | undefined): string | undefined {
  const url = parseApiUrl(apiUrl)
  if (url === undefined || isLocalHost(url.hostname)) return NO_LOCALHOST
  return url.protocol === 'https:' ? undefined : NO_HTTPS
}

/** The API URL, or undefined when none is set or what is set is no web address. */
export function parseApiUrl(apiUrl: string | undefined): URL | undefined {
  if (apiUrl === undefined || !/^https?:\/\/[^\s#?]+$/i.test(apiUrl)) return undefined
  return URL.canParse(apiUrl) ? new URL(apiUrl) : undefined
}

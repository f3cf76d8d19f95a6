const PLAIN_HTTP = 'Invalid api url! Please use HTTPS instead of HTTP to ensure a secure connection!'
const LOCAL = 'Invalid api url! Localhost is not allowed! Please use a valid and secure domain!'

const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** What is wrong with the API URL in the words of domain.md 1.1.1, where being local wins; undefined when nothing is. */
export function apiUrlProblem(apiUrl: string | undefined): string | undefined {
  const url = parseApiUrl(apiUrl)
  if (url === undefined || LOCAL_HOST.test(url.hostname)) return LOCAL
  return url.protocol === 'https:' ? undefined : PLAIN_HTTP
}

/** The API URL, or undefined when none is set or what is set is no web address. */
export function parseApiUrl(apiUrl: string | undefined): URL | undefined {
  if (apiUrl === undefined || !/^https?:\/\/[^\s#?]+$/i.test(apiUrl)) return undefined
  return URL.canParse(apiUrl) ? new URL(apiUrl) : undefined
}

/** Where somebody wanted to go before they were asked who they are; only to a page of this service. */
export function wayBack(next: unknown): string {
  // A browser reads `\` as `/`, so that `/\host` would be another host.
  return typeof next === 'string' && /^\/(?![/\\])[^\\\s]*$/.test(next) ? next : '/'
}

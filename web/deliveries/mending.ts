/** What sets right why a signature does not fit; pure. */

export interface Explained {
  url?: string
  expected?: string
  differs: readonly string[]
  sentence: string
}

export type Mending = { kind: 'push' } | { kind: 'set'; address: string }

/** What a proxy changes on the way is not ours to mend; an address that is right here is pushed to the provider again. */
export function mendingOf({ url, differs }: Explained, apiUrl: string): Mending | undefined {
  if (url === undefined || differs.some((part) => !['scheme', 'host', 'port'].includes(part))) return undefined
  const signed = new URL(url)
  const isOther = differs.includes('host') || differs.includes('port') || differs.length === 0
  if (!isOther && apiUrl.startsWith('https://')) return { kind: 'push' }
  return { kind: 'set', address: `https://${isOther ? signed.host : apiUrl.replace(/^\w+:\/\//, '') || signed.host}` }
}

import { isIPv4, isIPv6 } from 'node:net'

/** Groups of an IPv6 address that name a network, /64: one subscriber has all addresses below it. */
const NETWORK_GROUPS = 4
const GROUPS = 8
/** No address is longer; what a proxy passes on may be anything. */
const ADDRESS_CHARS_MAX = 64

/** Whom an address belongs to, for limits: an IPv4 address alone, of an IPv6 address its network of 64 bits. */
export function networkOf(address: string): string {
  const bare = address.slice(0, ADDRESS_CHARS_MAX).replace(/%.*$/, '').toLowerCase()
  const [, mapped = ''] = /^(?:0*:)*:?ffff:([\d.]+)$/.exec(bare) ?? []
  if (isIPv4(mapped)) return mapped
  if (!isIPv6(bare)) return bare
  const [head = '', tail] = bare.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : GROUPS - before.length - after.length - (bare.includes('.') ? 1 : 0)
  const groups = [...before, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...after]
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

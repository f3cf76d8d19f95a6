import { BlockList } from 'node:net'

/** Whether an IPv4 address is in one of these ranges; no ranges let everybody in. */
export function isAllowedAddress(address: string, ranges: readonly string[] | undefined): boolean {
  if (ranges === undefined || ranges.length === 0) return true
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix] = range.trim().split('/', 2)
    const family = network.includes(':') ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(network, family)
    else list.addSubnet(network, Number(prefix), family)
  }
  return list.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
}

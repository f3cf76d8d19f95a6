import { BlockList, isIP } from 'node:net'
import { type Said, sayRefusal } from './refusals.ts'

const GROUPS_OF_IPV6 = 8
const LOCAL_NAME = /^(?:.+\.)?localhost\.?$/i
/**
 * Names that exist in one network only: without a dot, or below what is set aside for such networks (RFC 6762, RFC 8375, and
 * the resolution of ICANN's board on `.internal` of July 2024) or what routers hand out.
 */
const PRIVATE_NAME = /^(?:[^.:[\]]+|.+\.(?:local|internal|home\.arpa|localdomain|lan|home|corp|intranet))\.?$/i

/** Names that are set aside for examples and tests, and lead nowhere (RFC 2606, RFC 6761). */
const EXAMPLE_NAME = /^(?:.+\.)?(?:example(?:\.(?:com|net|org))?|test|invalid)\.?$/i

/** Who can open what is below the public address: everybody, this network alone, nobody as it is an example, or there is none. */
type Reach = 'public' | 'private' | 'example' | 'missing'

/** Addresses that mean the machine itself. */
const LOCAL = blocksOf(['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128'])
/** Addresses of networks that nobody outside of them can reach. */
const PRIVATE = blocksOf([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '192.0.0.0/24',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  // Tunnels that end at an IPv4 address, which is written in it in two places (RFC 4380); nobody offers them any more.
  '2001::/32',
  // Translated in this network only (RFC 8215).
  '64:ff9b:1::/48',
])
/** IPv6 addresses that stand for an IPv4 address, written at this group: RFC 4291 (2.5.5.1), RFC 2765, RFC 6052, RFC 3056. */
const STANDS_FOR_IPV4 = [
  { list: blocksOf(['::/96']), group: 6 },
  { list: blocksOf(['::ffff:0:0:0/96']), group: 6 },
  { list: blocksOf(['64:ff9b::/96']), group: 6 },
  { list: blocksOf(['2002::/16']), group: 1 },
]

/** Whether the host of a URL, as `URL.hostname` has it, is the machine itself. */
export function isLocalHost(hostname: string): boolean {
  return LOCAL_NAME.test(hostname) || contains(LOCAL, hostname)
}

/**
 * Why a provider cannot reach the host of a URL (`URL.hostname`, which writes numbers of any notation as an address) from
 * outside; undefined when nothing speaks against it. Names are not resolved.
 */
export function privateAddressProblem(hostname: string): Said | undefined {
  if (hostname !== '' && PRIVATE_NAME.test(hostname)) return sayRefusal('address-private-name', { host: hostname })
  if (!contains(PRIVATE, hostname)) return undefined
  return sayRefusal('address-private', { host: bare(hostname) })
}

/** Whether the host of a URL is this machine or, by its address or name, of a network that nobody outside reaches. */
export function isOwnNetwork(hostname: string): boolean {
  return isLocalHost(hostname) || privateAddressProblem(hostname) !== undefined
}

/** What the name in the public address says of who can open it; nothing is asked or resolved. */
export function reachOf(apiUrl: string | undefined): Reach {
  if (apiUrl === undefined || !URL.canParse(apiUrl)) return 'missing'
  const { hostname } = new URL(apiUrl)
  if (EXAMPLE_NAME.test(hostname)) return 'example'
  return isOwnNetwork(hostname) ? 'private' : 'public'
}

function contains(list: BlockList, hostname: string): boolean {
  const address = bare(hostname)
  const family = isIP(address)
  if (family !== 6) return family === 4 && list.check(address, 'ipv4')
  const ipv4 = ipv4In(address)
  return list.check(address, 'ipv6') || (ipv4 !== undefined && list.check(ipv4, 'ipv4'))
}

/** The IPv4 address that a gateway takes out of an IPv6 address. */
function ipv4In(address: string): string | undefined {
  const found = STANDS_FOR_IPV4.find(({ list }) => list.check(address, 'ipv6'))
  if (found === undefined) return undefined
  const pair = groupsOf(address).slice(found.group, found.group + 2)
  return pair.flatMap((group) => [group >> 8, group & 0xff]).join('.')
}

/** The eight groups of 16 bits of an IPv6 address. */
function groupsOf(address: string): number[] {
  // A URL writes an address that ends in dots as groups, and takes none with a zone.
  const written = `[${address.replace(/%.*$/, '')}]`
  const [head = '', tail] = bare(new URL(`http://${written}`).hostname).split('::')
  const numbers = (part: string): number[] =>
    part.split(':').flatMap((group) => (group === '' ? [] : Number.parseInt(group, 16)))
  const [before, after] = [numbers(head), numbers(tail ?? '')]
  return [...before, ...new Array<number>(GROUPS_OF_IPV6 - before.length - after.length).fill(0), ...after]
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function blocksOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

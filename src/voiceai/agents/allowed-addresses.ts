import { isIP } from 'node:net'

/** Where the telephony provider's SIP signalling comes from (its page on IP addresses, one range for each region). */
export const SIGNALLING_RANGES = [
  '54.172.60.0/30', // Virginia
  '54.244.51.0/30', // Oregon
  '54.171.127.192/30', // Ireland
  '35.156.191.128/30', // Frankfurt
  '54.65.63.192/30', // Tokyo
  '54.169.127.128/30', // Singapore
  '54.252.254.64/30', // Sydney
  '177.71.206.192/30', // São Paulo
] as const

const BITS = { 4: 32, 6: 128 } as const

/** The addresses and ranges in a list with commas or line breaks between them. */
export function listAddresses(written: string): string[] {
  return written.split(/[\s,]+/).filter((each) => each !== '')
}

/** The first entry that is neither an IP address nor a range such as 192.0.2.0/24; undefined when all are. */
export function findBadAddress(written: string): string | undefined {
  return listAddresses(written).find((each) => !isAddressOrRange(each))
}

function isAddressOrRange(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/')
  const version = isIP(address)
  if (rest.length > 0 || (version !== 4 && version !== 6)) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= BITS[version])
}

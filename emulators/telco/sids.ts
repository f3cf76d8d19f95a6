import { randomBytes } from 'node:crypto'

/** What the two letters of an id say about its owner (docs/reference/providers.md#request-format). */
export type SidPrefix =
  | 'AC'
  | 'AD'
  | 'AP'
  | 'BU'
  | 'CA'
  | 'CL'
  | 'CR'
  | 'HX'
  | 'ME'
  | 'MZ'
  | 'PN'
  | 'QQ'
  | 'RE'
  | 'RN'
  | 'SD'
  | 'SK'
  | 'SM'
  | 'MM'
  | 'XE'

/**
 * A fresh id: two letters and 32 hexadecimal digits. Never seeded, or a second run would repeat the ids of the first.
 */
export function newSid(prefix: SidPrefix): string {
  return prefix + randomBytes(16).toString('hex')
}

import { call } from './client.ts'
import { asks, keyOf } from './keys.ts'
import type { Link } from './models.gen.ts'

/** Who calls from a number, as the service explains it; contacts that one may not see are nobody. */
export function lookupQuery(number: string) {
  return asks({
    queryKey: keyOf('res.partner', 'lookup', number),
    queryFn: () => call('res.partner', 'lookup', { number }),
  })
}

/** The contact that a call from the number is shown as; null when nobody is known, and while it is not known yet. */
export function matchOf(found: { match: number | null; candidates: object[] } | undefined): Link | null {
  const contact = found?.candidates.find((each) => 'id' in each && each.id === found.match)
  if (contact === undefined || !('id' in contact) || !('name' in contact)) return null
  return typeof contact.id === 'number' && typeof contact.name === 'string' ? [contact.id, contact.name] : null
}

/** Whether a contact that was found is one of staff, who is nobody to talk with from outside. */
export function isStaff(candidate: object): boolean {
  return 'is_staff' in candidate && candidate.is_staff === true
}

import type { Offered } from '../platform/model/values.ts'

/** Whom a picker offers to talk with: neither staff nor what is archived. */
export const CONTACTS_OFFERED: readonly Offered[] = [
  ['active', '!=', false],
  ['is_staff', '=', false],
]

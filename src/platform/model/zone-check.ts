import { Refusal } from '../../errors.ts'
import { parseZone } from '../../time.ts'
import type { Check } from './model.ts'
import { isBlank } from './values.ts'

/** A field that holds a time zone takes none but a known one; empty is none. */
export function zoneCheck(model: string, field: string): Check {
  return {
    fields: [field],
    says: 'Must be a time zone such as Europe/Zurich.',
    require({ values }) {
      const zone = values[field]
      if (isBlank(zone) || parseZone(zone) !== undefined) return
      throw new Refusal('refused', 'must-time-zone-europe-zurich', { model, field })
    },
  }
}

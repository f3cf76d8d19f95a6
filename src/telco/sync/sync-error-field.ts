import { type Field, text } from '../../platform/model/fields.ts'

/** Why the phone provider does not hold a record as it is stored here; empty when it does. */
export function syncErrorField(): Field {
  return text('Not in sync with the phone provider', {
    readonly: true,
    help: 'Why the phone provider does not hold it as it is here; empty when it does, or was never asked to.',
  })
}

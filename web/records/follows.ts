/** What follows in a form from a change in it; pure. */
import { rowsOf } from './parts.ts'
import type { Values } from './record-values.ts'

/** The switch without which the parts of a record do nothing, by model and the field of the parts. */
const SWITCH_OF_PARTS: Record<string, Record<string, string>> = {
  'connect.telco.callflow': { choices: 'gather_input' },
}

/** The changed field, and the switch that goes on with the first part and back with the last one. */
export function withFollowing(model: string, { stored, shown, change }: Record<'stored' | 'shown' | 'change', Values>) {
  const following = Object.entries(change).flatMap(([name, value]): [string, unknown][] => {
    const toggle = SWITCH_OF_PARTS[model]?.[name]
    if (toggle === undefined) return []
    const [before, after] = [rowsOf(shown[name]).length, rowsOf(value).length]
    if (before === 0 && after > 0) return [[toggle, true]]
    return before > 0 && after === 0 ? [[toggle, stored[toggle] ?? false]] : []
  })
  return { ...change, ...Object.fromEntries(following) }
}

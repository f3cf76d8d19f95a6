import { Refusal } from '../../errors.ts'
import type { Check } from './model.ts'

/** An end before its start is refused. Dates are compared as they are written, which is their order. */
export function orderCheck(
  model: string,
  [from, to]: readonly [string, string],
  isInOrder: (from: number | string, to: number | string) => boolean,
): Check {
  return {
    fields: [to, from],
    says: `"${to}" must be after "${from}".`,
    require({ after }) {
      const [start, end] = [after[from], after[to]]
      const areNumbers = typeof start === 'number' && typeof end === 'number'
      const areTexts = typeof start === 'string' && typeof end === 'string'
      if ((!areNumbers && !areTexts) || isInOrder(start, end)) return
      throw new Refusal('refused', 'must-after', { model, to, from })
    },
  }
}

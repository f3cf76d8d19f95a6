import { Check, Errors } from 'typebox/value'
import type { Models } from '../../src/platform/model/declaration.ts'

/** Throws when a method answers something else than it declares, which is what the API document and the page go by. */
export function requireDeclared(models: Models, model: string, method: string, answer: unknown): void {
  const reply = models.get(model).methods?.[method]?.reply
  if (reply === undefined || Check(reply, answer)) return
  const [first] = Errors(reply, answer)
  throw new Error(`${model}/${method} answers something else than it declares: ${JSON.stringify(first)}`)
}

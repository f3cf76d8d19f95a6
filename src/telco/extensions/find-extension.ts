import { isEmergencyNumber, requireNoCallForHelp } from '../../emergency-numbers.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import { extensionOf, extensionsFitting } from '../routing/dial-plan.ts'
import { loadDialPlan } from '../routing/load-dial-plan.ts'

/** The extension that a dialled number reaches: the one with that number, else the only one whose pattern fits; for an emergency number no pattern counts. */
export async function findDialledExtension(env: Env, number: string): Promise<number | undefined> {
  const plan = await loadDialPlan(env.db)
  const exact = extensionOf(plan, number)
  if (exact !== undefined) return exact.id
  if (isEmergencyNumber(number, env.settings.country)) return undefined
  const [fitting, ...others] = extensionsFitting(plan, number)
  return others.length > 0 ? undefined : fitting?.id
}

/** Throws a refusal when there is no such extension, or several fit. */
export async function requireExtension(env: Env, number: string): Promise<number> {
  const id = await findDialledExtension(env, number)
  if (id !== undefined) return id
  requireNoCallForHelp(number, env.settings.country)
  throw new Refusal('not-found', 'no-extension', { number })
}

import type { DialPlan } from '../../src/telco/routing/dial-plan.ts'

/** A dial plan in which nothing is configured but what is given. */
export function aDialPlan(parts: Partial<DialPlan> = {}): DialPlan {
  return {
    numbers: new Map(),
    extensions: new Map(),
    extensionsByNumber: new Map(),
    patterns: [],
    users: new Map(),
    usersByName: new Map(),
    callflows: new Map(),
    agents: new Map(),
    applications: new Map(),
    defaultCallerId: undefined,
    ...parts,
  }
}

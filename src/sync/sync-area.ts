import type { Area } from '../area.ts'
import { GROUP } from '../platform/access/identity.ts'
import { syncRunModel } from './sync-run.ts'

/** Runs that bring a provider up to date; each provider's are with its area. */
export const syncArea = {
  // Written by the service, step by step.
  models: [[syncRunModel, { [GROUP.connectAdmin]: 'r' }]],
} satisfies Area

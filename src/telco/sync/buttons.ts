import type { Env } from '../../platform/access/env.ts'
import type { Extension } from '../../platform/model/extend.ts'
import type { Change } from '../../platform/model/model.ts'
import { pushesOnSave, requestPush } from './push-request.ts'
import { runButton } from './run-request.ts'

/** Settings that stand in every address the provider has of us, or in where it keeps what we set up. */
const EVERYWHERE = ['telco_region', 'telco_edge', 'api_url', 'api_fallback_url'] as const

/** The buttons of the phone provider in the settings, and addresses that are pushed when they change. */
export const telcoButtons: Extension = {
  methods: {
    telco_sync: runButton('sync', 'Synchronise with the phone provider'),
    telco_check: runButton('check', 'Compare with the phone provider'),
  },
  onSave: pushAddresses,
}

/** The first synchronisation is somebody's decision; only what was set up before is pushed anew. */
async function pushAddresses(env: Env, { values, previous }: Change): Promise<void> {
  if (previous === undefined) return
  const isChanged = EVERYWHERE.some((name) => name in values && (values[name] || null) !== (previous[name] || null))
  if (isChanged && (await pushesOnSave(env))) await requestPush(env, { kind: 'everything' })
}

import { type Finding, isProviderSetUp, lookAt } from '../finding.ts'
import type { Asked } from './read-only.ts'
import { TELCO_FACTS } from './telco-facts.ts'
import { VOICEAI_FACTS } from './voiceai-facts.ts'

/** Looks with the real accounts at what their descriptions leave open (docs/provider-checks.md); changes nothing there. */
export function checkFacts(asked: Asked): Promise<Finding[]> {
  const telco = isProviderSetUp('telco', asked.settings) ? TELCO_FACTS : []
  const voiceai = isProviderSetUp('voiceai', asked.settings) ? VOICEAI_FACTS : []
  return lookAt([...telco, ...voiceai], asked)
}

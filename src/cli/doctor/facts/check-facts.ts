import type { Config } from '../../../config.ts'
import type { Connection } from '../../service/connection.ts'
import type { Finding, Installed } from '../finding.ts'
import type { Fact, Known } from './fact.ts'
import { type ReadOnly, readOnly } from './read-only.ts'
import { TELCO_FACTS } from './telco-facts.ts'
import { VOICEAI_FACTS } from './voiceai-facts.ts'

/** Everything that is looked at, in the order of the report. */
export const FACTS: readonly Fact[] = [...TELCO_FACTS, ...VOICEAI_FACTS]

/** Looks with the real accounts at what their descriptions leave open (docs/provider-checks.md); changes nothing there. */
export async function checkFacts(connection: Connection, settings: Installed, config: Config): Promise<Finding[]> {
  const [numbers, agents] = await Promise.all([
    connection.call<Known['numbers']>('connect.telco.number', 'search_read', { fields: ['phone_number', 'sid'] }),
    connection.call<Known['agents']>('connect.voiceai_agent', 'search_read', { fields: ['name', 'agent_uid', 'llm'] }),
  ])
  return lookAtAll(readOnly(settings, config), { settings, numbers, agents, now: new Date() })
}

/** Every fact of a provider that is set up, one after the other: an account may allow few requests at once. */
export async function lookAtAll(read: ReadOnly, known: Known): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { provider, check, look } of FACTS) {
    if (!isSetUp(provider, known.settings)) continue
    for (const outcome of await look(read, known)) findings.push({ check, ...outcome })
  }
  return findings
}

function isSetUp(provider: Fact['provider'], settings: Installed): boolean {
  if (provider === 'voiceai') return settings.voiceai_enabled && settings.voiceai_api_key !== null
  return settings.account_sid !== null && settings.auth_token !== null
}

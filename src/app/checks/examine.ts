import type { Config } from '../../config.ts'
import { areBothEmulated } from '../emulation.ts'
import { type Connection, readSettings } from '../own-api/connection.ts'
import { checkFacts } from './facts/check-facts.ts'
import { type Asked, readOnly } from './facts/read-only.ts'
import { type Finding, type Installed, lookAt } from './finding.ts'
import { PROVIDER_CHECKS } from './providers.ts'
import { lookAtPublicAddress } from './public-address.ts'
import { RECORD_CHECKS } from './records.ts'
import { askService, DISK_CHECK, SERVICE_CHECKS } from './service.ts'
import { askedAt, SIGNATURE_CHECKS, sendSigned } from './signatures.ts'
import { PROXY_CHECK } from './trusted-proxy.ts'

interface Examined {
  config: Config
  /** Undefined for a database that cannot be asked; without an address while no service runs. */
  connection: Connection | undefined
  /** Whether the real accounts are asked for what only they show; nothing is changed there. */
  looksAtFacts: boolean
}

/** Every check of an installation, one after the other. What needs a running service is left out while there is none. */
export async function examine({ config, connection, looksAtFacts }: Examined): Promise<Finding[]> {
  const address = connection?.address
  const served = address === undefined ? undefined : await askService(config, address)
  const findings = served === undefined ? [] : await lookAt(SERVICE_CHECKS, served)
  findings.push(...(await lookAt([DISK_CHECK], config)))
  if (connection === undefined) return findings
  const settings = await readSettings<Installed>(connection)
  findings.push(...(await lookAt(RECORD_CHECKS, { connection, settings })))
  if (served !== undefined) {
    const isPlayed = areBothEmulated(config)
    const look = () => lookAtPublicAddress(settings, isPlayed)
    const base = isPlayed ? served.address : askedAt(settings, served.address)
    findings.push(
      ...(await lookAt([{ check: 'public address', look }], settings)),
      ...(await lookAt(SIGNATURE_CHECKS, await sendSigned(connection, settings, base))),
      // The emulators send what a proxy does.
      ...(isPlayed ? [] : await lookAt([PROXY_CHECK], { connection, settings, metrics: served.metrics })),
      ...(await lookAt(PROVIDER_CHECKS, { connection, settings, config })),
    )
  }
  if (looksAtFacts) findings.push(...(await checkFacts(await factsOf(connection, settings, config))))
  return findings
}

async function factsOf(connection: Connection, settings: Installed, config: Config): Promise<Asked> {
  const [numbers, agents] = await Promise.all([
    connection.call<Asked['numbers']>('connect.telco.number', 'search_read', { fields: ['phone_number', 'sid'] }),
    connection.call<Asked['agents']>('connect.voiceai_agent', 'search_read', { fields: ['name', 'agent_uid', 'llm'] }),
  ])
  return { read: readOnly(settings, config), settings, numbers, agents, now: new Date() }
}

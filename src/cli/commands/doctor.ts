import { existsSync } from 'node:fs'
import path from 'node:path'
import { Option } from 'commander'
import { LOCAL_KEY_FILE } from '../../app/data-files.ts'
import type { Config } from '../../config.ts'
import type { CommandRow } from '../command.ts'
import { checkFacts } from '../doctor/facts/check-facts.ts'
import { type Asked, readOnly } from '../doctor/facts/read-only.ts'
import { type Finding, type Installed, lookAt, named, note } from '../doctor/finding.ts'
import { PROVIDER_CHECKS } from '../doctor/providers.ts'
import { lookAtPublicAddress } from '../doctor/public-address.ts'
import { RECORD_CHECKS } from '../doctor/records.ts'
import { askService, DISK_CHECK, SERVICE_CHECKS } from '../doctor/service.ts'
import { SIGNATURE_CHECKS, sendSigned } from '../doctor/signatures.ts'
import { type Connection, readSettings, ServiceRefusal } from '../service/connection.ts'
import { findLocalService, serviceConnection } from '../service/local-service.ts'

const RESULT_CHARS = 5
/** Any of them shows that a service has run on the folder. */
const OF_AN_INSTALLATION = ['database', 'secret.key', LOCAL_KEY_FILE]

export const DOCTOR_COMMAND: CommandRow = {
  usage: 'doctor',
  about: 'check what usually goes wrong, and say how to set it right',
  options: [new Option('--providers', 'also look at what only the real accounts show; nothing is changed there')],
  async run({ config, output }, { providers = false }: { providers?: boolean }) {
    const findings = await examineInstallation(config, providers)
    output.done(findings.map(describe).join('\n'), findings)
    const failed = findings.filter((finding) => finding.result === 'WRONG').length
    if (failed > 0) throw new ServiceRefusal(500, `${failed} of ${findings.length} checks found something wrong.`)
  },
}

function describe({ result, check, finding, fix }: Finding): string {
  const line = `${result.padEnd(RESULT_CHARS)}  ${check}: ${finding}`
  return fix === '' ? line : `${line}\n${' '.repeat(RESULT_CHARS)}  -> ${fix}`
}

/** Asks the running service; while none runs, looks at the database without changing it. */
async function examineInstallation(config: Config, looksAtFacts: boolean): Promise<Finding[]> {
  const { databaseUrl, dataDir } = config
  // Looking creates nothing: where no installation is, none is made.
  if (databaseUrl === undefined && !OF_AN_INSTALLATION.some((name) => existsSync(path.join(dataDir, name)))) {
    const none = note(`there is none in ${dataDir}`, 'npm start makes one; DATA_DIR names another folder.')
    return [named('installation', none)]
  }
  const service = await findLocalService(config)
  if (service !== undefined) {
    const findings = await lookAt(SERVICE_CHECKS, await askService(config, service.address))
    return examine({ config, findings, connection: serviceConnection(service), looksAtFacts })
  }
  // The whole service is loaded for it.
  const { lookAtStopped } = await import('../doctor/look-at-stopped.ts')
  const { connection, findings, close } = await lookAtStopped(config)
  const finding = 'does not run: the data folder was read, and what needs the service was not checked'
  const stopped = named('service', note(finding, 'npm start'))
  try {
    return await examine({ config, findings: [stopped, ...findings], connection, looksAtFacts })
  } finally {
    await close()
  }
}

interface Examined {
  config: Config
  /** What was found on the way to the records. */
  findings: readonly Finding[]
  /** Undefined for a database that cannot be asked. */
  connection: Connection | undefined
  looksAtFacts: boolean
}

async function examine({ config, findings: before, connection, looksAtFacts }: Examined): Promise<Finding[]> {
  const findings = [...before, ...(await lookAt([DISK_CHECK], config))]
  if (connection === undefined) return findings
  const settings = await readSettings<Installed>(connection)
  findings.push(...(await lookAt(RECORD_CHECKS, { connection, settings })))
  const facts = looksAtFacts ? await checkFacts(await factsOf(connection, settings, config)) : []
  const { address } = connection
  if (address === undefined) return [...findings, ...facts]
  return [
    ...findings,
    ...(await lookAt([{ check: 'public address', look: lookAtPublicAddress }], settings)),
    ...(await lookAt(SIGNATURE_CHECKS, await sendSigned(connection, settings, address))),
    ...(await lookAt(PROVIDER_CHECKS, { connection, settings, config })),
    ...facts,
  ]
}

async function factsOf(connection: Connection, settings: Installed, config: Config): Promise<Asked> {
  const [numbers, agents] = await Promise.all([
    connection.call<Asked['numbers']>('connect.telco.number', 'search_read', { fields: ['phone_number', 'sid'] }),
    connection.call<Asked['agents']>('connect.voiceai_agent', 'search_read', { fields: ['name', 'agent_uid', 'llm'] }),
  ])
  return { read: readOnly(settings, config), settings, numbers, agents, now: new Date() }
}

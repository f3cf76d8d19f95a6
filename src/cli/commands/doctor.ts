import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { LOCAL_KEY_FILE } from '../../app/data-files.ts'
import type { Config } from '../../config.ts'
import { configOf, outputOf } from '../command.ts'
import { checkFacts } from '../doctor/facts/check-facts.ts'
import type { Finding, Installed } from '../doctor/finding.ts'
import { checkProviders } from '../doctor/providers.ts'
import { checkPublicAddress } from '../doctor/public-address.ts'
import { checkRecordings } from '../doctor/recordings.ts'
import { checkRecords } from '../doctor/records.ts'
import { checkDisk, checkService } from '../doctor/service.ts'
import { checkSignatures } from '../doctor/signatures.ts'
import { type Connection, ServiceRefusal } from '../service/connection.ts'
import { findLocalService, serviceConnection } from '../service/local-service.ts'

const RESULT_CHARS = 5
/** Any of them shows that a service has run on the folder. */
const OF_AN_INSTALLATION = ['database', 'secret.key', LOCAL_KEY_FILE]

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check what usually goes wrong, and say how to set it right')
    .option('--providers', 'also look at what only the real accounts show; nothing is changed there')
    .action(async (options: { providers?: true }, command: Command) => {
      const config = configOf(command)
      if (isNothingThere(config)) return reportNothing(command)
      const findings = await examineInstallation(config, options.providers === true)
      outputOf(command).done(findings.map(describe).join('\n'), findings)
      const failed = findings.filter((finding) => finding.result === 'WRONG').length
      if (failed > 0) throw new ServiceRefusal(500, `${failed} of ${findings.length} checks found something wrong.`)
    })
}

/** Looking creates nothing: where no installation is, none is made. */
function isNothingThere({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl === undefined && !OF_AN_INSTALLATION.some((name) => existsSync(path.join(dataDir, name)))
}

function reportNothing(command: Command): void {
  const { dataDir } = configOf(command)
  const finding = `there is none in ${dataDir}`
  const findings: Finding[] = [
    { result: 'note', check: 'installation', finding, fix: 'npm start makes one; DATA_DIR names another folder.' },
  ]
  outputOf(command).done(findings.map(describe).join('\n'), findings)
}

function describe({ result, check, finding, fix }: Finding): string {
  const line = `${result.padEnd(RESULT_CHARS)}  ${check}: ${finding}`
  return fix === '' ? line : `${line}\n${' '.repeat(RESULT_CHARS)}  -> ${fix}`
}

/** Asks the running service; while none runs, looks at the database without changing it. */
async function examineInstallation(config: Config, looksAtFacts: boolean): Promise<Finding[]> {
  const service = await findLocalService(config)
  if (service !== undefined) {
    return examine({ config, connection: serviceConnection(service), here: [], looksAtFacts })
  }
  // The whole service is loaded for it.
  const { lookAtStopped } = await import('../doctor/look-at-stopped.ts')
  const { connection, findings, close } = await lookAtStopped(config)
  try {
    return await examine({ config, connection, here: findings, looksAtFacts })
  } finally {
    await close()
  }
}

interface Examined {
  config: Config
  /** Undefined for a database that cannot be asked. */
  connection: Connection | undefined
  /** What was found on the way to it. */
  here: readonly Finding[]
  looksAtFacts: boolean
}

async function examine({ config, connection, here, looksAtFacts }: Examined): Promise<Finding[]> {
  const findings = [...(await checkService(config, connection?.address)), ...here, ...checkDisk(config)]
  if (connection === undefined) return findings
  const { address } = connection
  const [settings] = await connection.call<Installed[]>('connect.settings', 'search_read', {})
  if (settings === undefined) throw new Error('there are no settings; the database is not seeded')
  findings.push(...(await checkRecords(connection)), await checkRecordings(connection, settings))
  const facts = looksAtFacts ? await checkFacts(connection, settings, config) : []
  if (address === undefined) return [...findings, ...facts]
  return [
    ...findings,
    await checkPublicAddress(settings),
    ...(await checkSignatures(connection, settings, address)),
    ...(await checkProviders(connection, settings, config)),
    ...facts,
  ]
}

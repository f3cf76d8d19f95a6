import { existsSync } from 'node:fs'
import path from 'node:path'
import { Option } from 'commander'
import { whyNotOurs } from '../../account.ts'
import { examine } from '../../app/checks/examine.ts'
import { type Finding, named, note } from '../../app/checks/finding.ts'
import { LOCAL_KEY_FILE } from '../../app/data-files.ts'
import { ServiceRefusal } from '../../app/own-api/connection.ts'
import type { Config } from '../../config.ts'
import type { CommandRow } from '../command.ts'
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
  const why = existsSync(dataDir) ? whyNotOurs(dataDir) : undefined
  if (why !== undefined) throw new ServiceRefusal(403, `DATA_DIR cannot be looked at: ${why}`)
  // Looking creates nothing: where no installation is, none is made.
  if (databaseUrl === undefined && !OF_AN_INSTALLATION.some((name) => existsSync(path.join(dataDir, name)))) {
    const none = note(`there is none in ${dataDir}`, 'npm start makes one; DATA_DIR names another folder.')
    return [named('installation', none)]
  }
  const service = await findLocalService(config)
  if (service !== undefined) return examine({ config, connection: serviceConnection(service), looksAtFacts })
  // The whole service is loaded for it.
  const { lookAtStopped } = await import('../doctor/look-at-stopped.ts')
  const { connection, findings, close } = await lookAtStopped(config)
  const finding = 'does not run: the data folder was read, and what needs the service was not checked'
  const stopped = named('service', note(finding, 'npm start'))
  try {
    return [stopped, ...findings, ...(await examine({ config, connection, looksAtFacts }))]
  } finally {
    await close()
  }
}

import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { LOCAL_KEY_FILE } from '../../app/data-files.ts'
import type { Config } from '../../config.ts'
import { type CommandEnv, configOf, outputOf, withConnection } from '../command.ts'
import { ServiceRefusal } from '../connection.ts'
import { checkFacts } from '../doctor/facts/check-facts.ts'
import type { Finding, Installed } from '../doctor/finding.ts'
import { checkProviders } from '../doctor/providers.ts'
import { checkPublicAddress } from '../doctor/public-address.ts'
import { checkRecordings } from '../doctor/recordings.ts'
import { checkRecords } from '../doctor/records.ts'
import { checkDisk, checkService } from '../doctor/service.ts'
import { checkSignatures } from '../doctor/signatures.ts'

const RESULT_CHARS = 5
/** Any of them shows that a service has run on the folder. */
const OF_AN_INSTALLATION = ['database', 'secret.key', LOCAL_KEY_FILE]

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check what usually goes wrong, and say how to set it right')
    .option('--providers', 'also look at what only the real accounts show; nothing is changed there')
    .action(async (options: { providers?: true }, command: Command) => {
      if (isNothingThere(configOf(command))) return reportNothing(command)
      return withConnection(command, async (env) => {
        const findings = await examine(env, options.providers === true)
        env.output.done(findings.map(describe).join('\n'), findings)
        const failed = findings.filter((finding) => finding.result === 'WRONG').length
        if (failed > 0) throw new ServiceRefusal(500, `${failed} of ${findings.length} checks found something wrong.`)
      })
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

async function examine({ config, connection }: CommandEnv, looksAtFacts: boolean): Promise<Finding[]> {
  const { address } = connection
  const [settings] = await connection.call<Installed[]>('connect.settings', 'search_read', {})
  if (settings === undefined) throw new Error('there are no settings; the database is not seeded')
  const here = [
    ...(await checkService(config, address)),
    ...checkDisk(config),
    ...(await checkRecords(connection)),
    await checkRecordings(connection, settings),
  ]
  const facts = looksAtFacts ? await checkFacts(connection, settings, config) : []
  if (address === undefined) return [...here, ...facts]
  return [
    ...here,
    await checkPublicAddress(settings),
    ...(await checkSignatures(connection, settings, address)),
    ...(await checkProviders(connection, settings, config)),
    ...facts,
  ]
}

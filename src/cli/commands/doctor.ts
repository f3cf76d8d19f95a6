import { statfsSync } from 'node:fs'
import type { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { type CommandEnv, withConnection } from '../command.ts'
import { ServiceRefusal } from '../connection.ts'
import { checkPublicAddress, type Finding, type Installed } from '../doctor/public-address.ts'
import { checkRecords } from '../doctor/records.ts'
import { checkSignatures } from '../doctor/signatures.ts'

const FREE_BYTES_MIN = 1024 ** 3

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check what usually goes wrong, and say how to set it right')
    .action((_options, command: Command) =>
      withConnection(command, async (env) => {
        const findings = await examine(env)
        env.output.rows(findings, ['result', 'check', 'finding', 'fix'])
        const failed = findings.filter((finding) => finding.result === 'WRONG').length
        if (failed > 0) throw new ServiceRefusal(500, `${failed} of ${findings.length} checks found something wrong.`)
      }),
    )
}

async function examine({ connection }: CommandEnv): Promise<Finding[]> {
  const [settings] = await connection.call<Installed[]>('connect.settings', 'search_read', {})
  if (settings === undefined) throw new Error('there are no settings; the database is not seeded')
  return [
    checkService(connection.address),
    checkDisk(),
    ...(await checkPublicAddress(settings)),
    ...(await checkSignatures(settings, connection.address)),
    ...(await checkRecords(connection, settings)),
  ]
}

function checkService(address: string | undefined): Finding {
  const check = 'service'
  if (address !== undefined) return { result: 'ok', check, finding: `runs at ${address}`, fix: '' }
  return { result: 'note', check, finding: 'does not run; the data folder itself was read', fix: 'npm start' }
}

function checkDisk(): Finding {
  const { dataDir } = readConfig()
  const { bavail, bsize } = statfsSync(dataDir)
  const gigabytes = ((bavail * bsize) / FREE_BYTES_MIN).toFixed(1)
  const check = 'disk'
  if (bavail * bsize >= FREE_BYTES_MIN) return { result: 'ok', check, finding: `${gigabytes} GB free`, fix: '' }
  return {
    result: 'WRONG',
    check,
    finding: `only ${gigabytes} GB free at ${dataDir}`,
    fix: 'Make room, or move DATA_DIR.',
  }
}

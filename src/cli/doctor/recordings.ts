import type { Connection } from '../service/connection.ts'
import type { Finding, Installed } from './finding.ts'

/** Whether calls are recorded and callers hear nothing of it, which the law of many countries wants them to. */
export async function checkRecordings(
  connection: Connection,
  { announce_recordings: isAnnounced }: Installed,
): Promise<Finding> {
  const count = (model: string, domain: readonly unknown[]): Promise<number> =>
    connection.call<number>(model, 'search_count', { domain })
  const users = await count('connect.user', [['record_calls', '=', true]])
  const flows = await count('connect.telco.callflow', [['record_calls', '=', true]])
  return describeRecordings({ users, flows, isAnnounced })
}

/** The finding for so many phone users and call flows that record their calls. */
export function describeRecordings({
  users,
  flows,
  isAnnounced,
}: {
  users: number
  flows: number
  isAnnounced: boolean
}): Finding {
  const check = 'recordings'
  if (users + flows === 0) return { result: 'ok', check, finding: 'no phone user and no call flow records', fix: '' }
  const who = `${counted(users, 'phone user')} and ${counted(flows, 'call flow')} record calls`
  if (isAnnounced) return { result: 'ok', check, finding: `${who}, and callers hear so first`, fix: '' }
  const fix =
    'connect settings set announce_recordings on has them hear it; else take "record_calls" off where it must not be on.'
  return { result: 'note', check, finding: `${who} without telling the callers`, fix }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

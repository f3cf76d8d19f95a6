// Processes that stand still: as under a debugger, in a paused container, or on a host that has run out of memory.
import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { StormSkipped } from './storm.ts'

/** Stops a whole PostgreSQL server on this machine; gives a function that lets it go on. */
export async function freezeServer(url: string): Promise<() => void> {
  const pids = await serverPids(url)
  sendAll(pids, 'SIGSTOP')
  return () => sendAll(pids, 'SIGCONT')
}

/** The server first, so that it makes no new process meanwhile. */
async function serverPids(url: string): Promise<number[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: string }>(
      `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid`,
    )
    const pid = Number(rows[0]?.pid)
    return [pid, ...childrenOf(pid)]
  } finally {
    await client.end()
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  } catch {
    throw new StormSkipped('this system does not tell the processes of a server')
  }
}

function sendAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // One that has ended meanwhile stands still for ever.
    }
  }
}

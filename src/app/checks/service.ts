import { existsSync, statfsSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { EMBEDDED_CALLS_MAX, EMBEDDED_DELIVERIES_PER_SECOND_MAX } from '../embedded-promise.ts'
import { type InstallationCheck, note, type Outcome, ok, wrong } from './finding.ts'

const TIMEOUT_MS = 8_000
const GIGABYTE = 1024 ** 3
const FREE_BYTES_MIN = GIGABYTE
/** A job that is due waits for a moment; longer, and nobody works on them. */
const WAITING_SECONDS_MAX = 300
/** Above it somebody should hear of a sequence while there is still time. */
const IDS_USED_PERCENT_MAX = 80
/** Of what the embedded database is made for: above it there is still time to move. */
const EMBEDDED_PERCENT_MAX = 90
const LOOK_AT_LOG = 'Check the log of the service; restart it if that does not help.'
const GIVE_TOKEN = 'Set METRICS_TOKEN to the same value as the service.'

/** What a running service says of itself; empty texts where it gave no answer. */
interface Served {
  address: string
  ready: string
  metrics: string
}

/** Whether the service runs, reaches its database, and works on its queue. */
export const SERVICE_CHECKS: readonly InstallationCheck<Served>[] = [
  { check: 'service', look: ({ address }) => ok(`runs at ${address}`) },
  {
    check: 'database',
    look: ({ ready }) =>
      ready.includes('"database":true')
        ? ok('answers')
        : wrong('does not answer within 2 s', 'Check DATABASE_URL and the server.'),
  },
  {
    check: 'queue',
    look: ({ ready }) => (ready.includes('"queue":true') ? ok('is open') : wrong('is not open', LOOK_AT_LOG)),
  },
  { check: 'writes', look: lookAtWrites },
  { check: 'queue age', look: lookAtQueueAge },
  { check: 'ids', look: lookAtIds },
  { check: 'embedded database', look: lookAtEmbedded },
]

/** Room for the database, for audio and for deliveries that wait. */
export const DISK_CHECK: InstallationCheck<Config> = { check: 'disk', look: lookAtDisk }

/** Asks the service for its state and its own numbers. */
export async function askService({ metricsToken }: Config, address: string): Promise<Served> {
  const headers: Record<string, string> = metricsToken === undefined ? {} : { authorization: `Bearer ${metricsToken}` }
  return { address, ready: await getText(`${address}/readyz`), metrics: await getText(`${address}/metrics`, headers) }
}

/** Whether the service can write, and when it last could not. */
function lookAtWrites({ ready }: Served): Outcome {
  const [, place, at] = /"last_failed_write":\{"place":"(\w+)","at":"([^"]+)"/.exec(ready) ?? []
  if (ready.includes('"disk":false')) {
    const finding = 'webhooks cannot be stored'
    const failed = `webhooks cannot be stored; the last failed write was to the ${place} at ${at}`
    const fix = 'Free space at DATA_DIR and check that it is writable.'
    return wrong(place === undefined ? finding : failed, fix)
  }
  if (place === undefined) return ok('none failed since the service started')
  return note(`work; the last failed write was to the ${place} at ${at}`, LOOK_AT_LOG)
}

function lookAtQueueAge({ metrics }: Served): Outcome {
  const [, seconds] = /^connect_jobs_oldest_seconds (\d+)/m.exec(metrics) ?? []
  if (seconds === undefined) return note('is not reported', GIVE_TOKEN)
  const finding = `the oldest due job has waited ${seconds} s`
  if (Number(seconds) <= WAITING_SECONDS_MAX) return ok(finding)
  return wrong(finding, 'Run a worker (connect worker), or the service without WORKER=off, and check its log.')
}

/** Whether ids run out: a sequence at its end refuses every new row of its table. */
function lookAtIds({ metrics }: Served): Outcome {
  const [, sequence, used] = /^connect_ids_used_ratio\{sequence="([^"]+)"\} (\S+)/m.exec(metrics) ?? []
  if (sequence === undefined) return note('are not reported', GIVE_TOKEN)
  const percent = Number(used) * 100
  if (percent <= IDS_USED_PERCENT_MAX) return ok(`no sequence has used more than ${Math.ceil(percent)} %`)
  const fix = 'Give the column that it fills, and the sequence, 64 bits (bigint) before it is used up.'
  return wrong(`${sequence} has used ${Math.floor(percent)} % of its ids`, fix)
}

/** Whether the embedded database has become too small; nothing on a server. */
function lookAtEmbedded({ metrics }: Served): Outcome | Outcome[] {
  const [, used] = /^connect_embedded_used_ratio (\S+)/m.exec(metrics) ?? []
  const percent = Math.floor(Number(used ?? Number.NaN) * 100)
  if (Number.isNaN(percent)) return []
  if (percent < EMBEDDED_PERCENT_MAX) return ok(`${percent} % of the calls and webhooks that it is made for`)
  const [calls, perSecond] = [EMBEDDED_CALLS_MAX.toLocaleString('en'), EMBEDDED_DELIVERIES_PER_SECOND_MAX]
  const finding = `${percent} % of what it is made for: ${calls} calls and ${perSecond} webhooks a second`
  return wrong(
    finding,
    'Move to PostgreSQL: stop the service, then connect move --to postgres://user:password@host/database',
  )
}

function lookAtDisk({ dataDir, mediaDir }: Config): Outcome[] {
  const folders = [...new Set([dataDir, mediaDir])].filter((folder) => existsSync(folder))
  const outcomes = folders.map((folder) => {
    const { bavail, bsize } = statfsSync(folder)
    const free = (bavail * bsize) / GIGABYTE
    if (bavail * bsize >= FREE_BYTES_MIN) return ok(`${Math.floor(free)} GB free at ${folder}`)
    return wrong(`only ${free.toFixed(1)} GB free at ${folder}`, 'Free space, or move DATA_DIR and MEDIA_DIR.')
  })
  const full = outcomes.filter(({ result }) => result === 'WRONG')
  return full.length > 0 ? full : outcomes.slice(0, 1)
}

async function getText(url: string, headers: Record<string, string> = {}): Promise<string> {
  try {
    return await (await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })).text()
  } catch {
    return ''
  }
}

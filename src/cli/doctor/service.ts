import { existsSync, statfsSync } from 'node:fs'
import type { Config } from '../../config.ts'
import type { Finding } from './finding.ts'

const TIMEOUT_MS = 8_000
const GIGABYTE = 1024 ** 3
const FREE_BYTES_MIN = GIGABYTE
/** A job that is due waits for a moment; longer, and nobody works on them. */
const WAITING_SECONDS_MAX = 300
/** Above it somebody should hear of a sequence while there is still time. */
const IDS_USED_PERCENT_MAX = 80
const LOOK_AT_LOG = 'Look at the log of the service; start it again if nothing there helps.'

/** Whether the service runs, reaches its database, and works on its queue. */
export async function checkService(config: Config, address: string | undefined): Promise<Finding[]> {
  if (address === undefined) {
    const finding = 'does not run: the data folder was read, and what needs the service was not checked'
    return [{ result: 'note', check: 'service', finding, fix: 'npm start' }]
  }
  return [
    { result: 'ok', check: 'service', finding: `runs at ${address}`, fix: '' },
    ...(await checkReady(address)),
    ...(await checkMetrics(config, address)),
  ]
}

/** What the service's own numbers say. */
async function checkMetrics({ metricsToken }: Config, address: string): Promise<Finding[]> {
  const headers: Record<string, string> = metricsToken === undefined ? {} : { authorization: `Bearer ${metricsToken}` }
  const { text } = await get(`${address}/metrics`, headers)
  return [checkQueue(text), checkIds(text)]
}

async function checkReady(address: string): Promise<Finding[]> {
  const { text } = await get(`${address}/readyz`)
  const isOpen = (name: string): boolean => text.includes(`"${name}":true`)
  return [
    isOpen('database')
      ? { result: 'ok', check: 'database', finding: 'answers', fix: '' }
      : {
          result: 'WRONG',
          check: 'database',
          finding: 'does not answer within 2 s',
          fix: 'Check DATABASE_URL and the server.',
        },
    isOpen('queue')
      ? { result: 'ok', check: 'queue', finding: 'is open', fix: '' }
      : { result: 'WRONG', check: 'queue', finding: 'is not open', fix: LOOK_AT_LOG },
    ...checkWrites(text),
  ]
}

/** Whether the service can write, and when it last could not. */
function checkWrites(ready: string): Finding[] {
  const check = 'writes'
  const [, place, at] = /"last_failed_write":\{"place":"(\w+)","at":"([^"]+)"/.exec(ready) ?? []
  const failed = place === undefined ? '' : `; the last write that failed was to the ${place} at ${at}`
  if (ready.includes('"disk":false')) {
    const fix = 'Make room at DATA_DIR, and see that it can be written to.'
    return [{ result: 'WRONG', check, finding: `deliveries cannot be kept${failed}`, fix }]
  }
  if (place === undefined)
    return [{ result: 'ok', check, finding: 'none has failed since the service started', fix: '' }]
  return [{ result: 'note', check, finding: `work${failed}`, fix: LOOK_AT_LOG }]
}

function checkQueue(metrics: string): Finding {
  const check = 'queue age'
  const [, seconds] = /^connect_jobs_oldest_seconds (\d+)/m.exec(metrics) ?? []
  if (seconds === undefined) {
    return { result: 'note', check, finding: 'is not told', fix: 'Give METRICS_TOKEN as the service has it.' }
  }
  if (Number(seconds) <= WAITING_SECONDS_MAX) {
    return { result: 'ok', check, finding: `the oldest job that is due waits for ${seconds} s`, fix: '' }
  }
  const fix = 'Run a worker (connect worker), or the service without WORKER=off, and look at its log.'
  return { result: 'WRONG', check, finding: `the oldest job that is due waits for ${seconds} s`, fix }
}

/** Whether ids run out: a sequence at its end refuses every new row of its table. */
export function checkIds(metrics: string): Finding {
  const check = 'ids'
  const [, sequence, used] = /^connect_ids_used_ratio\{sequence="([^"]+)"\} (\S+)/m.exec(metrics) ?? []
  if (sequence === undefined) {
    return { result: 'note', check, finding: 'are not told', fix: 'Give METRICS_TOKEN as the service has it.' }
  }
  const percent = Number(used) * 100
  if (percent <= IDS_USED_PERCENT_MAX) {
    return { result: 'ok', check, finding: `no sequence has used more than ${Math.ceil(percent)} %`, fix: '' }
  }
  const fix = 'Give the column that it fills, and the sequence, 64 bits (bigint) before it is used up.'
  return { result: 'WRONG', check, finding: `${sequence} has used ${Math.floor(percent)} % of its ids`, fix }
}

/** Room for the database, for audio and for deliveries that wait. */
export function checkDisk({ dataDir, mediaDir }: Config): Finding[] {
  const folders = [...new Set([dataDir, mediaDir])].filter((folder) => existsSync(folder))
  const findings = folders.map((folder): Finding => {
    const { bavail, bsize } = statfsSync(folder)
    const gigabytes = ((bavail * bsize) / GIGABYTE).toFixed(1)
    const isEnough = bavail * bsize >= FREE_BYTES_MIN
    const finding = `${gigabytes} GB free at ${folder}`
    if (isEnough) return { result: 'ok', check: 'disk', finding, fix: '' }
    return {
      result: 'WRONG',
      check: 'disk',
      finding: `only ${finding}`,
      fix: 'Make room, or move DATA_DIR and MEDIA_DIR.',
    }
  })
  const wrong = findings.filter(({ result }) => result === 'WRONG')
  return wrong.length > 0 ? wrong : findings.slice(0, 1)
}

async function get(url: string, headers: Record<string, string> = {}): Promise<{ text: string }> {
  try {
    const reply = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    return { text: await reply.text() }
  } catch {
    return { text: '' }
  }
}

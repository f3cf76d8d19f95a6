// The database, or one of two processes on it, stands still for a while and goes on as if nothing had been.
import path from 'node:path'
import { countAcknowledged, OR_NONE } from './account.ts'
import { ring } from './callers.ts'
import { type Sent, sendPostCalls, together } from './deliveries.ts'
import { freezeServer } from './frozen-processes.ts'
import { ServiceUnderStorm, SHARED_KEY } from './service.ts'
import { addTally, calm, eventually, pause, rounds, type Tally, type Weather } from './storm.ts'
import { requireServer } from './storm-database.ts'

const QUIET_MS = 3_000
const DATABASE_FROZEN_MS = 8_000
const PROCESS_FROZEN_MS = 15_000
/** So many wait for a frozen database at once. */
const SENDERS = 64
const RECOVERY_MS = 60_000
/** Of what it did before, the process beside a frozen one does at least this part. */
const RATE_PART_MIN = 0.5
/** Within this time a frozen process has lost its locks. */
const LOCKS_HELD_MS = 7_000
const MS_PER_SECOND = 1_000

/** The database takes connections and answers nothing. */
export async function frozenDatabase(weather: Weather): Promise<Tally> {
  const server = await requireServer(weather)
  const service = await ServiceUnderStorm.start({ dataDir: path.join(weather.folder, 'data'), databaseUrl: server.url })
  weather.afterwards(() => service.stop('SIGKILL'))
  await service.setUp()
  return rounds(weather, async () => {
    let isOver = false
    const url = (): string => service.url
    const until = (): boolean => isOver
    const sending = Promise.all([sendPostCalls({ url, until, senders: SENDERS }), ring({ url, until })])
    await pause(QUIET_MS)
    const thaw = await freezeServer(server.url)
    weather.afterwards(thaw)
    await pause(DATABASE_FROZEN_MS)
    thaw()
    const thawed = performance.now()
    await eventually(() => service.isReady(), RECOVERY_MS)
    const readyMs = performance.now() - thawed
    await pause(QUIET_MS)
    isOver = true
    const [sent, heard] = await sending
    const tally = await countAcknowledged({ services: [service], sent, heard })
    return addTally(tally, { ...calm(), figures: { readyMs } })
  })
}

/** One of two processes on one server stands still, with whatever it holds; the other one has to go on. */
export async function frozenProcess(weather: Weather): Promise<Tally> {
  const server = await requireServer(weather)
  const start = async (name: string, env: Record<string, string> = {}): Promise<ServiceUnderStorm> => {
    const dataDir = path.join(weather.folder, name)
    const started = await ServiceUnderStorm.start({ dataDir, databaseUrl: server.url, env: { ...SHARED_KEY, ...env } })
    weather.afterwards(() => started.stop('SIGKILL'))
    return started
  }
  const going = await start('going')
  await going.setUp()
  const frozen = await start('frozen', { MEDIA_DIR: path.join(weather.folder, 'going/media') })
  return rounds(weather, async () => {
    let isOver = false
    const until = (): boolean => isOver
    const toFrozen = sendPostCalls({ url: () => frozen.url, until })
    const measure = async (forMs: number): Promise<{ sent: Sent; perSecond: number }> => {
      const end = performance.now() + forMs
      const sent = await sendPostCalls({ url: () => going.url, until: () => performance.now() > end })
      return { sent, perSecond: sent.acknowledged.length / (forMs / MS_PER_SECOND) }
    }
    const before = await measure(QUIET_MS)
    frozen.child.kill('SIGSTOP')
    const early = await measure(LOCKS_HELD_MS)
    const later = await measure(PROCESS_FROZEN_MS - LOCKS_HELD_MS)
    frozen.child.kill('SIGCONT')
    isOver = true
    const all = together(await toFrozen, before.sent, early.sent, later.sent)
    const longestMs = Math.max(early.sent.longestMs, later.sent.longestMs)
    // Of the one beside it; the frozen one answers when it goes on.
    const sent = { ...all, longestMs }
    const tally = await countAcknowledged({ services: [going, frozen], sent, expected: OR_NONE })
    const isStarved = later.perSecond < before.perSecond * RATE_PART_MIN
    const rates = [before, early, later].map(({ perSecond }) => Math.round(perSecond)).join(', ')
    const remark = `a second beside it: ${rates} before, at first, later`
    return addTally(tally, { ...calm(), wrong: isStarved ? 1 : 0, remark })
  })
}

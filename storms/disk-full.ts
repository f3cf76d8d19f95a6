// The disk of the embedded database, of the spool, or of the audio is full for a while.
import path from 'node:path'
import { ring } from './callers.ts'
import { type Sent, sendPostCalls } from './deliveries.ts'
import { ServiceUnderStorm } from './service.ts'
import { mountSmallDisk } from './small-disk.ts'
import {
  addTally,
  calm,
  countConversations,
  eventually,
  pause,
  recovered,
  rounds,
  StormSkipped,
  type Tally,
  type Weather,
} from './storm.ts'
import { stormDatabase } from './storm-database.ts'

const DATA_DISK_MB = 320
/** What a round leaves behind in the database. */
const ROUND_MB = 10
const SPOOL_DISK_MB = 64
const AUDIO_DISK_MB = 192
/** What the engine cannot work with, though it is not nothing: one file of its log is larger. */
const ALMOST_NOTHING_MB = 10
const SOUND_BYTES = 200_000
const ROUND_MS = 6_000
const QUIET_MS = 2_000
const RECOVERY_MS = 60_000
const EXPECTED = new Set(['200', '503'])

/** Room for the database and the spool runs out, and comes back. */
export async function databaseDiskFull(weather: Weather): Promise<Tally> {
  const megabytes = DATA_DISK_MB + ROUND_MB * (weather.times ?? 0)
  const disk = mountSmallDisk(weather, path.join(weather.folder, 'data'), megabytes)
  const service = await ServiceUnderStorm.start({ dataDir: disk.folder })
  weather.afterwards(() => service.stop('SIGKILL'))
  await service.setUp()
  return blowOn(weather, { service, fill: () => disk.fillBut(ALMOST_NOTHING_MB), free: () => disk.free() })
}

/** The database is away and the disk of the spool is full. */
export async function spoolDiskFull(weather: Weather): Promise<Tally> {
  const { server } = await stormDatabase(weather)
  if (server === undefined) throw new StormSkipped('it takes a database that can be away')
  const dataDir = path.join(weather.folder, 'data')
  const disk = mountSmallDisk(weather, path.join(dataDir, 'spool'), SPOOL_DISK_MB)
  const service = await ServiceUnderStorm.start({ dataDir, databaseUrl: server.url })
  weather.afterwards(() => service.stop('SIGKILL'))
  await service.setUp()
  const fill = async (): Promise<void> => {
    disk.fillBut(0)
    await server.halt()
  }
  const free = async (): Promise<void> => {
    disk.free()
    await pause(QUIET_MS)
    await server.resume()
  }
  return blowOn(weather, { service, fill, free })
}

/** Sound has no room, while everything else has. */
export async function audioDiskFull(weather: Weather): Promise<Tally> {
  const disk = mountSmallDisk(weather, path.join(weather.folder, 'media'), AUDIO_DISK_MB)
  const service = await ServiceUnderStorm.start({
    dataDir: path.join(weather.folder, 'data'),
    env: { MEDIA_DIR: disk.folder },
  })
  weather.afterwards(() => service.stop('SIGKILL'))
  await service.setUp()
  const sounds = { audioBytes: SOUND_BYTES, perSecond: 20 }
  return blowOn(weather, { service, fill: () => disk.fillBut(0), free: () => disk.free(), ...sounds })
}

interface Blowing {
  service: ServiceUnderStorm
  fill(): unknown
  free(): unknown
  audioBytes?: number
  perSecond?: number
}

/** Rounds of: room, no room, room again; each time what was acknowledged has to be there in the end. */
async function blowOn(weather: Weather, { service, fill, free, ...sending }: Blowing): Promise<Tally> {
  return rounds(weather, async () => {
    let isOver = false
    const url = (): string => service.url
    const until = (): boolean => isOver || service.hasEnded
    const answered = Promise.all([sendPostCalls({ url, until, ...sending }), ring({ url, until })])
    await pause(QUIET_MS)
    await fill()
    await pause(ROUND_MS * weather.size)
    await free()
    const freed = performance.now()
    await eventually(() => service.isReady(), RECOVERY_MS)
    const readyMs = performance.now() - freed
    await pause(QUIET_MS)
    isOver = true
    const [sent, heard] = await answered
    const found = await account(service, sent, sending.audioBytes !== undefined)
    const figures = { longestMs: sent.longestMs, callerMs: heard.longestMs }
    const answers = { ...calm(), wrong: heard.unanswered, statuses: sent.statuses, figures }
    return addTally(addTally(found, answers), recovered([readyMs]))
  })
}

async function account(service: ServiceUnderStorm, sent: Sent, isSound: boolean): Promise<Tally> {
  if (service.hasEnded) return { ...calm(), of: sent.acknowledged.length, wrong: 1, remark: 'the service ended' }
  const isWorkedOff = await eventually(
    async () => (await service.isReady()) && (await service.isWorkedOff()),
    RECOVERY_MS,
  )
  const unexpected = [...sent.statuses].filter(([status]) => !EXPECTED.has(status)).map(([, count]) => count)
  const wrong = unexpected.reduce((sum, count) => sum + count, isWorkedOff ? 0 : 1)
  const tally = isSound
    ? await countSounds(service, sent.acknowledged)
    : await countConversations(service, sent.acknowledged)
  return addTally(tally, { ...calm(), wrong })
}

/** Sound is there when its recording has it. */
async function countSounds(service: ServiceUnderStorm, acknowledged: readonly string[]): Promise<Tally> {
  const recordings = await service.countBy('connect.recording', 'sid', acknowledged)
  const lost = acknowledged.filter((id) => !recordings.has(id)).length
  const doubled = acknowledged.filter((id) => (recordings.get(id) ?? 0) > 1).length
  return { ...calm(), of: acknowledged.length, lost, doubled }
}

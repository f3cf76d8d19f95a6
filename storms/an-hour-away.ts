// A place is away for an hour by the service's clock, while deliveries go on: nothing that waits for it is given up, and all of it
// is worked off by itself once the place is back.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { aConversationId } from '../tests/fixtures/post-call.ts'
import { FakeTelco } from '../tests/support/fake-telco.ts'
import { ACCOUNT_SID, sendSigned } from '../tests/support/telco.ts'
import { aCallSid } from './callers.ts'
import { deliver } from './deliveries.ts'
import { ServiceUnderStorm } from './service.ts'
import { mountSmallDisk } from './small-disk.ts'
import { addTally, calm, countConversations, eventually, pause, rounds, type Tally, type Weather } from './storm.ts'
import { requireServer } from './storm-database.ts'

const MINUTES = 60
const MS_PER_MINUTE = 60_000
/** So long a minute of the outage takes, in which what is due is tried again. */
const MINUTE_TAKES_MS = 250
/** With what the service leaves free on it. */
const AUDIO_DISK_MB = 192
const SOUND_BYTES = 50_000
const WORKED_OFF_MS_MAX = 60_000
const RECORDINGS = '/telco/webhook/recordingstatus'
/** What the provider has said of recordings that is still to be fetched. */
const FETCHING = ['recording-details', 'recording-download']

/** A place that can be away, and what is sent meanwhile. */
interface Place {
  service: ServiceUnderStorm
  leave(): unknown
  comeBack(): unknown
  /** Sends something, and gives the id of what was acknowledged. */
  send(at: Date): Promise<string | undefined>
  isWorkedOff(): Promise<boolean>
  account(acknowledged: readonly string[]): Promise<Tally>
}

/** The disk of the audio is full. */
export function audioDiskForAnHour(weather: Weather): Promise<Tally> {
  const disk = mountSmallDisk(weather, path.join(weather.folder, 'media'), AUDIO_DISK_MB)
  return awayForAnHour(weather, { MEDIA_DIR: disk.folder }, (service) => ({
    ...sounds(service),
    leave: () => disk.fillBut(0),
    comeBack: () => disk.free(),
  }))
}

/** The media store is gone: where it was mounted there is something else. */
export function mediaStoreForAnHour(weather: Weather): Promise<Tally> {
  const store = path.join(weather.folder, 'media')
  const elsewhere = `${store}-elsewhere`
  return awayForAnHour(weather, { MEDIA_DIR: store }, (service) => ({
    ...sounds(service),
    leave: () => {
      renameSync(store, elsewhere)
      writeFileSync(store, '')
    },
    comeBack: () => {
      rmSync(store)
      renameSync(elsewhere, store)
    },
  }))
}

/** The database is away. */
export async function databaseForAnHour(weather: Weather): Promise<Tally> {
  const server = await requireServer(weather)
  return awayForAnHour({ ...weather, databaseUrl: server.url }, {}, (service) => ({
    ...conversations(service),
    leave: () => server.halt(),
    comeBack: () => server.resume(),
  }))
}

/** The phone provider is away: what it has reported cannot be fetched from it. */
export async function providerForAnHour(weather: Weather): Promise<Tally> {
  const telco = await FakeTelco.start()
  weather.afterwards(() => telco.stop())
  const outage = { isCut: true }
  return awayForAnHour(weather, { TELCO_BASE_URL: telco.url }, async (service) => {
    const ids = await service.call<number[]>('connect.settings', 'search')
    await service.call('connect.settings', 'write', { ids, vals: { store_recordings: true } })
    return {
      ...recordings(service, telco),
      leave: () => telco.on('GET', /./, outage, Number.POSITIVE_INFINITY),
      comeBack: () => telco.reset(),
    }
  })
}

/** Rounds of: an hour without the place, by the service's clock; then what was acknowledged is to be there, soon and once. */
async function awayForAnHour(
  weather: Weather & { databaseUrl?: string },
  env: Record<string, string>,
  placeOf: (service: ServiceUnderStorm) => Place | Promise<Place>,
): Promise<Tally> {
  const clock = path.join(weather.folder, 'clock')
  const NODE_OPTIONS = `--import ${pathToFileURL(path.join(import.meta.dirname, 'moved-clock.mjs'))}`
  const service = await ServiceUnderStorm.start({
    dataDir: path.join(weather.folder, 'data'),
    databaseUrl: weather.databaseUrl,
    env: { ...env, NODE_OPTIONS, STORM_CLOCK_FILE: clock },
  })
  weather.afterwards(() => service.stop('SIGKILL'))
  const place = await placeOf(await service.setUp())
  let aheadMs = 0
  return rounds(weather, async () => {
    const acknowledged: string[] = []
    const sendOne = async (): Promise<void> => {
      const id = await place.send(new Date(Date.now() + aheadMs))
      if (id !== undefined) acknowledged.push(id)
    }
    await sendOne()
    await place.leave()
    for (let minute = 0; minute < MINUTES; minute += 1) {
      aheadMs += MS_PER_MINUTE
      writeFileSync(clock, String(aheadMs))
      await Promise.all([pause(MINUTE_TAKES_MS), sendOne()])
    }
    await place.comeBack()
    const back = performance.now()
    const isDone = await eventually(() => place.isWorkedOff(), WORKED_OFF_MS_MAX)
    const workedOffMs = performance.now() - back
    const dead = await service.call<number>('connect.inbox', 'search_count', { domain: [['state', '=', 'dead']] })
    const found = await place.account(acknowledged)
    const remark = `${acknowledged.length} of ${MINUTES + 1} acknowledged`
    return addTally(found, { ...calm(), wrong: dead + (isDone ? 0 : 1), figures: { workedOffMs }, remark })
  })
}

type Kind = Pick<Place, 'service' | 'send' | 'isWorkedOff' | 'account'>

/** Transcripts of conversations. */
function conversations(service: ServiceUnderStorm, audioBytes?: number): Kind {
  return {
    service,
    async send(at) {
      const id = aConversationId()
      return (await deliver(service.url, id, { audioBytes, at })) === '200' ? id : undefined
    },
    isWorkedOff: async () => (await service.isReady()) && (await service.isWorkedOff()),
    account: (acknowledged) => countConversations(service, acknowledged),
  }
}

/** The sound of conversations. */
function sounds(service: ServiceUnderStorm): Kind {
  return {
    ...conversations(service, SOUND_BYTES),
    account: (acknowledged) => countRecordings(service, acknowledged),
  }
}

/** Recordings of calls, which the provider reports and has. */
function recordings(service: ServiceUnderStorm, telco: FakeTelco): Kind {
  return {
    service,
    async send() {
      const call = aCallSid()
      const sid = `RE${call.slice(2)}`
      const status = await sendSigned(service.url, RECORDINGS, {
        AccountSid: ACCOUNT_SID,
        CallSid: call,
        RecordingSid: sid,
        RecordingUrl: telco.recordingUrl(sid),
        RecordingStatus: 'completed',
        RecordingDuration: '36',
        RecordingChannels: '2',
        RecordingSource: 'DialVerb',
      })
      return status === 200 ? sid : undefined
    },
    async isWorkedOff() {
      const left = await service.call<number>('connect.job', 'search_count', { domain: [['kind', 'in', FETCHING]] })
      return left === 0 && (await service.isWorkedOff())
    },
    account: (acknowledged) => countRecordings(service, acknowledged),
  }
}

/** A recording is there when it has its sound. */
async function countRecordings(service: ServiceUnderStorm, acknowledged: readonly string[]): Promise<Tally> {
  const found = await service.countBy('connect.recording', 'sid', acknowledged, [['media_type', '!=', null]])
  const lost = acknowledged.filter((sid) => !found.has(sid)).length
  const doubled = acknowledged.filter((sid) => (found.get(sid) ?? 0) > 1).length
  return { ...calm(), of: acknowledged.length, lost, doubled }
}

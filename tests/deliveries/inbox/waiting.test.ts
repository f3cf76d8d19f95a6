// What waits for a place that is away is no failed attempt: an outage of an hour counts nothing, and its end is noticed.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isNotItsFault } from '../../../src/database/database.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { type Consumer, oneByOne } from '../../../src/deliveries/inbox/consume.ts'
import { Inbox } from '../../../src/deliveries/inbox/inbox.ts'
import { NoRoomError } from '../../../src/disk-room.ts'
import { asError } from '../../../src/errors.ts'
import { MediaStore } from '../../../src/platform/media/media-store.ts'
import { ProviderUnavailable } from '../../../src/ports/telco-client.ts'
import { storedMs } from '../../../src/time.ts'
import { VoiceaiError } from '../../../src/voiceai/client/provider-error.ts'
import { eventually, TestApp } from '../../support/test-app.ts'

const MINUTE_MS = 60_000
const MINUTES = 60
const MANY = 150

const withCode = (code: string, message = code) => Object.assign(new Error(message), { code })

/** What each place says while it is away. */
const PLACES: Record<string, Error> = {
  'the disk of the audio is full': new NoRoomError('There are 0 MB free.'),
  'the media store is gone': withCode('ESTALE'),
  'the media store is no folder': withCode('ENOTDIR'),
  'the media store is read-only': withCode('EROFS'),
  'the media store is closed to us': withCode('EACCES'),
  'the database has no room': withCode('53100'),
  'the database shuts down': withCode('57P01'),
  'the database is held up': withCode('55P03'),
  'the database cannot be reached': withCode('ECONNREFUSED'),
  'the phone provider is away': new ProviderUnavailable('it could not be reached', { isAway: true }),
  'the voice-agent platform is away': new VoiceaiError('unavailable', 'It cannot be reached.', { isAway: true }),
  'the voice-agent platform is busy': new VoiceaiError('busy', 'It has too many requests.'),
  'a provider does not answer in time': new DOMException('The operation timed out.', 'TimeoutError'),
  'a fetch failed': new TypeError('fetch failed', { cause: withCode('UND_ERR_CONNECT_TIMEOUT') }),
}

let app: TestApp
let inbox: Inbox
let now = new Date()
/** What the place of the kind "waiting" says; it is there when this is undefined. */
let fault: Error | undefined
/** Whether the places of the kinds that are called like them are away. */
let isAway = false
/** Those at which a delivery was worked on. */
const triedPlaces = new Set<string>()

function consumerAt(place: string, error: Error): Consumer {
  return oneByOne(async () => {
    triedPlaces.add(place)
    if (isAway) throw error
    return 'done'
  })
}

beforeAll(async () => {
  app = await TestApp.start()
  // It knows nothing of the kinds of this test.
  await app.app.inbox.stop()
})
afterAll(() => app.stop())

beforeEach(async () => {
  now = new Date(Math.floor(Date.now() / 1_000) * 1_000)
  await app.db.query(sql`delete from connect_inbox`)
  inbox = new Inbox({
    db: app.db,
    platform: { ...app.app.platform, clock: () => now },
    identities: app.app.identities,
    spoolDir: path.join(app.config.dataDir, 'of-the-test'),
    consumers: {
      waiting: oneByOne(async () => {
        if (fault !== undefined) throw fault
        return 'done'
      }),
      other: oneByOne(async () => 'done'),
      ...Object.fromEntries(Object.entries(PLACES).map(([place, error]) => [place, consumerAt(place, error)])),
    },
  })
  inbox.start({ works: true })
})
afterEach(() => inbox.stop())

const receive = (kind: string) =>
  inbox.receiveAndProcess({ kind, conversation: undefined, payload: 'said', mediaRef: undefined })
const rows = () =>
  app.db.query<{ kind: string; state: string; attempts: number }>(
    sql`select kind, state, attempts from connect_inbox order by id`,
  )
/** Whether the last attempts are written down too, with the time of the next ones. */
const areAllPutOff = async (): Promise<boolean> => {
  const next = await app.db.query<{ next: string }>(sql`select next_attempt_at::text as next from connect_inbox`)
  return next.every((row) => storedMs(row.next) > now.getTime())
}
const countOf = async (state: string): Promise<number> => (await rows()).filter((row) => row.state === state).length

it.each(['is a file', 'is below a file', 'is a link to nowhere'])(
  'a media store that %s is a place that is away, and is there again by itself',
  async (what) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'connect-media-'))
    const place = path.join(folder, 'media')
    if (what === 'is a link to nowhere') symlinkSync(path.join(folder, 'nowhere', 'deep'), place)
    else writeFileSync(place, '')
    const store = new MediaStore(what === 'is below a file' ? path.join(place, 'below') : place)
    const error = await store.store(Readable.from(['audio']), 'mp3').catch(asError)
    expect(error).toBeInstanceOf(Error)
    expect(isNotItsFault(error)).toBe(true)
    rmSync(place)
    expect(await store.store(Readable.from(['audio']), 'mp3')).toMatch(/mp3$/)
    rmSync(folder, { recursive: true })
  },
)

describe('a place that is away for an hour', () => {
  it('an hour without any of the places: nothing is dead, and all is worked off by itself', async () => {
    const places = Object.keys(PLACES)
    const all = (state: string, attempts: number) => places.map((kind) => ({ kind, state, attempts }))
    isAway = true
    for (const place of places) await receive(place)
    for (let minute = 0; minute < MINUTES; minute += 1) {
      triedPlaces.clear()
      now = new Date(now.getTime() + MINUTE_MS)
      inbox.wake()
      await eventually(async () => triedPlaces.size === places.length && (await areAllPutOff()))
    }
    expect(await rows()).toEqual(all('received', 0))
    isAway = false
    // Two seconds later by the clock, with nobody waking it.
    now = new Date(now.getTime() + 2_000)
    await eventually(async () => (await countOf('done')) === places.length)
    expect(await rows()).toEqual(all('done', 1))
  })

  it('holds up nothing that waits for nothing', async () => {
    fault = new NoRoomError('There are 0 MB free.')
    await app.db.query(
      sql`insert into connect_inbox (key, kind, state, payload, received_at, attempts, next_attempt_at)
          select 'many-' || n, case when n = ${MANY}::int then 'other' else 'waiting' end, 'received', '', now(), 0,
            '2020-01-01'::timestamp + make_interval(secs => n)
          from generate_series(1, ${MANY}::int) as n`,
    )
    inbox.wake()
    await eventually(async () => (await countOf('done')) === 1)
    expect(await countOf('received')).toBe(MANY - 1)
    fault = undefined
    now = new Date(now.getTime() + 2_000)
    await eventually(async () => (await countOf('done')) === MANY)
  })

  it('a fault of the place is told from a fault of the delivery, which counts', async () => {
    fault = new Error('this delivery makes no sense')
    await receive('waiting')
    expect(await rows()).toEqual([{ kind: 'waiting', state: 'failed', attempts: 1 }])
    fault = new ProviderUnavailable('HTTP 500 for this one')
    now = new Date(now.getTime() + MINUTE_MS)
    inbox.wake()
    await eventually(async () => (await rows())[0]?.attempts === 2)
    fault = undefined
  })
})

import { type Static, Type } from 'typebox'
import type { Database } from '../database/database.ts'
import type { Inbox } from '../deliveries/inbox/inbox.ts'
import type { DiskRoom, WriteRecord } from '../disk-room.ts'
import type { MediaStore } from '../platform/media/media-store.ts'
import type { Metrics } from './metrics.ts'

const MS_PER_SECOND = 1_000
const MEGABYTE = 1024 ** 2

interface Place {
  name: 'database' | 'spool' | 'audio'
  /** Undefined for a database whose disk is another machine's. */
  room: DiskRoom | undefined
  writes: WriteRecord
}

/** What /readyz says of the places that the service writes to. */
export const StorageShape = Type.Object({
  disk: Type.Boolean({
    description:
      'Whether there is room for what comes now, and not everything failed that was to keep the last delivery.',
  }),
  free_mb: Type.Record(Type.String(), Type.Integer()),
  last_failed_write: Type.Union([Type.Object({ place: Type.String(), at: Type.String() }), Type.Null()]),
})
type StorageReport = Static<typeof StorageShape>

/** Where the service writes: the database, deliveries that wait for it, and audio. */
export class Storage {
  readonly #places: readonly Place[]
  readonly #inbox: Inbox

  constructor({ db, inbox, media }: { db: Database; inbox: Inbox; media: MediaStore }) {
    this.#inbox = inbox
    this.#places = [
      { name: 'database', room: db.room, writes: inbox.databaseWrites },
      { name: 'spool', room: inbox.onDisk.room, writes: inbox.onDisk.room.writes },
      { name: 'audio', room: media.room, writes: media.room.writes },
    ]
  }

  report(): StorageReport {
    const needed = this.#places.filter(({ name }) => name !== 'audio')
    const failed = this.#places
      .map(({ name, writes }) => ({ place: name, at: writes.lastFailed?.toISOString() ?? '' }))
      .sort((a, b) => b.at.localeCompare(a.at))[0]
    const free = this.#places.flatMap(({ name, room }) =>
      room === undefined ? [] : [[name, Math.floor(room.freeBytes / MEGABYTE)] as const],
    )
    return {
      disk: needed.every(({ room }) => room?.isShort() !== true) && !needed.every(({ writes }) => writes.isFailing),
      free_mb: Object.fromEntries(free),
      last_failed_write: failed === undefined || failed.at === '' ? null : failed,
    }
  }

  /** Adds the numbers of these places, and of what waits in them, to the metrics. */
  register(metrics: Metrics): void {
    const places = this.#places
    metrics.gaugeBy('place', 'connect_disk_free_bytes', 'Room left where the service writes', () =>
      places.flatMap(({ name, room }) => (room === undefined ? [] : [[name, room.freeBytes] as const])),
    )
    metrics.gaugeBy('place', 'connect_failed_writes', 'Writes that failed since the process started', () =>
      places.map(({ name, writes }) => [name, writes.failures]),
    )
    const lastFailed = 'When a write failed last; 0 when none did'
    metrics.gaugeBy('place', 'connect_last_failed_write_timestamp_seconds', lastFailed, () =>
      places.map(({ name, writes }) => [name, (writes.lastFailed?.getTime() ?? 0) / MS_PER_SECOND]),
    )
    const stored = this.#inbox.measureStored.bind(this.#inbox)
    const spooled = this.#inbox.onDisk.measure.bind(this.#inbox.onDisk)
    const oldest = 'How long the oldest of them has been waiting'
    metrics.gauge(
      'connect_inbox_waiting',
      'Stored deliveries that wait to be worked on',
      async () => (await stored()).waiting,
    )
    metrics.gauge('connect_inbox_oldest_seconds', oldest, async () => ageSeconds((await stored()).oldest))
    metrics.gauge(
      'connect_spool_files',
      'Deliveries that wait on disk for the database',
      async () => (await spooled()).waiting,
    )
    metrics.gauge('connect_spool_oldest_seconds', oldest, async () => ageSeconds((await spooled()).oldest))
    metrics.gauge(
      'connect_spool_set_aside',
      'Deliveries on disk that wait for a person',
      async () => (await spooled()).aside,
    )
  }
}

function ageSeconds(since: Date | undefined): number {
  return since === undefined ? 0 : Math.max(0, (Date.now() - since.getTime()) / MS_PER_SECOND)
}

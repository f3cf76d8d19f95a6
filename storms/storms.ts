import { audioDiskForAnHour, databaseForAnHour, mediaStoreForAnHour, providerForAnHour } from './an-hour-away.ts'
import { batches } from './batches.ts'
import { cleanUpStorm } from './clean-up.ts'
import { colleague } from './colleague.ts'
import { damagedFolder } from './damaged-folder.ts'
import { deafListener } from './deaf-listener.ts'
import { audioDiskFull, databaseDiskFull, spoolDiskFull } from './disk-full.ts'
import { engineFrozen, engineKilled } from './engine-killed.ts'
import { erasing } from './erasing.ts'
import { everything } from './everything.ts'
import { failover } from './failover.ts'
import { flood } from './flood.ts'
import { folderInUse } from './folder-in-use.ts'
import { frozenDatabase, frozenProcess } from './frozen.ts'
import { breeze, killedTogether, killNine } from './kill-nine.ts'
import { killedSync } from './killed-sync.ts'
import { killedTransfer } from './killed-transfer.ts'
import { merging } from './merging.ts'
import { databaseOutage, databaseRestart } from './outage.ts'
import { startInOutage } from './start-in-outage.ts'
import type { Storm } from './storm.ts'

const BOTH = ['embedded', 'PostgreSQL'] as const
/** Who calls the phone provider's webhooks gives up after 15 s. */
const CALLER_MS_MAX = 15_000
const ANSWER_MS_MAX = 10_000
const CALM_ANSWER_MS_MAX = 5_000
const READY_AFTER_KILL_MS_MAX = 30_000
const READY_AFTER_OUTAGE_MS_MAX = 10_000
const REFUSED_MS_MAX = 10_000
const HOUR_WORKED_OFF_MS_MAX = 10_000
const HOUR = 'no delivery that waits for it is given up, and all are worked off by themselves'

/** Every storm: a file, and a row here. */
export const STORMS: readonly Storm[] = [
  {
    name: 'kill-9',
    breaks: 'the process gets `kill -9`, again and again',
    promise: 'nothing to clean up',
    within: { readyMs: READY_AFTER_KILL_MS_MAX },
    on: BOTH,
    blow: killNine,
  },
  {
    name: 'killed-together',
    breaks: 'the process and that of its embedded engine get `kill -9`, again and again',
    promise: 'the same',
    within: { readyMs: READY_AFTER_KILL_MS_MAX },
    on: ['embedded'],
    blow: killedTogether,
  },
  {
    name: 'engine-killed',
    breaks: 'the process of the embedded engine gets `kill -9`, again and again',
    promise: 'callers are connected by the dial plan in memory, what is signed is kept',
    within: { readyMs: READY_AFTER_OUTAGE_MS_MAX, longestMs: ANSWER_MS_MAX, callerMs: CALLER_MS_MAX },
    on: ['embedded'],
    blow: engineKilled,
  },
  {
    name: 'engine-frozen',
    breaks: 'the process of the embedded engine stands still (SIGSTOP)',
    promise: 'the same; it is ended and started again',
    within: { readyMs: READY_AFTER_OUTAGE_MS_MAX, longestMs: ANSWER_MS_MAX, callerMs: CALLER_MS_MAX },
    on: ['embedded'],
    blow: engineFrozen,
  },
  {
    name: 'killed-transfer',
    breaks: 'the process gets `kill -9` while callers are transferred, and the phone provider refuses or says nothing',
    promise: '"Transfer Successful" is answered only of callers who were moved, and moves nobody again',
    on: BOTH,
    blow: killedTransfer,
  },
  {
    name: 'killed-sync',
    breaks: 'the process gets `kill -9` during a synchronisation',
    promise: 'nothing is made twice at the providers',
    within: { takenUpMs: 10_000 },
    on: BOTH,
    blow: killedSync,
  },
  {
    name: 'outage',
    breaks: 'the database is away, 30 s at 200 deliveries a second',
    promise: 'all are acknowledged from the disk',
    within: {
      readyMs: READY_AFTER_OUTAGE_MS_MAX,
      workedOffMs: 30_000,
      longestMs: ANSWER_MS_MAX,
      callerMs: CALLER_MS_MAX,
    },
    on: ['PostgreSQL'],
    blow: databaseOutage,
  },
  {
    name: 'start-in-outage',
    breaks: 'the process is started while the database is away',
    promise: 'callers are connected by the last dial plan, what is signed is kept, the rest is answered 503',
    within: {
      listensMs: READY_AFTER_KILL_MS_MAX,
      readyMs: READY_AFTER_OUTAGE_MS_MAX,
      longestMs: ANSWER_MS_MAX,
      callerMs: CALLER_MS_MAX,
    },
    on: ['PostgreSQL'],
    blow: startInOutage,
  },
  {
    name: 'restart',
    breaks: 'the database crashes and is back at once',
    promise: 'nobody notices more than a pause',
    within: { readyMs: READY_AFTER_OUTAGE_MS_MAX, longestMs: ANSWER_MS_MAX, callerMs: CALLER_MS_MAX },
    on: ['PostgreSQL'],
    blow: databaseRestart,
  },
  {
    name: 'failover',
    breaks: 'the primary of two servers is gone and the standby takes over, under three processes and two workers',
    promise: 'what was acknowledged is there once',
    within: { readyMs: READY_AFTER_OUTAGE_MS_MAX, longestMs: ANSWER_MS_MAX, callerMs: CALLER_MS_MAX },
    on: ['PostgreSQL'],
    blow: failover,
  },
  {
    name: 'batches',
    breaks: 'two processes get the reports of the same calls at once, in different orders, and one of them `kill -9`',
    promise: 'each is recorded once, and nobody waits in a circle',
    on: ['PostgreSQL'],
    blow: batches,
  },
  {
    name: 'frozen-database',
    breaks: 'the database stands still (SIGSTOP)',
    promise: 'deliveries go to the disk after 5 s',
    within: { readyMs: READY_AFTER_OUTAGE_MS_MAX, longestMs: ANSWER_MS_MAX, callerMs: CALLER_MS_MAX },
    on: ['PostgreSQL'],
    blow: frozenDatabase,
  },
  {
    name: 'frozen-process',
    breaks: 'one of two processes stands still',
    promise: 'the other one keeps at least half of its rate',
    within: { longestMs: ANSWER_MS_MAX },
    on: ['PostgreSQL'],
    blow: frozenProcess,
  },
  {
    name: 'deaf',
    breaks: 'a process learns of no changes any more',
    promise: 'it notices',
    within: { oldTokenMs: 10_000 },
    on: ['PostgreSQL'],
    blow: deafListener,
  },
  {
    name: 'disk-full-database',
    breaks: 'the disk of the embedded database is full',
    promise: 'what cannot be kept is answered 503; callers hear a sentence',
    within: { readyMs: READY_AFTER_OUTAGE_MS_MAX, longestMs: ANSWER_MS_MAX, callerMs: CALLER_MS_MAX },
    on: ['embedded'],
    blow: databaseDiskFull,
  },
  {
    name: 'disk-full-spool',
    breaks: 'the database is away and the disk of the spool is full',
    promise: 'the same',
    within: { readyMs: READY_AFTER_OUTAGE_MS_MAX, longestMs: ANSWER_MS_MAX, callerMs: CALLER_MS_MAX },
    on: ['PostgreSQL'],
    blow: spoolDiskFull,
  },
  {
    name: 'disk-full-audio',
    breaks: 'the disk of the audio is full',
    promise: 'audio is kept in the database until there is room',
    within: { readyMs: READY_AFTER_OUTAGE_MS_MAX, longestMs: ANSWER_MS_MAX, callerMs: CALLER_MS_MAX },
    on: ['embedded'],
    blow: audioDiskFull,
  },
  {
    name: 'hour-audio-full',
    breaks: 'the disk of the audio is full for an hour, by the clock of the service',
    promise: HOUR,
    within: { workedOffMs: HOUR_WORKED_OFF_MS_MAX },
    on: ['embedded'],
    blow: audioDiskForAnHour,
  },
  {
    name: 'hour-media-store',
    breaks: 'the media store is away for an hour',
    promise: HOUR,
    within: { workedOffMs: HOUR_WORKED_OFF_MS_MAX },
    on: ['embedded'],
    blow: mediaStoreForAnHour,
  },
  {
    name: 'hour-database',
    breaks: 'the database is away for an hour',
    promise: HOUR,
    within: { workedOffMs: HOUR_WORKED_OFF_MS_MAX },
    on: ['PostgreSQL'],
    blow: databaseForAnHour,
  },
  {
    name: 'hour-provider',
    breaks: 'the phone provider is away for an hour',
    promise: HOUR,
    within: { workedOffMs: HOUR_WORKED_OFF_MS_MAX },
    on: ['embedded'],
    blow: providerForAnHour,
  },
  {
    name: 'damaged-folder',
    breaks: 'files of the data folder are damaged or gone',
    promise: 'the start is refused in a sentence, and makes nothing anew over old data',
    on: ['embedded'],
    blow: damagedFolder,
  },
  {
    name: 'folder-in-use',
    breaks: 'a second service is started on the data folder of one that runs',
    promise: 'it is refused in a sentence that names the first, which goes on',
    within: { refusedMs: REFUSED_MS_MAX, longestMs: CALM_ANSWER_MS_MAX, callerMs: CALM_ANSWER_MS_MAX },
    on: ['embedded'],
    blow: folderInUse,
  },
  {
    name: 'flood',
    breaks: 'strangers send all they can',
    promise: 'who is known is served',
    within: { longestMs: CALM_ANSWER_MS_MAX, callerMs: CALM_ANSWER_MS_MAX },
    on: BOTH,
    blow: flood,
  },
  {
    name: 'colleague',
    breaks: 'somebody with a key asks for as much as they may, and for more, in one call',
    promise: 'what is too much is refused before anything is written, and no caller waits for the rest',
    within: { callerMs: ANSWER_MS_MAX },
    on: BOTH,
    blow: colleague,
  },
  {
    name: 'clean-up',
    breaks: 'everything old is removed at once',
    promise: 'nobody waits for it',
    within: { longestMs: CALM_ANSWER_MS_MAX, callerMs: CALM_ANSWER_MS_MAX },
    on: BOTH,
    blow: cleanUpStorm,
  },
  {
    name: 'erasing',
    breaks: 'a person with 5,000 messages and 500 calls is erased while the phone provider reports calls',
    promise: 'all of it goes, and no report waits for it',
    within: { longestMs: CALM_ANSWER_MS_MAX },
    on: BOTH,
    blow: erasing,
  },
  {
    name: 'merging',
    breaks: 'a contact with 5,000 messages, 500 calls and 500 tickets is merged while the phone provider reports calls',
    promise: 'all of it moves, and no report waits for it',
    within: { longestMs: CALM_ANSWER_MS_MAX },
    on: BOTH,
    blow: merging,
  },
  {
    name: 'everything',
    breaks: 'everything at once, in an order of chance',
    promise: 'what was acknowledged is there once',
    on: BOTH,
    blow: everything,
  },
  {
    name: 'breeze',
    breaks: 'the process gets `kill -9`, once',
    promise: 'storms can be run',
    on: ['embedded'],
    isLittle: true,
    blow: breeze,
  },
]

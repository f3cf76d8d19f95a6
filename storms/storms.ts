import { cleanUpStorm } from './clean-up.ts'
import { damagedFolder } from './damaged-folder.ts'
import { deafListener } from './deaf-listener.ts'
import { audioDiskFull, databaseDiskFull, spoolDiskFull } from './disk-full.ts'
import { everything } from './everything.ts'
import { flood } from './flood.ts'
import { frozenDatabase, frozenProcess } from './frozen.ts'
import { breeze, killNine } from './kill-nine.ts'
import { killedSync } from './killed-sync.ts'
import { databaseOutage, databaseRestart } from './outage.ts'
import type { Storm } from './storm.ts'

/** Every storm: a file, and a row here. */
export const STORMS: readonly Storm[] = [
  { name: 'kill-9', breaks: 'the process, again and again', on: ['embedded', 'PostgreSQL'], blow: killNine },
  { name: 'damaged-folder', breaks: 'files of the data folder', on: ['embedded'], blow: damagedFolder },
  { name: 'disk-full-database', breaks: 'no room for the embedded database', on: ['embedded'], blow: databaseDiskFull },
  { name: 'disk-full-spool', breaks: 'no database and no room for the spool', on: ['PostgreSQL'], blow: spoolDiskFull },
  { name: 'disk-full-audio', breaks: 'no room for audio', on: ['embedded'], blow: audioDiskFull },
  { name: 'outage', breaks: 'the database, for half a minute', on: ['PostgreSQL'], blow: databaseOutage },
  { name: 'restart', breaks: 'the database, back at once', on: ['PostgreSQL'], blow: databaseRestart },
  { name: 'frozen-database', breaks: 'the database, which stands still', on: ['PostgreSQL'], blow: frozenDatabase },
  {
    name: 'frozen-process',
    breaks: 'one of two processes, which stands still',
    on: ['PostgreSQL'],
    blow: frozenProcess,
  },
  { name: 'deaf', breaks: 'what tells a process of changes', on: ['PostgreSQL'], blow: deafListener },
  {
    name: 'killed-sync',
    breaks: 'the process, during a synchronisation',
    on: ['embedded', 'PostgreSQL'],
    blow: killedSync,
  },
  { name: 'flood', breaks: 'nothing, but strangers send all they can', on: ['embedded', 'PostgreSQL'], blow: flood },
  {
    name: 'clean-up',
    breaks: 'nothing, but a mountain of old rows goes',
    on: ['embedded', 'PostgreSQL'],
    blow: cleanUpStorm,
  },
  { name: 'everything', breaks: 'everything at once', on: ['embedded', 'PostgreSQL'], blow: everything },
  { name: 'breeze', breaks: 'the process, once', on: ['embedded'], isLittle: true, blow: breeze },
]

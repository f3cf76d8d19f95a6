import { damagedFolder } from './damaged-folder.ts'
import { audioDiskFull, databaseDiskFull, spoolDiskFull } from './disk-full.ts'
import { killNine } from './kill-nine.ts'
import type { Storm } from './storm.ts'

/** Every storm: a file, and a row here. */
export const STORMS: readonly Storm[] = [
  { name: 'kill-9', breaks: 'the process, again and again', on: ['embedded', 'PostgreSQL'], blow: killNine },
  { name: 'damaged-folder', breaks: 'files of the data folder', on: ['embedded'], blow: damagedFolder },
  { name: 'disk-full-database', breaks: 'no room for the embedded database', on: ['embedded'], blow: databaseDiskFull },
  { name: 'disk-full-spool', breaks: 'no database and no room for the spool', on: ['PostgreSQL'], blow: spoolDiskFull },
  { name: 'disk-full-audio', breaks: 'no room for audio', on: ['embedded'], blow: audioDiskFull },
]

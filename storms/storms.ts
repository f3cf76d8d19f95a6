import { audioDiskFull, databaseDiskFull, spoolDiskFull } from './disk-full.ts'
import type { Storm } from './storm.ts'

/** Every storm: a file, and a row here. */
export const STORMS: readonly Storm[] = [
  { name: 'disk-full-database', breaks: 'no room for the embedded database', on: ['embedded'], blow: databaseDiskFull },
  { name: 'disk-full-spool', breaks: 'no database and no room for the spool', on: ['PostgreSQL'], blow: spoolDiskFull },
  { name: 'disk-full-audio', breaks: 'no room for audio', on: ['embedded'], blow: audioDiskFull },
]

// One recording: a fresh installation, every part in order, the rows after each.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { faultsNamed } from '../../emulators/faults.ts'
import type { Emulators, EmulatorsSnapshot } from '../../emulators/start.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { Normaliser } from './normalise.ts'
import { playApi } from './play-api.ts'
import { playPages } from './play-pages.ts'
import { playScenarios, startProviders } from './play-scenarios.ts'
import { playWebhooks } from './play-webhooks.ts'
import { Recorder, type Recording } from './recorder.ts'
import { readRows } from './rows.ts'
import { type Installation, Service } from './service.ts'
import { START_MS, setClock } from './steady.ts'

export interface World {
  recorder: Recorder
  providers: Emulators
  installation: Installation
  /** Of the built-in administrator. */
  key: string
}

const HOUR_MS = 3_600_000
const FAULTS_SEED = 11
/** On a server ids are past 32 bits, as in the tests. */
const LARGE_IDS = `do $$
  declare each record;
  begin
    for each in select sequencename from pg_sequences where schemaname = 'public' loop
      perform setval(format('public.%I', each.sequencename), 3000000000);
    end loop;
  end $$`

interface Part {
  name: string
  faults?: object
  play(world: World): Promise<void>
}

export const PARTS: readonly Part[] = [
  { name: 'scenarios', play: (world) => playScenarios(world) },
  {
    name: 'scenarios with disorderly reports',
    faults: faultsNamed(['duplicate', 'shuffle', 'delay', 'forge'], FAULTS_SEED),
    play: (world) => playScenarios(world),
  },
  { name: 'webhooks', play: playWebhooks },
  { name: 'api', play: playApi },
  { name: 'pages', play: playPages },
]

interface Options {
  folder: string
  commit: string
  isOnPostgres: boolean
  parts?: readonly string[] | undefined
}

export async function recordAll({ folder, commit, isOnPostgres, parts }: Options): Promise<Recording> {
  const startedMs = new Date(performance.timeOrigin + performance.now()).getTime()
  const server = isOnPostgres ? await startPostgres() : undefined
  try {
    const dataDir = path.join(folder, 'data')
    const databaseUrl = server === undefined ? undefined : await createDatabase(server.url)
    const rows: Recording['rows'] = {}
    const nowhere = 'http://127.0.0.1:9'
    const first = { dataDir, databaseUrl, telcoUrl: nowhere, voiceaiUrl: nowhere }
    const seeding = await Service.start(first)
    if (databaseUrl !== undefined) await seeding.query(LARGE_IDS)
    await seeding.stop()
    rows.seeded = await readRows(first)
    const recorder = new Recorder(seeding)
    const words: [string, string][] = [[folder, '<folder>']]
    if (databaseUrl !== undefined) words.push([databaseUrl, '<database>'])
    const key = readFileSync(path.join(dataDir, 'local-admin.key'), 'utf8').trim()
    let held: EmulatorsSnapshot | undefined
    for (const [at, part] of PARTS.entries()) {
      if (parts !== undefined && !parts.includes(part.name)) continue
      setClock(START_MS + (at + 1) * HOUR_MS)
      recorder.part = part.name
      const providers = await startProviders(Date.now(), part.faults, held)
      const installation = { ...first, telcoUrl: providers.telco.url, voiceaiUrl: providers.voiceai.url }
      recorder.service = await Service.start(installation)
      words.push(
        [providers.telco.url, '<telco>'],
        [providers.voiceai.url, '<voiceai>'],
        [recorder.service.url, '<service>'],
      )
      try {
        await recorder.settled()
        recorder.part = `${part.name}: at the start`
        recorder.recordRequests(providers, { isSorted: true })
        recorder.part = part.name
        await part.play({ recorder, providers, installation, key })
        recorder.recordRequests(providers, { isSorted: true })
      } finally {
        held = providers.snapshot()
        await recorder.service.stop()
        await providers.stop()
      }
      rows[part.name] = await readRows(installation)
    }
    const { exchanges, commands, providers, retries, complaints } = recorder
    const database = isOnPostgres ? 'PostgreSQL' : 'embedded'
    const normaliser = new Normaliser(words, startedMs)
    const recorded = { commit: '', database, exchanges, commands, providers, retries, complaints, rows }
    return { ...(normaliser.value(recorded) as Recording), commit }
  } finally {
    await server?.stop()
  }
}

async function createDatabase(serverUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query('create database behaviour')
  await client.end()
  const url = new URL(serverUrl)
  url.pathname = '/behaviour'
  return url.href
}

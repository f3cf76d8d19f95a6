import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { seed } from '../../src/app/seed.ts'
import { openSettings } from '../../src/app/settings.ts'
import type { Database } from '../../src/database/database.ts'
import { openEmbedded } from '../../src/database/embedded/embedded.ts'
import { openServer } from '../../src/database/server/server.ts'
import { openCipher } from '../../src/platform/secrets/secrets.ts'
import { readServerVersion, startPostgres } from '../../tests/support/postgres-server.ts'
import { type DataSize, loadData } from '../load-data.ts'
import type { Loaded } from '../route.ts'
import { PUBLIC_URL } from '../telco-request.ts'
import { countAnew, countCalls, loadCompany, type Person, signIn, signInAudience } from './company-data.ts'

const POOL = 10
const SECRETS = { postCallSecret: 'wsec_bench', authToken: '0123456789abcdef0123456789abcdef' }
/** What the measured webhooks are about; the calls that people look at come on top. */
const SIZE: DataSize = { contacts: 20_000, calls: 1_000, tickets: 2_000 }

export type Kind = 'embedded' | 'PostgreSQL'

/** A database with a company in it, and how a service is started on it. */
export interface Company {
  kind: Kind
  remark: string
  people: readonly Person[]
  /** Others, who have a page open. */
  audience: readonly Person[]
  loaded: Loaded
  environment: Record<string, string>
  remove(): Promise<void>
}

interface Wish {
  calls: number
  /** A folder to keep the embedded database in, and to find it there the next time. */
  place: string | undefined
  say: (text: string) => void
}

/** Opens a company on a kind of database; makes it where there is none. */
export async function openCompany(kind: Kind, wish: Wish): Promise<Company> {
  return kind === 'embedded' ? embeddedCompany(wish) : serverCompany(wish)
}

async function embeddedCompany(wish: Wish): Promise<Company> {
  const folder = wish.place ?? mkdtempSync(path.join(os.tmpdir(), 'connect-measure-'))
  const db = await openEmbedded(folder)
  const filled = await fill(db, folder, wish).finally(() => db.close())
  return {
    kind: 'embedded',
    remark: `PGlite on the disk of ${path.dirname(folder)}`,
    ...filled,
    environment: { DATA_DIR: folder },
    remove: async () => (wish.place === undefined ? removeFolder(folder) : undefined),
  }
}

async function serverCompany(wish: Wish): Promise<Company> {
  const given = process.env.DATABASE_URL
  const throwaway = given === undefined ? await startPostgres() : undefined
  const url = given ?? Object.assign(new URL(throwaway?.url ?? ''), { pathname: '/postgres' }).href
  // The secret key of a database that is kept must be kept as well.
  const folder = wish.place ?? mkdtempSync(path.join(os.tmpdir(), 'connect-measure-'))
  const db = await openServer(url, POOL)
  const filled = await fill(db, folder, wish).finally(() => db.close())
  return {
    kind: 'PostgreSQL',
    remark: `${await readServerVersion(url)}, ${given ? 'the server of DATABASE_URL' : 'a throwaway server in memory'}`,
    ...filled,
    environment: { DATA_DIR: folder, DATABASE_URL: url },
    async remove() {
      await throwaway?.stop()
      if (wish.place === undefined) removeFolder(folder)
    },
  }
}

async function fill(
  db: Database,
  dataDir: string,
  { calls, say }: Wish,
): Promise<Pick<Company, 'people' | 'audience' | 'loaded'>> {
  if (!existsSync(dataDir)) mkdirSync(dataDir, { recursive: true })
  const cipher = openCipher({ secretKey: undefined, oldSecretKey: undefined, dataDir })
  await db.migrate()
  await seed(db, cipher, { apiUrl: PUBLIC_URL })
  if ((await countCalls(db)) < calls) {
    await loadData(db, { size: SIZE, cipher, secrets: SECRETS })
    await loadCompany(db, calls, say)
  }
  await countAnew(db)
  const { voiceaiAgentToken: token = '' } = await openSettings(db, cipher).get()
  const { contacts } = SIZE
  const loaded = { token, ...SECRETS, contacts, calls: SIZE.calls }
  return { people: await signIn(db), audience: await signInAudience(db), loaded }
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}

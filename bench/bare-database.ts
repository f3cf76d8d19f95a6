import { PGlite, type Transaction } from '@electric-sql/pglite'
import pg from 'pg'

/** A statement as somebody would write it by hand; `name` is what a server keeps it prepared under. */
export interface BareStatement {
  name: string
  text: string
}

export interface BareQueries {
  query<Row>(statement: BareStatement, values: readonly unknown[]): Promise<Row[]>
}

export interface BareDatabase extends BareQueries {
  transaction<Result>(work: (tx: BareQueries) => Promise<Result>): Promise<Result>
}

/** Where the bare loop's data is. */
export type BarePlace = { kind: 'embedded'; folder: string } | { kind: 'server'; url: string; pool: number }

const DATE = 1082
const TIMESTAMP = 1114
const TIMESTAMPTZ = 1184

/** The driver itself, with nothing of ours around it but names and rows. */
export async function openBare(place: BarePlace): Promise<BareDatabase> {
  return place.kind === 'embedded' ? openPglite(place.folder) : openServer(place)
}

async function openPglite(folder: string): Promise<BareDatabase> {
  const parsers = { [DATE]: String, [TIMESTAMP]: String, [TIMESTAMPTZ]: String }
  const client = await PGlite.create({ dataDir: folder, parsers })
  const queries = (on: PGlite | Transaction): BareQueries => ({
    async query<Row>({ text }: BareStatement, values: readonly unknown[]) {
      return (await on.query<Row>(text, [...values])).rows
    },
  })
  return { ...queries(client), transaction: (work) => client.transaction((tx) => work(queries(tx))) }
}

function openServer({ url, pool: max }: { url: string; pool: number }): BareDatabase {
  const pool = new pg.Pool({ connectionString: url, max, types: { getTypeParser } })
  const queries = (on: pg.Pool | pg.PoolClient): BareQueries => ({
    async query<Row>({ name, text }: BareStatement, values: readonly unknown[]) {
      return (await on.query({ name, text, values: [...values] })).rows as Row[]
    },
  })
  return {
    ...queries(pool),
    async transaction(work) {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const result = await work(queries(client))
        await client.query('commit')
        return result
      } catch (error) {
        await client.query('rollback')
        throw error
      } finally {
        client.release()
      }
    },
  }
}

function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === DATE || oid === TIMESTAMP || oid === TIMESTAMPTZ) return String
  return pg.types.getTypeParser(oid, format as 'text')
}

import type { Database } from './database.ts'

/** The database is not open yet; PostgreSQL's own code for it says that the same query may succeed later. */
export class NotOpenError extends Error {
  readonly code = '57P03'

  constructor() {
    super('the database has not been opened since this process started')
    this.name = 'NotOpenError'
  }
}

/** A database to build a service on before it is open, and the way to open it. */
interface GatedDatabase {
  db: Database
  open(): void
}

/**
 * Refuses every query with a NotOpenError until it is opened: a process that answers already must not look at tables that
 * are still to be migrated. Notifications, and what opens or closes a database, pass.
 */
export function behindGate(database: Database): GatedDatabase {
  let isOpen = false
  const pass = <Result>(work: () => Promise<Result>): Promise<Result> =>
    isOpen ? work() : Promise.reject(new NotOpenError())
  return {
    db: {
      ...database,
      run: (statement, params) => pass(() => database.run(statement, params)),
      query: (query) => pass(() => database.query(query)),
      transaction: (work, options) => pass(() => database.transaction(work, options)),
      script: (text) => pass(() => database.script(text)),
      lookAfterTables: (options) => pass(() => database.lookAfterTables(options)),
      clearRemains: (options) => pass(() => database.clearRemains(options)),
    },
    open() {
      isOpen = true
    },
  }
}

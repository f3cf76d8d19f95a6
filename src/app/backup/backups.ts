import { type Static, Type } from 'typebox'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { asError, Refusal } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { type Operations, outsideMethod } from '../../platform/model/model.ts'
import { backupName, inBackupsFolder, removeUnfinished } from './backups-folder.ts'
import { writeBackup } from './write-backup.ts'

/** How a backup goes, or how the latest one went. */
export const BackupReport = Type.Object({
  name: Type.String({ description: 'Its folder in DATA_DIR/backups, once it is done.' }),
  state: Type.Union([Type.Literal('running'), Type.Literal('done'), Type.Literal('failed')]),
  step: Type.String({ description: 'What is done now, or was done last.' }),
  kept: Type.Array(Type.String(), { description: 'What is in it.' }),
  left: Type.Array(Type.String(), { description: 'What is not in it and has to be kept in another way.' }),
  held_ms: Type.Union([Type.Integer(), Type.Null()], {
    description: 'How long nobody else got at the database, in milliseconds.',
  }),
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why there is none.' }),
})
export type BackupReport = Static<typeof BackupReport>

interface BackupsParts {
  config: Config
  db: Database
  log: Logger
  clock: () => Date
}

/** The backups that a running service makes of its own embedded database, one at a time. */
export class Backups {
  readonly #parts: BackupsParts
  readonly #stopping = new AbortController()
  #report: BackupReport | undefined
  #work: Promise<void> | undefined

  constructor(parts: BackupsParts) {
    this.#parts = parts
  }

  /** The one that is under way, or was last since the service started; undefined without one. */
  get latest(): BackupReport | undefined {
    return this.#report
  }

  /** Removes what an earlier process left unfinished. */
  start(): void {
    const { config, db, log } = this.#parts
    if (db.kind === 'server') return
    try {
      removeUnfinished(config.dataDir)
    } catch (error) {
      log.warn({ err: asError(error) }, 'an unfinished backup in DATA_DIR/backups cannot be removed')
    }
  }

  /** Begins a backup and does not wait for it. Refuses a second one, and one of a database on a server. */
  begin(): BackupReport {
    const { db, clock } = this.#parts
    if (db.copyWhileRunning === undefined) {
      throw new Refusal('refused', 'backup-of-server')
    }
    if (this.#stopping.signal.aborted) throw new Refusal('unavailable', 'service-stopping-make-backup-later')
    if (this.#work !== undefined) {
      throw new Refusal('conflict', 'backup-still-being-made-wait-until', { name: this.#report?.name ?? '' })
    }
    const name = backupName(clock())
    this.#report = {
      name,
      state: 'running',
      step: 'looking at the disk',
      kept: [],
      left: [],
      held_ms: null,
      error: null,
    }
    this.#work = this.#make(this.#report).finally(() => {
      this.#work = undefined
    })
    return { ...this.#report }
  }

  /** Gives up the one under way, and resolves when it has left nothing. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the service is stopping'))
    await this.#work
  }

  async #make(report: BackupReport): Promise<void> {
    const { config, db, log } = this.#parts
    const { signal } = this.#stopping
    const onStep = (step: string): void => {
      report.step = step
    }
    try {
      const { name } = report
      const { kept, left, heldMs } = await inBackupsFolder({ dataDir: config.dataDir, name }, (folder) =>
        writeBackup({ config, running: db, signal, onStep }, folder),
      )
      Object.assign(report, { state: 'done', kept, left, held_ms: heldMs ?? null })
      log.info({ backup: name, heldMs }, 'a backup is made')
    } catch (thrown) {
      const error = asError(thrown)
      Object.assign(report, { state: 'failed', error: error.message })
      log.error({ err: error, backup: report.name }, 'a backup could not be made')
    }
  }
}

/** What managers have the running service do; nobody says where: it writes below its own data folder only. */
export function backupOperations(backups: Backups): Operations {
  const ofManagers = { groups: [GROUP.manager], args: Type.Object({}), reply: BackupReport }
  return {
    'connect.settings': {
      make_backup: outsideMethod({
        ...ofManagers,
        label: 'Start a backup',
        operation: 'write',
        runOutside: async () => backups.begin(),
      }),
      read_backup: outsideMethod({
        ...ofManagers,
        label: 'Backup status',
        operation: 'read',
        async runOutside() {
          const { latest } = backups
          if (latest === undefined) throw new Refusal('not-found', 'no-backup-was-begun-since-service')
          return latest
        },
      }),
    },
  }
}

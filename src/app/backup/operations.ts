import { Type } from 'typebox'
import { Refusal } from '../../errors.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { type Operations, outsideMethod } from '../../platform/model/model.ts'
import { BackupReport, type Backups } from './backups.ts'

const MANAGERS = [GROUP.manager]

/** What managers have the running service do; nobody says where: it writes below its own data folder only. */
export function backupOperations(backups: () => Backups): Operations {
  return {
    'connect.settings': {
      make_backup: outsideMethod({
        label: 'Begin a backup',
        operation: 'write',
        groups: MANAGERS,
        args: Type.Object({}),
        reply: BackupReport,
        runOutside: async () => backups().begin(),
      }),
      read_backup: outsideMethod({
        label: 'See how the backup goes',
        operation: 'read',
        groups: MANAGERS,
        args: Type.Object({}),
        reply: BackupReport,
        async runOutside() {
          const { latest } = backups()
          if (latest === undefined) throw new Refusal('not-found', 'No backup was begun since the service started.')
          return latest
        },
      }),
    },
  }
}

import { changeLocalKey } from '../../app/local-key.ts'
import { ServiceRefusal } from '../../app/own-api/connection.ts'
import { openSettings, settingsFileOf } from '../../app/settings.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { createLog } from '../../log.ts'
import { changeKey, removeOldKey } from '../../platform/secrets/key-file.ts'
import { checkSecrets, renewSecrets, type SecretsFound } from '../../platform/secrets/renew-secrets.ts'
import { openCipher } from '../../platform/secrets/secrets.ts'
import { type Installation, openInstallation } from '../service/installation.ts'
import { findLocalService } from '../service/local-service.ts'
import { requireOwnFolder } from '../service/own-folder.ts'

const MS_PER_SECOND = 1_000
const BACKUPS = 'Backups made before stay readable with the old key only: keep it as long as you keep them.'
const NOT_GIVEN =
  'SECRET_KEY comes from the environment and is changed there. Give every process the new key as SECRET_KEY and the one it ' +
  'has now as SECRET_KEY_OLD, restart them one after the other, and run this again with both.'
const FROM_ENVIRONMENT = [
  'Take SECRET_KEY_OLD out of the environment of every process, and restart those that still run without the new SECRET_KEY.',
  BACKUPS,
]

/** How many secrets are under the new key, and what is left for people to do. */
interface ChangedKey {
  secrets: number
  sentences: string[]
}

/**
 * Encrypts every secret with another key: with SECRET_KEY in place of SECRET_KEY_OLD, or with a new key file. What a killed
 * run has begun, the next start or run ends first. Throws a ServiceRefusal, with nothing changed, when a secret cannot be read
 * with the present key, or when a process that knows no other key is at work.
 */
export async function changeSecretKey(config: Config): Promise<ChangedKey> {
  requireOwnFolder(config.dataDir)
  const isInFile = config.secretKey === undefined
  if (!isInFile && config.oldSecretKey === undefined) throw new ServiceRefusal(409, NOT_GIVEN)
  if (isInFile && (await findLocalService(config)) !== undefined) {
    throw new ServiceRefusal(409, 'The service that runs on this data folder knows the old key only: stop it first.')
  }
  const installation = await openInstallation(config, createLog('silent'))
  try {
    const { app, db, cipher } = installation
    const found = requireReadable(await checkSecrets(db, app.platform.models, cipher))
    if (isInFile) return await changeFile(installation, config)
    const { stored } = requireRenewed(found)
    await changeLocalKey(db, cipher, config.dataDir)
    return { secrets: stored, sentences: FROM_ENVIRONMENT }
  } finally {
    await installation.app.stop()
    await installation.db.close()
  }
}

/** With a secret that stays under no known key, nobody could say when the old one is needed no more. */
function requireReadable(found: SecretsFound): SecretsFound {
  if (found.unreadable.length === 0) return found
  throw new ServiceRefusal(
    409,
    `These secrets cannot be read with the present key: ${found.unreadable.join(', ')}. Set them anew, or clear them, first.`,
  )
}

function requireRenewed(found: SecretsFound): SecretsFound {
  if (requireReadable(found).renewed === 0) return found
  throw new ServiceRefusal(
    409,
    'Another process has written secrets with the old key meanwhile. Nothing is lost: stop it, or restart it with the new key, and run this again.',
  )
}

async function changeFile({ db, app }: Installation, config: Config): Promise<ChangedKey> {
  if (db.kind === 'server') await requireAlone(db)
  changeKey(config.dataDir)
  const cipher = openCipher(config)
  await renewSecrets(db, app.platform.models, cipher)
  const { stored } = requireRenewed(await checkSecrets(db, app.platform.models, cipher))
  // By them a start knows who sends while the server is away.
  const file = settingsFileOf({ dataDir: config.dataDir, cipher, database: db.place })
  if (db.kind === 'server') await file.write(await openSettings(db, cipher).get())
  await changeLocalKey(db, cipher, config.dataDir)
  removeOldKey(config.dataDir)
  const others =
    'Copy secret.key to the DATA_DIR of every other process that uses this database before you start them again.'
  return { secrets: stored, sentences: [...(db.kind === 'server' ? [others] : []), BACKUPS] }
}

/** Connections that are older than this process are another's, which would go on writing with the old key. */
async function requireAlone(db: Database): Promise<void> {
  const ageSeconds = performance.now() / MS_PER_SECOND
  const [others] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from pg_stat_activity where datname = current_database()
      and application_name = 'connect' and backend_start < clock_timestamp() - make_interval(secs => ${ageSeconds}::float8)`,
  )
  if ((others?.count ?? 0) === 0) return
  throw new ServiceRefusal(
    409,
    'Other processes of Connect use this database and know the old key only: stop all of them first. ' +
      'To change the key while they run, give it to them as SECRET_KEY.',
  )
}

import { sql } from '../../database/drizzle.ts'
import { asError, Refusal } from '../../errors.ts'
import { LeaseError } from '../../jobs/lease.ts'
import { VoiceaiError } from '../client/provider-error.ts'
import type { SyncParts } from './service-env.ts'

/** What a person is told of a failure: the platform's reason in a sentence, or that the log knows. */
export function sentenceOf(thrown: unknown): string {
  const isForPeople = thrown instanceof VoiceaiError || thrown instanceof Refusal || thrown instanceof LeaseError
  return isForPeople ? thrown.message : 'The service could not do it; the log says why.'
}

/** Keeps with the record why the platform does not hold it as we do. */
export async function keepFailure(
  { db, platform }: SyncParts,
  { table, id }: { table: 'connect_voiceai_agent' | 'connect_voiceai_agent_tool'; id: number },
  thrown: unknown,
): Promise<void> {
  platform.log.warn({ err: asError(thrown), table, id }, 'the voice-agent platform does not hold a record as we do')
  await db.query(
    sql`update ${sql.identifier(table)} set synced = false, sync_error = ${sentenceOf(thrown)} where id = ${id}::bigint`,
  )
}

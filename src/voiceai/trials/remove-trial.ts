import { sql } from '../../database/drizzle.ts'
import { unlessMissing } from '../../sync/push.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import { VOICEAI, type VoiceaiParts } from '../workspace/voiceai.ts'
import { endTrials } from './trial.ts'
import { copyName } from './trial-copy.ts'

/** Removes the copy of a trial that is over at the platform, also one whose making was not answered. */
export async function removeTrial(parts: VoiceaiParts, { id }: { id: number }): Promise<void> {
  const [trial] = await parts.db.query<{ copy_uid: string | null; is_over: boolean }>(
    sql`select copy_uid, ended_at is not null as is_over from connect_voiceai_trial where id = ${id}::bigint`,
  )
  // One that nobody ended; what ends it has this asked once more.
  if (trial?.is_over === false) await inServiceEnv(parts, (env) => endTrials(env, [id]))
  if (trial?.is_over === false) return
  const uids = trial?.copy_uid ? [trial.copy_uid] : await findCopies(parts, id)
  for (const uid of uids) await unlessMissing(VOICEAI, () => parts.client.deleteAgent(uid))
}

async function findCopies({ client, platform }: VoiceaiParts, id: number): Promise<string[]> {
  const wanted = copyName(id, await platform.settings.get())
  return (await client.listAgents()).filter(({ name }) => name === wanted).map(({ id: uid }) => uid)
}

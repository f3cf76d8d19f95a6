import { Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { boolean, char, datetime, integer, json, many2one, selection } from '../../platform/model/fields.ts'
import { defineModel, method } from '../../platform/model/model.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'
import { notifySomeChanged } from '../../platform/records/notify-changed.ts'
import { requestPush } from '../../sync/requests.ts'
import { VOICEAI } from '../workspace/voiceai.ts'

/** A request of a tool in a trial, as it is shown while the trial lasts. */
export interface TrialStep {
  tool: string
  /** What was sent, as JSON. */
  asked: string
  /** What was answered, as JSON. */
  answered: string
  status: number
  ms: number
}

/**
 * A conversation that somebody tries an agent with before a customer does. Once it is over, only the mark stays that there
 * was one: who called and what was asked of tools goes.
 */
export const trialModel = defineModel({
  name: 'connect.voiceai_trial',
  label: 'Agent trial',
  isAboutPeople: true,
  isReadonly: true,
  order: 'id desc',
  display: { columns: ['id'], show: ({ id }) => `Trial ${id}` },
  fields: {
    agent: many2one('Voice agent', 'connect.voiceai_agent', { required: true, onDelete: 'cascade' }),
    is_draft: boolean('Draft', { required: true, default: false }),
    kind: selection('Talked', { text: 'By text', voice: 'By voice' }, { required: true }),
    caller: char('Caller', { isIndexed: false }),
    called: char('Called', { isIndexed: false }),
    partner: many2one('Contact', 'res.partner', { onDelete: 'set null', isIndexed: 'where present' }),
    expires_at: datetime('Ends at the latest', { required: true }),
    ended_at: datetime('Ended'),
    steps: json('Tools', { help: 'What was asked of tools while the trial lasts. Nothing of it was kept.' }),
    tool_calls: integer('Requests of tools', { required: true, default: 0 }),
    copy_uid: char('Copy at ElevenLabs', { isUnique: true, groups: [] }),
  },
  retention: { since: 'expires_at', age: () => '30 days' },
  methods: {
    end: method({
      label: 'End',
      operation: 'read',
      groups: [GROUP.connectAdmin],
      isAudited: false,
      reply: Type.Object({ ended: Type.Integer() }),
      run: endTrials,
    }),
  },
})

/** Ends trials: their copies at the platform are removed, and of what was said in them nothing stays. */
export async function endTrials(env: Env, ids: readonly number[]): Promise<{ ended: number }> {
  if (ids.length === 0) return { ended: 0 }
  const ended = await env.db.query<{ id: number }>(
    sql`update connect_voiceai_trial set ended_at = now() at time zone 'utc', caller = null, called = null, partner = null,
          steps = null, ${writtenBy(writerOf(env))} where id in (${idList(ids)}) and ended_at is null returning id`,
  )
  for (const { id } of ended) await requestPush(env, VOICEAI, { kind: 'remove-trial', id })
  await notifySomeChanged(
    env,
    trialModel.name,
    ended.map(({ id }) => id),
  )
  return { ended: ended.length }
}

import { type Static, Type } from 'typebox'
import type { Database, Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { rolledBack, workInside } from '../../deliveries/replay/rolled-back.ts'
import { CALL_HEADER } from '../../deliveries/tools/named-call.ts'
import type { Handled, IncomingRequest, Reply, TableRow, WebhookRow } from '../../deliveries/webhooks/webhook-table.ts'
import { asError, Refusal } from '../../errors.ts'
import { requireAccess } from '../../platform/access/access.ts'
import type { OpenEnv, Platform } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { envOf } from '../../platform/api/rpc.ts'
import type { Identities } from '../../platform/identity/identities.ts'
import { type Operations, outsideMethod } from '../../platform/model/model.ts'
import { pretendCall, trialSid } from '../trials/pretend-call.ts'

const Tried = Type.Object({
  status: Type.Integer({ description: 'As ElevenLabs gets it.' }),
  body: Type.String({ description: 'What the agent would read, as JSON.' }),
  ms: Type.Integer(),
  is_kept: Type.Boolean({ description: 'Whether what it did was saved.' }),
})

const Wanted = Type.Object({
  arguments: Type.Record(Type.String(), Type.Unknown(), { description: 'What the agent would send, by name.' }),
  call: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'The call in which it is used; without it, one that is gone afterwards.',
    }),
  ),
  commit: Type.Optional(Type.Boolean({ description: 'For real: what it does is saved.', default: false })),
})

interface TryParts {
  db: Database
  platform: Platform
  identities: Identities
  /** The tool that is served at a path; without `isReal` no provider is behind it. */
  placeOf(path: string, isReal: boolean): TableRow | undefined
}

/** `connect.voiceai_agent_tool/try {ids: [1], arguments, call, commit}`, for administrators. */
export function tryToolOperations(parts: TryParts): Operations {
  return {
    'connect.voiceai_agent_tool': {
      try: outsideMethod({
        label: 'Try',
        operation: 'read',
        groups: [GROUP.connectAdmin],
        isAudited: true,
        args: Wanted,
        reply: Tried,
        runOutside: (open, ids, wanted) => tryTool(parts, open, { ids, wanted }),
      }),
    },
  }
}

/** Works on a request as if an agent had made it. Nothing of it is kept unless it is for real. */
async function tryTool(
  parts: TryParts,
  ask: OpenEnv,
  { ids, wanted }: { ids: readonly number[]; wanted: Static<typeof Wanted> },
): Promise<Static<typeof Tried>> {
  const { arguments: sent, call, commit = false } = wanted
  const { row, table } = await findPlace(parts, ids, commit)
  const written = commit ? row.tool?.writes : undefined
  // The tool itself works as the user of webhooks, who may more.
  if (written !== undefined) {
    await ask(async ({ identity, platform }) => requireAccess(identity, platform.models.get(written), 'write'))
  }
  const started = performance.now()
  const done = await work(parts, row, { sent, call: call ?? undefined, isReal: commit }).catch((thrown: unknown) =>
    table.fallback(row, asError(thrown), requestOf(sent, undefined)),
  )
  const { status, body } = 'reply' in done ? done.reply : done
  return { status, body, ms: Math.round(performance.now() - started), is_kept: commit && status < 300 }
}

async function findPlace(parts: TryParts, ids: readonly number[], isReal: boolean): Promise<TableRow> {
  const [id, ...others] = ids
  if (id === undefined || others.length > 0) throw new Refusal('refused', 'tool-try-one')
  const [tool] = await parts.db.query<{ path: string | null }>(
    sql`select path from connect_voiceai_agent_tool where id = ${id}::bigint`,
  )
  const place = parts.placeOf(tool?.path ?? '', isReal)
  if (place === undefined) throw new Refusal('refused', 'tool-try-not-ours')
  return place
}

async function work(
  { db, platform, identities }: TryParts,
  row: WebhookRow,
  { sent, call, isReal }: { sent: Record<string, unknown>; call: number | undefined; isReal: boolean },
): Promise<Reply | Handled> {
  const [settings, webhook] = await Promise.all([platform.settings.get(), identities.webhook()])
  // As the tool works for agents, and not as who tries it.
  const identity = row.isElevated === true ? { ...webhook, isElevated: true } : webhook
  const open: OpenEnv = (inside) => db.transaction((tx) => inside(envOf({ platform, settings, identity }, tx)))
  const request = requestOf(sent, call)
  if (isReal && row.access === 'own') return row.run(open, request)
  if (isReal) return open((env) => workInside(row, request, env))
  const begin = (inside: (tx: Transaction) => Promise<void>): Promise<void> =>
    db.transaction(inside, { isForApi: true })
  return rolledBack(begin, async (tx) => {
    const env = envOf({ platform, settings, identity }, tx)
    if (call !== undefined) return workInside(row, request, env)
    const pretended = await pretendCall(env, { id: 0, agent: null, caller: null, called: null, partner: null })
    return workInside(row, requestOf({ channel_sid: trialSid(0), ...sent }, pretended), env)
  })
}

/** What the platform adds by itself names the call, unless it is given. */
function requestOf(sent: Record<string, unknown>, call: number | undefined): IncomingRequest {
  const headers = call === undefined ? {} : { [CALL_HEADER]: String(call) }
  const body = Buffer.from(JSON.stringify(call === undefined ? sent : { call_id: call, ...sent }))
  return { target: '', headers, body, params: {}, isHttps: true, host: '', receivedAt: new Date(), subject: {} }
}

import { sql } from '../../database/drizzle.ts'
import { gathered } from '../../database/gathered.ts'
import { param, statement } from '../../database/statement.ts'
import { VOICE_AGENTS } from '../../directory/voiceai.ts'
import { Refusal } from '../../errors.ts'
import { parseCallEvent } from '../../ledger/legs/leg-event.ts'
import type { Env } from '../../platform/access/env.ts'
import type { PhoneDirectory, PublishedExtension, PutThrough, RenderedCall } from '../../ports/phone-directory.ts'
import { renderMarkup } from '../markup/verb.ts'
import { redirect } from '../markup/voice.ts'
import { actionUrl, contextOf, type RouteContext, type RoutedCall } from './decide/context.ts'
import { routeToExtension } from './decide/destination.ts'
import { UnroutableError } from './decide/plan.ts'
import { decideCall } from './decide-calls.ts'
import type { DialPlan, OurExtension } from './dial-plan.ts'
import { carryOut } from './effects.ts'
import { loadDialPlan } from './load-dial-plan.ts'

/** Extensions and users one prompt can hold. */
const LISTED_MAX = 500

const USERS = statement<{ name: string; extension: string }>(
  'directory_users',
  sql`select u.name, e.number as extension from connect_user p
      join res_users u on u.id = p."user" join connect_telco_exten e on e.id = p.telco_exten
      where p.active order by u.name, p.id limit ${sql.raw(String(LISTED_MAX))}`,
)

const PUBLISHED = statement<PublishedExtension>(
  'directory_published',
  sql`select e.id, e.number, coalesce(
        case e.model
          when 'connect.user' then (select u.name from connect_user p join res_users u on u.id = p."user" where p.id = e.res_id)
          when 'connect.telco.callflow' then (select name from connect_telco_callflow where id = e.res_id)
          when 'connect.telco.markup' then (select name from connect_telco_markup where id = e.res_id)
          when 'connect.voiceai_agent' then (select name from ${VOICE_AGENTS} a where a.id = e.res_id)
        end, e.mobile_name, e.mobile_number, '') as name
      from connect_telco_exten e where e.is_published order by e.number, e.id limit ${sql.raw(String(LISTED_MAX))}`,
)

const CALL_OF_LEG = statement<{ call: number | null }, { sid: string }>(
  'directory_call_of_leg',
  sql`select call from connect_channel where sid = ${param('sid')}`,
)

/**
 * Characters of markup that a live call can be given directly (docs/reference/providers.md#voice-answers, error 32018).
 */
const INLINE_CHARS_MAX = 4_000

// The same for everybody who asks at the same time.
const listedUsers = gathered(async (db, askers: readonly undefined[]) => {
  const users = await db.run(USERS, {})
  return askers.map(() => users)
})
const listedExtensions = gathered(async (db, askers: readonly undefined[]) => {
  const extensions = await db.run(PUBLISHED, {})
  return askers.map(() => extensions)
})

/** Who can be reached, and how a call gets to them. */
export const phoneDirectory: PhoneDirectory = {
  listUsers: (env) => listedUsers(env.db, undefined),
  listPublishedExtensions: (env) => listedExtensions(env.db, undefined),
  async renderExtension(env, extensionId, call) {
    const { markup, refusal } = await connect(env, extensionId, await liveCall(env, call))
    if (refusal !== undefined) throw refusal
    return markup
  },
  async putThrough(env, extensionId, call) {
    return connect(env, extensionId, { ...(await liveCall(env, call)), isByAgent: true })
  },
}

async function connect(env: Env, extensionId: number, call: RoutedCall): Promise<PutThrough> {
  const plan = await loadDialPlan(env.db)
  const extension = plan.extensions.get(extensionId)
  if (extension === undefined) return { refusal: nowhere(new Error(`there is no extension ${extensionId}`)) }
  try {
    const markup = await renderNow(env, plan, call, extension)
    return { markup: inline(contextOf(call, { ...env, plan }), extension, markup) }
  } catch (thrown) {
    if (!(thrown instanceof UnroutableError)) throw thrown
    carryOut(env, [thrown])
    return { refusal: nowhere(thrown) }
  }
}

/** A call that is going on. */
async function liveCall(env: Env, { callSid, caller, called }: RenderedCall): Promise<RoutedCall> {
  const [leg] = await env.db.run(CALL_OF_LEG, { sid: callSid })
  const fields = { CallSid: callSid, Caller: caller, Called: called, From: caller, To: called }
  const event = parseCallEvent(fields)
  const parties = { caller: event?.caller ?? '', called: event?.called ?? '' }
  return {
    sid: event?.sid ?? '',
    callId: leg?.call ?? undefined,
    ...parties,
    isOutbound: false,
    fields,
    dialled: called,
    dialledLeg: '',
  }
}

/** An agent is called over SIP here: its platform cannot be asked from inside a transaction. */
async function renderNow(env: Env, dialPlan: DialPlan, call: RoutedCall, extension: OurExtension): Promise<string> {
  const plan = await decideCall(env, dialPlan, { call, decide: (context) => routeToExtension(context, extension) })
  return plan.kind === 'markup' ? plan.markup : plan.otherwise
}

/** Markup that is too long to be handed over is fetched instead, by dialling the extension. */
function inline(context: RouteContext, { number }: OurExtension, markup: string): string {
  if (markup.length <= INLINE_CHARS_MAX) return markup
  const url = actionUrl(context, '/telco/webhook/domain', [`forward_to=${encodeURIComponent(number)}`])
  return renderMarkup([redirect(url)])
}

function nowhere(cause: Error): Refusal {
  return new Refusal('unavailable', 'this-extension-cannot-take-calls-at', {}, { cause })
}

import { Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { listed } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import { type OutsideMethod, outsideMethod } from '../../platform/model/model.ts'
import type { PhoneDirectory } from '../../ports/phone-directory.ts'
import type { TelcoClient } from '../../ports/telco-client.ts'
import { markupUrl } from '../applications/webhook-url.ts'
import { findDialledExtension, requireExtension } from '../extensions/find-extension.ts'
import { renderMarkup } from '../markup/verb.ts'
import { redirect, type SpeechOptions } from '../markup/voice.ts'
import { withoutPlusToo } from '../numbers/without-plus.ts'
import { takeOutgoing } from '../outgoing/outgoing-limits.ts'
import { findOwnPhoneId } from '../phone-users/own-phone.ts'
import { sentenceVerb } from '../sentences/sentence.ts'
import { askProvider } from './ask-provider.ts'
import { readDialled } from './dialled-number.ts'
import { type Leg, otherParty, requireLiveLegs, requireOne } from './live-legs.ts'

interface ForwardParts {
  client: TelcoClient
  directory: PhoneDirectory
}

/** Sends the other party on to an extension or a number, wherever the routing leads from there. */
export function forwardMethod({ client }: Pick<ForwardParts, 'client'>): OutsideMethod {
  return outsideMethod({
    label: 'Forward',
    reply: Type.Literal(true),
    operation: 'write',
    args: Type.Object({ number: Type.String({ minLength: 1, maxLength: 64 }) }),
    async runOutside(open, ids, { number }) {
      const plan = await open(async (env) => {
        const target = readDialled(number, env.settings.country)
        const leg = await requireOther(env, requireOne(ids))
        // Better to say so now than to the other party, who would then be cut off.
        if (target.kind === 'extension') await requireExtension(env, target.number)
        else if ((await findDialledExtension(env, target.number)) === undefined)
          await takeOutgoing(env, { kind: 'call', number: target.number })
        return { sid: leg.sid, markup: forwardMarkup(env, target.number, await speechFor(env, leg)) }
      })
      await askProvider(() => client.redirectCall(plan.sid, plan.markup))
      return true
    },
  })
}

/** Connects the other party with an extension at once. */
export function transferMethod({ client, directory }: ForwardParts): OutsideMethod {
  return outsideMethod({
    label: 'Transfer',
    reply: Type.Literal(true),
    operation: 'write',
    args: Type.Object({ exten: Type.String({ minLength: 1, maxLength: 64 }) }),
    async runOutside(open, ids, { exten }) {
      const plan = await open(async (env) => {
        const leg = await requireOther(env, requireOne(ids))
        const extension = await requireExtension(env, exten.trim())
        const call = { callSid: leg.sid, caller: leg.caller ?? '', called: leg.called ?? '' }
        return { sid: leg.sid, markup: await directory.renderExtension(env, extension, call) }
      })
      await askProvider(() => client.redirectCall(plan.sid, plan.markup))
      return true
    },
  })
}

async function requireOther(env: Env, callId: number): Promise<Leg> {
  const live = await requireLiveLegs(env, callId)
  const leg = otherParty(live, await findOwnPhoneId(env))
  if (leg !== undefined) return leg
  throw new Refusal('conflict', 'nobody-else-on-line')
}

const LANGUAGE = statement<{ language: string | null }, { called: readonly string[]; phone: number | null }>(
  'forward_language',
  sql`select coalesce((select language from connect_telco_number where phone_number in ${listed('called', 'text')}
          order by (phone_number like '+%') desc, id limit 1),
        (select language from connect_user where id = ${param('phone')}::bigint)) as language`,
)

/** The language of the number that was called, else of the person who forwards. */
async function speechFor(env: Env, { called }: Leg): Promise<SpeechOptions> {
  const phone = (await findOwnPhoneId(env)) ?? null
  const [row] = await env.db.run(LANGUAGE, { called: withoutPlusToo([called ?? '']), phone })
  return { language: row?.language ?? undefined }
}

/** The target stands before the fragment, or it would never arrive; its plus is encoded, or it would be a blank. */
function forwardMarkup({ settings }: Env, target: string, speech: SpeechOptions): string {
  const path = `/telco/webhook/domain?forward_to=${encodeURIComponent(target)}`
  const url = markupUrl(settings.apiUrl, path, settings.telcoEdge)
  if (url === null) throw new Refusal('refused', 'no-api-url-not-set-without-calls')
  return renderMarkup([sentenceVerb('pleaseHold', speech), redirect(url)])
}

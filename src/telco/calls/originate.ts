import { type Static, Type } from 'typebox'
import { findContactByNumber } from '../../contacts/find-by-number.ts'
import { requireNoEmergency } from '../../emergency-numbers.ts'
import { Refusal } from '../../errors.ts'
import { claimCaller } from '../../ledger/calls/call-updates.ts'
import { tellWaiting } from '../../ledger/calls/tell-waiting.ts'
import { parseCallStatus } from '../../ledger/legs/call-status.ts'
import { type CallEvent, SAYS_NO_MORE } from '../../ledger/legs/leg-event.ts'
import { claimLeg } from '../../ledger/legs/leg-rows.ts'
import { recordLegs } from '../../ledger/legs/record-legs.ts'
import type { Env, OpenEnv } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { type OutsideMethod, outsideMethod } from '../../platform/model/model.ts'
import { writerOf } from '../../platform/model/written-by.ts'
import { records } from '../../platform/records/records.ts'
import type { PhoneDirectory } from '../../ports/phone-directory.ts'
import type { CreatedCall, NewCall, TelcoClient } from '../../ports/telco-client.ts'
import { statusUrl } from '../applications/webhook-url.ts'
import { findDialledExtension, requireExtension } from '../extensions/find-extension.ts'
import { renderMarkup } from '../markup/verb.ts'
import { findWhatsAppSender } from '../messages/message-sender.ts'
import { requireNotBarred, takeOutgoing } from '../outgoing/outgoing-limits.ts'
import { findOwnPhone, findOwnPhoneId, type OwnPhone } from '../phone-users/own-phone.ts'
import { callerIdOf } from '../routing/decide/caller-id.ts'
import { outsideDial } from '../routing/decide/outbound.ts'
import { askProvider } from './ask-provider.ts'
import { readDialled, type Target } from './dialled-number.ts'
import { ringTarget } from './ring-target.ts'

const OriginateArgs = Type.Object({
  number: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'An extension or a phone number.',
  }),
  whatsapp: Type.Optional(Type.Boolean({ description: 'Call the number on WhatsApp.' })),
  partner_id: Type.Optional(Type.Integer({ minimum: 1, description: 'The contact being called, if known.' })),
})
type OriginateArgs = Static<typeof OriginateArgs>

interface OriginateParts {
  client: TelcoClient
  directory: PhoneDirectory
}

/** In place of a leg's id, because a call has to have one: the leg is made by what is rendered for it. */
const NO_LEG_YET = 'click-to-call'

/** A call that only has to be made. */
interface PlannedCall {
  call: NewCall
  phone: OwnPhone
  /** What is called once the own phone is answered. */
  number: string
  partnerId: number | undefined
  isWhatsApp: boolean
}

/** Click-to-call: rings the caller's own first phone, and connects it with the number once it is answered. */
export function originateMethod({ client, directory }: OriginateParts): OutsideMethod {
  return outsideMethod({
    label: 'Call',
    reply: Type.Object({ call_id: Type.Union([Type.Integer(), Type.Null()]), channel_sid: Type.String() }),
    operation: 'read',
    args: OriginateArgs,
    async runOutside(open, ids, args) {
      const plan = await open((env) => planCall(env, directory, { ids, args }))
      const created = await askProvider(() => client.createCall(plan.call))
      return saveCall(open, plan, created)
    },
  })
}

async function planCall(
  env: Env,
  directory: PhoneDirectory,
  { ids, args }: { ids: number[]; args: OriginateArgs },
): Promise<PlannedCall> {
  const phone = await requirePhone(env, ids)
  const target = readDialled(args.number, env.settings.country)
  const partner = await findPartner(env, args.partner_id, target)
  const isWhatsApp = args.whatsapp === true
  if (isWhatsApp) requireNoEmergency(target.number, env.settings.country)
  const extension = isWhatsApp ? undefined : await findExtension(env, target)
  if (extension === undefined) requireNotBarred(env.settings, target.number)
  const voiceCallerId = phone.calling.outgoingCallerId ?? phone.defaultCallerId
  const from = extension === undefined ? voiceCallerId : callerIdOf(phone.calling)
  if (!from) throw new Refusal('refused', 'you-must-select-default-number-for')
  const ring = ringTarget(phone, { from: target.number, name: partner?.name, partnerId: partner?.id })
  const markup =
    extension === undefined
      ? await outsideMarkup(env, { phone, target, callerId: from, isWhatsApp })
      : await directory.renderExtension(env, extension, {
          callSid: NO_LEG_YET,
          caller: phone.uri,
          called: target.number,
        })
  // Last: what is refused for another reason is no call.
  if (extension === undefined) await takeOutgoing(env, { kind: 'call', number: target.number })
  const statusCallback = statusUrl(env.settings.apiUrl, '/telco/webhook/callstatus', env.settings.telcoEdge)
  const call: NewCall = { ...ring, from, markup, statusCallback: statusCallback ?? undefined }
  return { call, phone, number: target.number, partnerId: partner?.id, isWhatsApp }
}

async function requirePhone(env: Env, [given, ...others]: number[]): Promise<OwnPhone> {
  if (others.length > 0) throw new Refusal('refused', 'one-call-made-by-one-phone')
  const own = await findOwnPhoneId(env)
  const isAllowed = given === undefined || given === own || env.identity.groups.has(GROUP.connectAdmin)
  if (!isAllowed) throw new Refusal('forbidden', 'you-may-call-from-your-own')
  const id = given ?? own
  const phone = id === undefined ? undefined : await findOwnPhone(env, id)
  if (phone !== undefined) return phone
  throw new Refusal('refused', 'you-have-no-phone-user-with')
}

async function findPartner(
  env: Env,
  partnerId: number | undefined,
  target: Target,
): Promise<{ id: number; name: string } | undefined> {
  if (partnerId !== undefined) {
    const [partner] = await records(env, 'res.partner').read([partnerId], ['name'])
    return { id: partnerId, name: String(partner?.name ?? '') }
  }
  return target.kind === 'number' ? findContactByNumber(env.db, target.number, env.settings.country) : undefined
}

/** A telephone number may have an extension too, such as one that leads to an agent. */
function findExtension(env: Env, { kind, number }: Target): Promise<number | undefined> {
  return kind === 'extension' ? requireExtension(env, number) : findDialledExtension(env, number)
}

async function outsideMarkup(
  env: Env,
  { phone, target, callerId, isWhatsApp }: { phone: OwnPhone; target: Target; callerId: string; isWhatsApp: boolean },
): Promise<string> {
  const shown = isWhatsApp ? await findWhatsAppSender(env, undefined) : callerId
  if (shown === undefined) throw new Refusal('refused', 'no-whatsapp-sender-online')
  const wanted = { number: target.number, callerId: shown, isRecorded: phone.calling.recordsCalls, isWhatsApp }
  return renderMarkup([outsideDial(wanted, env.settings, (kind) => reportUrl(env, kind))])
}

function reportUrl({ settings: { apiUrl, telcoEdge } }: Env, kind: string): string {
  const url = statusUrl(apiUrl, `/telco/webhook/${kind}`, telcoEdge)
  if (url !== null) return url
  throw new Refusal('refused', 'no-api-url-not-set-without-phone')
}

/** Puts the call into the ledger at once; its callbacks may have been faster, and change nothing of that. */
async function saveCall(
  open: OpenEnv,
  { call, phone, number, partnerId, isWhatsApp }: PlannedCall,
  { sid, status }: CreatedCall,
): Promise<{ call_id: number | null; channel_sid: string }> {
  const called = call.to.split('?', 1)[0] ?? ''
  return open(async (env) => {
    const event: CallEvent = {
      sid,
      parentSid: '',
      direction: 'outbound-api',
      status: parseCallStatus(status) ?? 'queued',
      caller: call.from,
      called,
      to: called,
      callType: isWhatsApp ? 'whatsapp' : 'phone',
      duration: undefined,
      timestampMs: undefined,
      errorCode: '',
      errorMessage: '',
      ...SAYS_NO_MORE,
    }
    const [leg] = await recordLegs(env, [event])
    const callId = leg?.callId
    const claim = { phone: phone.id, partner: partnerId ?? null, writer: writerOf(env) }
    claimLeg(env.db, { ...claim, sid })
    if (callId !== undefined) {
      claimCaller(env.db, { ...claim, call: callId, number })
      tellWaiting(env, [callId])
    }
    return { call_id: callId ?? null, channel_sid: sid }
  })
}

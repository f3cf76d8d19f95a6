import { setTimeout as delay } from 'node:timers/promises'
import { Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { type ToolUse, tool, toolReply } from '../../deliveries/tools/tool.ts'
import { claimAnswer, releaseClaim, storeAnswer } from '../../deliveries/tools/tool-answers.ts'
import type { Argument } from '../../deliveries/tools/tool-arguments.ts'
import { isCallForHelp } from '../../emergency-numbers.ts'
import { Refusal } from '../../errors.ts'
import type { channelModel } from '../../ledger/legs/leg.ts'
import { isAbsent, readText } from '../../lenient-values.ts'
import type { Env } from '../../platform/access/env.ts'
import type { RowOf } from '../../platform/model/model.ts'
import type { PhoneDirectory, PublishedExtension } from '../../ports/phone-directory.ts'
import { ProviderRefused, type TelcoClient } from '../../ports/telco-client.ts'
import { extensionList } from '../conversations/dynamic-variables.ts'

// Published (docs/reference/domain.md#transfer-sentences): other parties match on them.
const DONE = 'Transfer Successful'
const SID_CHARS_MAX = 200

type Leg = RowOf<typeof channelModel, 'sid' | 'call' | 'caller' | 'called'>

const FIND_LEG = statement<Leg, { sid: string }>(
  'transfer_leg',
  sql`select sid, call, caller, called from connect_channel where sid = ${param('sid')}`,
)

export interface TransferPorts {
  directory: PhoneDirectory
  client: Pick<TelcoClient, 'redirectCall'>
}

type Plan =
  | { kind: 'repeated' }
  | { kind: 'under way' }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'redirect'; claim: number; markup: string }

/** Between two looks at what the one who transfers the same call right now has come to. */
const LOOK_MS = 100

const channelSidArgument: Argument<string> = {
  type: 'string',
  schema: Type.String(),
  isRequired: true,
  from: 'variable',
  read(sent) {
    const sid = readText(sent, SID_CHARS_MAX)
    if (sid.kind !== 'present') throw new Refusal('malformed', 'agent-transfer-incomplete')
    return sid.value
  },
}

const extenArgument: Argument<string> = {
  type: 'string',
  schema: Type.Union([Type.String(), Type.Integer()]),
  isRequired: true,
  from: { agent: 'The extension, digits only, such as 101.' },
  read(sent) {
    if (isAbsent(sent)) throw new Refusal('malformed', 'agent-transfer-incomplete')
    if (typeof sent !== 'string' && typeof sent !== 'number') throw new Refusal('malformed', 'agent-transfer-format')
    const number = String(sent).trim()
    if (!/^[\p{L}\p{N}]+$/u.test(number)) throw new Refusal('malformed', 'agent-transfer-format')
    return number
  },
}

/**
 * Transfers the live call to a published extension: renders it, then has the provider redirect the caller's leg. Only
 * what was redirected is answered as done: a repeat waits for the first one, and redirects itself when that one failed
 * or died.
 */
export const transferTool = tool({
  path: '/transfer',
  name: 'transfer_to_exten',
  summary: 'Transfer the live call to a published extension',
  description:
    'Transfers the live call to one of the available extensions. Use it when the caller asks for a person or ' +
    'department that is on the list, and say that you are connecting them. Do not use it for numbers not on the list.',
  timeoutSeconds: 10,
  input: { exten: extenArgument, channel_sid: channelSidArgument },
  reply: toolReply({ message: Type.String(), exten: Type.String() }),
  refuses: [400, 404, 409],
  access: 'own',
  async run(open, { channel_sid: sid, exten }, { ports: { directory, client }, setSubject }: ToolUse<TransferPorts>) {
    setSubject({ callSid: sid })
    const plan = await settledPlan(() => open((env) => planTransfer(env, { directory, sid, exten, setSubject })))
    if (plan.kind === 'repeated') return transferred(exten)
    if (plan.kind === 'refused') throw plan.refusal
    try {
      await client.redirectCall(sid, plan.markup)
    } catch (error) {
      await open((env) => releaseClaim(env, plan.claim))
      throw failed(error)
    }
    // The caller is being connected, whether this is stored or not; without it a repeat connects them once more.
    await open((env) => storeAnswer(env, plan.claim, transferred(exten))).catch(() => undefined)
    return transferred(exten)
  },
})

/** Ends, because a claim that nobody answers is given to the next one who asks. */
async function settledPlan(plan: () => Promise<Plan>): Promise<Exclude<Plan, { kind: 'under way' }>> {
  for (;;) {
    const made = await plan()
    if (made.kind !== 'under way') return made
    await delay(LOOK_MS)
  }
}

async function planTransfer(
  env: Env,
  wanted: { directory: PhoneDirectory; sid: string; exten: string } & Pick<ToolUse, 'setSubject'>,
): Promise<Plan> {
  const { directory, sid, exten, setSubject } = wanted
  const extension = requirePublished(await directory.listPublishedExtensions(env), exten, env.settings.country)
  const [leg] = await env.db.run(FIND_LEG, { sid })
  if (leg === undefined) throw new Refusal('not-found', 'agent-transfer-call-not-found')
  setSubject({ call: leg.call ?? undefined })
  const claim = await claimAnswer(env, ['transfer', sid, exten])
  if (claim.kind === 'known') return { kind: 'repeated' }
  if (claim.kind === 'under way') return { kind: 'under way' }
  const call = { callSid: sid, caller: leg.caller ?? '', called: leg.called ?? '' }
  const { markup, refusal } = await directory.putThrough(env, extension.id, call)
  if (refusal === undefined) return { kind: 'redirect', claim: claim.id, markup }
  // Whom the call was for stays written down.
  await releaseClaim(env, claim.id)
  return { kind: 'refused', refusal }
}

function requirePublished(
  extensions: readonly PublishedExtension[],
  exten: string,
  country: string | undefined,
): PublishedExtension {
  const extension = extensions.find(({ number }) => number === exten)
  if (extension !== undefined) return extension
  if (isCallForHelp(exten, country)) throw new Refusal('not-found', 'emergency-number')
  if (extensions.length === 0) throw new Refusal('not-found', 'agent-transfer-none')
  throw new Refusal('not-found', 'agent-transfer-not-found', { exten, extensions: extensionList(extensions) })
}

function failed(cause: unknown): Refusal {
  if (cause instanceof ProviderRefused) {
    return new Refusal('conflict', 'agent-transfer-failed', {}, { cause })
  }
  return new Refusal('unavailable', 'agent-transfer-away', {}, { cause })
}

function transferred(exten: string): { message: string; exten: string; say: string } {
  return { message: DONE, exten, say: 'I am connecting you now.' }
}

import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { claimAnswer, releaseClaim, storeAnswer } from '../../deliveries/tools/tool-answers.ts'
import type { ToolArguments, ToolUse } from '../../deliveries/tools/tool-table.ts'
import type { Arrival, OpenEnv } from '../../deliveries/webhooks/webhook-table.ts'
import { Refusal } from '../../errors.ts'
import { isAbsent, readText } from '../../lenient-values.ts'
import type { Env } from '../../platform/access/env.ts'
import type { PhoneDirectory, PublishedExtension } from '../../ports/phone-directory.ts'
import { ProviderRefused, type TelcoClient } from '../../ports/telco-client.ts'
import { extensionList } from '../conversations/dynamic-variables.ts'

// Published (docs/reference/domain.md#transfer-sentences): other parties match on them.
const MISSING = 'Not all parameters passed. You must provide channel_sid and exten (only digits)'
const WRONG_FORMAT = 'Wrong extension format. Only digits, e.g. 101'
const NONE_PUBLISHED = 'There is no public extension to connect the call. Cannot transfer'
const DONE = 'Transfer Successful'
const SID_CHARS_MAX = 200

interface Leg {
  sid: string
  call: number | null
  caller: string | null
  called: string | null
}

const FIND_LEG = statement<Leg, { sid: string }>(
  'transfer_leg',
  sql`select sid, call, caller, called from connect_channel where sid = ${param('sid')}`,
)

interface TransferParts {
  directory: PhoneDirectory
  client: TelcoClient
}

type Plan = { kind: 'repeated' } | { kind: 'under way' } | { kind: 'redirect'; claim: number; markup: string }

/** Between two looks at what the one who transfers the same call right now has come to. */
const LOOK_MS = 100

/**
 * Transfers the live call to a published extension: renders it, then has the provider redirect the caller's leg. Only
 * what was redirected is answered as done: a repeat waits for the first one, and redirects itself when that one failed
 * or died.
 */
export function transferTool({ directory, client }: TransferParts) {
  return async (open: OpenEnv, args: ToolArguments, { about }: ToolUse): Promise<object> => {
    const { channelSid, exten } = readArguments(args)
    about.callSid = channelSid
    const plan = await settledPlan(() => open((env) => planTransfer(env, { directory, channelSid, exten, about })))
    if (plan.kind === 'repeated') return transferred(exten)
    try {
      await client.redirectCall(channelSid, plan.markup)
    } catch (error) {
      await open((env) => releaseClaim(env, plan.claim))
      throw failed(error)
    }
    // The caller is being connected, whether this is stored or not; without it a repeat connects them once more.
    await open((env) => storeAnswer(env, plan.claim, transferred(exten))).catch(() => undefined)
    return transferred(exten)
  }
}

/** Ends, because a claim that nobody answers is given to the next one who asks. */
async function settledPlan(plan: () => Promise<Plan>): Promise<Exclude<Plan, { kind: 'under way' }>> {
  for (;;) {
    const made = await plan()
    if (made.kind !== 'under way') return made
    await delay(LOOK_MS)
  }
}

function readArguments(args: ToolArguments): { channelSid: string; exten: string } {
  const { channel_sid: channelSid, exten } = args
  const sid = readText(channelSid, SID_CHARS_MAX)
  if (sid.kind !== 'present' || isAbsent(exten)) throw new Refusal('malformed', MISSING)
  if (typeof exten !== 'string' && typeof exten !== 'number') throw new Refusal('malformed', WRONG_FORMAT)
  const number = String(exten).trim()
  if (!/^[\p{L}\p{N}]+$/u.test(number)) throw new Refusal('malformed', WRONG_FORMAT)
  return { channelSid: sid.value, exten: number }
}

async function planTransfer(
  env: Env,
  wanted: { directory: PhoneDirectory; channelSid: string; exten: string; about: Arrival['about'] },
): Promise<Plan> {
  const { directory, channelSid, exten, about } = wanted
  const extension = requirePublished(await directory.listPublishedExtensions(env), exten)
  const [leg] = await env.db.run(FIND_LEG, { sid: channelSid })
  if (leg === undefined) throw new Refusal('not-found', 'The call was not found, so it cannot be transferred.')
  about.call = leg.call ?? undefined
  const claim = await claimAnswer(env, ['transfer', channelSid, exten])
  if (claim.kind === 'known') return { kind: 'repeated' }
  if (claim.kind === 'under way') return { kind: 'under way' }
  const call = { callSid: channelSid, caller: leg.caller ?? '', called: leg.called ?? '' }
  return { kind: 'redirect', claim: claim.id, markup: await directory.renderExtension(env, extension.id, call) }
}

function requirePublished(extensions: readonly PublishedExtension[], exten: string): PublishedExtension {
  const extension = extensions.find(({ number }) => number === exten)
  if (extension !== undefined) return extension
  if (extensions.length === 0) throw new Refusal('not-found', NONE_PUBLISHED)
  throw new Refusal(
    'not-found',
    `Extension ${exten} not found. Available extensions: ${extensionList(extensions)}. Please try again with a correct number.`,
  )
}

function failed(cause: unknown): Refusal {
  if (cause instanceof ProviderRefused) {
    return new Refusal('conflict', 'The transfer failed: the call could not be redirected.', { cause })
  }
  return new Refusal('unavailable', 'The transfer is not available right now.', { cause })
}

function transferred(exten: string): object {
  return { message: DONE, exten, say: 'I am connecting you now.' }
}

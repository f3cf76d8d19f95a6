import { type Static, Type } from 'typebox'
import { isRcs, messageWriterOf } from '../../ledger/messages/message-words.ts'
import { optedOutAt } from '../../ledger/messages/opt-out.ts'
import { conversationNumber } from '../../number-plans.ts'
import { toE164 } from '../../phone.ts'
import type { Env } from '../../platform/access/env.ts'
import { method } from '../../platform/model/model.ts'
import { plainText } from '../../written-number.ts'
import { credentialsProblem } from '../sync/readiness.ts'
import { isAnswerable, withoutSeparators } from './answerable.ts'
import { findSmsSender, findWhatsAppSender } from './message-sender.ts'

const Args = Type.Object({
  to: Type.Optional(Type.String({ maxLength: 64, description: 'Who the message goes to.' })),
  from: Type.Optional(
    Type.String({ maxLength: 64, description: 'One of your numbers. Leave empty to choose automatically.' }),
  ),
  message_type: Type.Optional(Type.Union([Type.Literal('sms'), Type.Literal('WhatsApp')])),
})

/** Said before somebody writes what would only be refused. */
export const sendingObstacle = method({
  label: "Why messages can't be sent",
  operation: 'read',
  args: Args,
  reply: Type.Object({
    obstacle: Type.Union([Type.String(), Type.Null()], {
      description: 'The sentence with which `send` refuses every message; null when it would not.',
    }),
    opted_out_at: Type.Union([Type.String(), Type.Null()], {
      description: 'Since when "to" wants no messages from that number of ours (they wrote STOP); null when they do.',
    }),
    cannot_answer: Type.Boolean({
      description:
        'Whether "to" is the name of a sender, a withheld number or no number at all: nothing can be sent to it.',
    }),
  }),
  run: async (env, _ids, args) => ({
    obstacle: credentialsProblem(env.settings)?.message ?? null,
    opted_out_at: (await optOutOf(env, args)) ?? null,
    cannot_answer: isUnanswerable(env, args),
  }),
})

function isUnanswerable({ settings }: Env, { to, message_type: type }: Static<typeof Args>): boolean {
  if (!to?.trim()) return false
  const bare = plainText(to)
  return (
    toE164(messageWriterOf(bare), settings.country) === undefined &&
    !isAnswerable(withoutSeparators(bare), type === 'WhatsApp')
  )
}

async function optOutOf(env: Env, { to, from, message_type: type = 'sms' }: Static<typeof Args>) {
  if (!to?.trim()) return undefined
  const read = (written: string) => {
    const bare = messageWriterOf(plainText(written))
    return toE164(bare, env.settings.country) ?? bare
  }
  const theirs = conversationNumber(read(to))
  const wanted = from?.trim() ? read(from) : undefined
  // An agent of ours on RCS is none of our numbers.
  if (wanted !== undefined && isRcs(wanted)) return optedOutAt(env, { type, ours: wanted, theirs })
  const ours = type === 'sms' ? await findSmsSender(env, theirs, wanted) : await findWhatsAppSender(env, wanted)
  return ours === undefined ? undefined : optedOutAt(env, { type, ours, theirs })
}

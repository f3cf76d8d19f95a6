import { findContactByNumber } from '../../contacts/find-by-number.ts'
import { findOldestByNumber } from '../../contacts/oldest-by-number.ts'
import { Refusal } from '../../errors.ts'
import { toE164 } from '../../phone.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Values } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { lockNumber } from '../calls/lock-ledger.ts'
import type { IncomingMessage } from './incoming-message.ts'
import { findEarlierContact } from './message-rows.ts'

const PHONE_CHARS_MAX = 100

type Sender = Pick<IncomingMessage, 'from' | 'to'>

/** The contact who wrote, as far as that is known. */
export async function findSender(env: Env, { from }: Sender): Promise<number | undefined> {
  const contact = await findContactByNumber(env.db, from, env.settings.country)
  return contact?.id
}

/** The contact who wrote; made with `values` when nobody has that number yet. */
export async function findOrCreateSender(env: Env, sender: Sender, values: Values): Promise<number> {
  const number = toE164(sender.from, env.settings.country)
  // Two first messages of one number at once: the second waits here and then finds the first one's contact.
  lockNumber(env.db, number ?? sender.from)
  const known =
    number === undefined
      ? // A name or a short code is no number to find a contact by; what it wrote before is.
        await findEarlierContact(env.db, sender)
      : await findOldestByNumber(env.db, number)
  return known ?? (await createSender(env, sender.from, values))
}

async function createSender(env: Env, from: string, values: Values): Promise<number> {
  const own = { phone: from.slice(0, PHONE_CHARS_MAX) }
  const partners = records(env, 'res.partner')
  try {
    return only(await partners.create([{ name: from, ...values, ...own }]))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // A mistake in the configuration must not cost the message.
    env.platform.log.warn({ reason: error.message }, 'the default values of a message configuration are not usable')
    return only(await partners.create([{ name: from, ...own }]))
  }
}

function only([id]: readonly number[]): number {
  if (id === undefined) throw new Error('the contact was not created')
  return id
}

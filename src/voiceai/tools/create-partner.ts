import { Type } from 'typebox'
import { findContactById, findContactByNumber } from '../../contacts/find-by-number.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { tool, toolReply } from '../../deliveries/tools/tool.ts'
import { answerOnce } from '../../deliveries/tools/tool-answers.ts'
import { recordId, text } from '../../deliveries/tools/tool-arguments.ts'
import { isEmail } from '../../email-address.ts'
import { Refusal } from '../../errors.ts'
import type { callModel } from '../../ledger/calls/call.ts'
import { requireOwnCall } from '../../ledger/calls/call-reach.ts'
import { lockNumbers } from '../../ledger/calls/lock-ledger.ts'
import { cleanName, nameForAgents } from '../../names.ts'
import { bareAddress, toContactKey } from '../../phone.ts'
import type { Env } from '../../platform/access/env.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { isWithheld } from '../../withheld.ts'

const NAME_CHARS_MAX = 500
/** What agents put where nobody has told them a name; the next caller from that number would be greeted by it. */
const NOBODYS_NAME =
  /^(?:(?:unknown|anonymous|unnamed)(?:[ _-](?:caller|user|customer|person|name))?|n\/a|not (?:given|provided|known)|unbekannt(?:er anrufer)?|anonym)$/i

type CallRow = RowOf<typeof callModel, 'id' | 'caller' | 'called' | 'direction' | 'partner'>

const LOCK_CALL = statement<CallRow, { id: number }>(
  'create_partner_call',
  sql`select id, caller, called, direction, partner from connect_call where id = ${param('id')} for update`,
)

/** Creates a contact for the caller of a call, unless the call or the number has one already. */
export const createPartnerTool = tool({
  path: '/create_partner',
  name: 'create_partner',
  summary: 'Create a contact for the caller',
  description:
    'Saves the caller as a contact. Use it once, after a caller who is not known yet has told you their name. ' +
    'The phone number is taken from the call; never ask for it.',
  timeoutSeconds: 20,
  input: {
    name: text({
      required: 'agent-contact-name-required',
      charsMax: NAME_CHARS_MAX,
      from: { agent: 'Full name of the caller.' },
    }),
    call_id: recordId({ required: 'agent-contact-call-required', from: 'variable' }),
  },
  reply: toolReply({ partner_id: Type.Integer(), message: Type.String() }),
  refuses: [400, 404],
  access: 'write',
  async run(env, { call_id: callId, name: sent }, { named, setSubject }) {
    const name = cleanName(sent)
    setSubject({ call: callId })
    requireOwnCall(env, named, callId)
    return answerOnce(env, ['create_partner', callId, name], async () => {
      const [call] = await env.db.run(LOCK_CALL, { id: callId })
      if (call === undefined) throw new Refusal('not-found', 'agent-no-call-for-contact', { call: callId })
      if (call.partner !== null) return existingContact(env, call.partner)
      return saveCaller(env, call, name)
    })
  },
})

/** Surnames such as Null, Private and Nobody are names; only what cannot be one is none. */
function isName(name: string): boolean {
  return /\p{L}/u.test(name) && !NOBODYS_NAME.test(name) && !isEmail(name)
}

interface Answer {
  partner_id: number
  message: string
  say: string
}

async function saveCaller(env: Env, call: CallRow, name: string): Promise<Answer> {
  const raw = call.direction === 'outgoing' ? call.called : call.caller
  const { country } = env.settings
  const number = toContactKey(raw, country)
  if (number !== undefined) {
    // Two calls of one new caller at once: the second waits here and then finds the first one's contact.
    lockNumbers(env.db, [number])
    const contact = await findContactByNumber(env.db, number, country)
    if (contact !== undefined) {
      await records(env, 'connect.call').write([call.id], { partner: contact.id })
      return existingContact(env, contact.id)
    }
  }
  if (!isName(name)) throw new Refusal('malformed', 'agent-no-name')
  const values = { name, phone: number ?? extensionOf(raw) }
  // The context links the new contact to the call.
  const linking: Env = { ...env, context: { ...env.context, connect_call_id: call.id } }
  const [partnerId] = await records(linking, 'res.partner').create([values])
  if (partnerId === undefined) throw new Error('the contact was not created')
  return {
    partner_id: partnerId,
    message: 'Partner created',
    say: `I have saved your contact as ${nameForAgents(name)}.`,
  }
}

/** A caller inside the house shows an extension; "anonymous", the names of SIP users and zeros alone are no phone numbers. */
function extensionOf(raw: string | null): string | null {
  const address = raw === null ? '' : bareAddress(raw)
  return /^(?=\d*[1-9])\d+$/.test(address) && !isWithheld(address) ? address : null
}

async function existingContact(env: Env, partnerId: number): Promise<Answer> {
  const contact = await findContactById(env.db, partnerId)
  return {
    partner_id: partnerId,
    message: 'Partner already exists',
    say:
      contact === undefined ? 'You are known to us already.' : `You are known to us as ${nameForAgents(contact.name)}.`,
  }
}

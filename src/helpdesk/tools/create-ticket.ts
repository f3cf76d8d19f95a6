import { Type } from 'typebox'
import { isReadableNumber } from '../../contacts/number-check.ts'
import { type ToolUse, tool, toolReply } from '../../deliveries/tools/tool.ts'
import { answerEachOnce } from '../../deliveries/tools/tool-answers.ts'
import { recordId, TEXT_CHARS_MAX, text } from '../../deliveries/tools/tool-arguments.ts'
import { bareEmail, isEmail } from '../../email-address.ts'
import { Refusal } from '../../errors.ts'
import { patternToFold } from '../../folded-text.ts'
import { findCaller, findReach, requireOwnCall } from '../../ledger/calls/call-reach.ts'
import { cleanName } from '../../names.ts'
import { toContactKey } from '../../phone.ts'
import type { ReadEnv } from '../../platform/access/env.ts'
import { gatheredWork } from '../../platform/access/gathered-work.ts'
import { escapeLike } from '../../platform/records/condition.ts'
import { isWithheld } from '../../withheld.ts'
import { createTicketsForCalls, type TicketForCall } from '../tickets/create-ticket.ts'

/** What a ticket is called when the agent gave no subject (docs/reference/contract.md#helpdesk-tools). */
const SUBJECT_DEFAULT = 'Ticket from phone call'

/** Creates a ticket for a call; the same call asking for the same within 90 seconds gets the first one. */
export const createTicketTool = tool({
  path: '/create_ticket',
  name: 'helpdesk_create_ticket',
  summary: 'Create a ticket',
  description:
    'Creates a support ticket for the caller. Search first, confirm the details, then tell the ticket number.',
  timeoutSeconds: 20,
  input: {
    subject: text({
      default: SUBJECT_DEFAULT,
      isCut: true,
      isWorded: true,
      from: { agent: 'The problem in one short sentence.', isAlwaysAsked: true },
    }),
    description: text({
      charsMax: TEXT_CHARS_MAX,
      isCut: true,
      from: { agent: 'Everything the caller said about it.' },
    }),
    team_name: text({ isCut: true, from: { agent: 'Name of the team that should take care of it.' } }),
    // An unknown or unreadable contact counts as none: the call's own contact is taken then.
    partner_id: recordId({ isLenient: true, from: 'variable' }),
    call_id: recordId({ required: 'agent-ticket-call-required', from: 'variable' }),
    email: text({ isCut: true }),
    phone: text({ isCut: true }),
  },
  reply: toolReply({
    ticket_id: Type.Integer(),
    ticket_number: Type.Integer(),
    ticket_name: Type.String(),
    message: Type.String(),
  }),
  refuses: [400, 404],
  access: 'gathered',
  async run(env, args, { named, setSubject }) {
    const callId = args.call_id
    setSubject({ call: callId })
    requireOwnCall(env, named, callId)
    const { team_name: team, phone, partner_id: contact, subject, description, email } = args
    const { unreadable, ...reached } = readReached({ email, phone }, env.settings.country)
    if (unreadable.length > 0) setSubject({ remark: remarkOn(unreadable) })
    const ticket = {
      call_id: callId,
      ...(await contactsOf(env, { sent: contact, callId, named })),
      name: subject,
      description: withUnreadable(description, unreadable),
      team: team ?? null,
      team_like: team === undefined ? null : patternToFold(`%${escapeLike(team)}%`),
      team_prefix: team === undefined ? null : patternToFold(`${escapeLike(team)}%`),
      email: reached.email ?? null,
      phone: reached.phone ?? null,
      phone_e164: toContactKey(reached.phone, env.settings.country) ?? null,
      create_uid: env.identity.userId,
    }
    const asked = ['create_ticket', callId, contact, subject, description, team, email, phone]
    const created = await createTogether(env, { asked, ticket })
    if (created === undefined) throw new Refusal('not-found', 'agent-no-call-for-ticket', { call: callId })
    return created
  },
})

interface Wanted {
  /** The arguments as they came: who the caller is, and so what becomes of them, may change before they come again. */
  asked: readonly unknown[]
  ticket: TicketForCall
}

/** Of those who ask at the same time, all together. */
const createTogether = gatheredWork(charsOf, (env, wanted: readonly Wanted[]) =>
  answerEachOnce(env, { wanted, askedOf: ({ asked }) => asked }, async (fresh) => {
    const tickets = await createTicketsForCalls(
      env.db,
      fresh.map(({ ticket }) => ticket),
    )
    return tickets.map((ticket) => ticket && created(ticket))
  }),
)

function charsOf({ asked }: Wanted): number {
  return asked.join('').length
}

function created({ id, name }: { id: number; name: string }) {
  return {
    ticket_id: id,
    ticket_number: id,
    ticket_name: cleanName(name),
    message: 'Ticket created successfully',
    say: `I have created ticket number ${id}.`,
  }
}

/** How a caller is reached, as far as it can be read, and what cannot be read. */
interface Reached {
  email: string | undefined
  phone: string | undefined
  unreadable: readonly { what: 'e-mail address' | 'phone number'; written: string }[]
}

/** What nobody can read is no address and no number of the ticket; the caller's words are not lost. */
function readReached(
  { email: sentEmail, phone: sentPhone }: Record<'email' | 'phone', string | undefined>,
  country: string | undefined,
): Reached {
  const email = sentEmail === undefined ? undefined : bareEmail(sentEmail)
  const [hasEmail, hasPhone] = [email !== undefined && isEmail(email), isReadableNumber(sentPhone ?? '', country)]
  return {
    email: hasEmail ? email : undefined,
    phone: hasPhone ? sentPhone : undefined,
    unreadable: [
      ...(hasEmail || sentEmail === undefined ? [] : [{ what: 'e-mail address' as const, written: sentEmail }]),
      ...(hasPhone || sentPhone === undefined || isWithheld(sentPhone)
        ? []
        : [{ what: 'phone number' as const, written: sentPhone }]),
    ],
  }
}

function withUnreadable(description: string | undefined, unreadable: Reached['unreadable']): string | null {
  const lines = unreadable.map(({ what, written }) => `${what === 'phone number' ? 'Phone' : 'E-mail'}: ${written}`)
  const all = [description, ...lines].filter((line) => line !== undefined)
  return all.length === 0 ? null : all.join('\n')
}

function remarkOn(unreadable: Reached['unreadable']): string {
  return unreadable
    .map(({ what }) => `The ${what} could not be read, and was added to the description of the ticket.`)
    .join(' ')
}

/**
 * The contact that was sent, and the caller's, whom a ticket is for without one; where the platform names the call, a contact that
 * is not the caller's counts as none.
 */
async function contactsOf(
  env: ReadEnv,
  { sent, callId, named }: { sent: number | undefined; callId: number; named: ToolUse['named'] },
): Promise<Pick<TicketForCall, 'partner_id' | 'caller_id'>> {
  const isByHeader = named?.isByHeader === true
  const [reach, caller] = await Promise.all([
    isByHeader ? findReach(env, named) : undefined,
    findCaller(env, { id: callId, isByHeader }),
  ])
  const isStrange = sent !== undefined && reach?.contacts.includes(sent) === false
  return { partner_id: isStrange ? null : (sent ?? null), caller_id: caller?.contact ?? null }
}

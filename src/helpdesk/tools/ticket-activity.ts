import { Type } from 'typebox'
import { sharingLookUps } from '../../database/gathered.ts'
import type { NamedCall } from '../../deliveries/tools/named-call.ts'
import { tool, toolReply } from '../../deliveries/tools/tool.ts'
import { answerEachOnce } from '../../deliveries/tools/tool-answers.ts'
import { text } from '../../deliveries/tools/tool-arguments.ts'
import { Refusal } from '../../errors.ts'
import { findAgentOfCall, findReach } from '../../ledger/calls/call-reach.ts'
import type { Env } from '../../platform/access/env.ts'
import { gatheredWork } from '../../platform/access/gathered-work.ts'
import { messagePosts } from '../../platform/chatter/chatter.ts'
import { saysNothing } from '../../platform/chatter/html-to-text.ts'
import { NOTE_BYTES_MAX } from '../../platform/chatter/note-size.ts'
import { lockTickets } from '../tickets/update-ticket.ts'
import { requireReached, ticketId } from './reach.ts'

/** Posts a note as a comment; the same note on the same ticket within 90 seconds is posted once in each call. */
export const ticketActivityTool = tool({
  path: '/ticket_activity',
  name: 'helpdesk_ticket_activity',
  summary: 'Post a note on a ticket',
  description: 'Adds a note to a ticket, for example what was said in this call.',
  timeoutSeconds: 20,
  input: {
    ticket_id: ticketId,
    note: text({
      required: 'agent-note-required',
      bytesMax: NOTE_BYTES_MAX,
      isCut: true,
      from: { agent: 'The text of the note.' },
    }),
  },
  reply: toolReply({ message: Type.String(), ticket_id: Type.Integer() }),
  refuses: [400, 404],
  access: 'gathered',
  async run(env, { ticket_id: id, note }, { named, setSubject }) {
    if (saysNothing(note)) throw new Refusal('refused', 'agent-note-required')
    const { call, posted } = await postTogether(env, { id, note, named })
    setSubject({ call })
    if (posted instanceof Refusal) throw posted
    return posted
  },
})

interface Note {
  id: number
  note: string
  named: NamedCall | undefined
}

/** Of those who ask at the same time, all together. A note on a ticket that its call does not reach is refused. */
const postTogether = gatheredWork(charsOf, async (env, notes: readonly Note[]) => {
  const tickets = await lockTickets(
    env.db,
    notes.map(({ id }) => id),
  )
  // With the tickets locked, as in `lockReachedTicket`.
  const reading = { ...env, db: sharingLookUps(env.db) }
  const [reaches, agents] = await Promise.all([
    Promise.all(notes.map(({ named }) => findReach(reading, named))),
    Promise.all(notes.map(({ named }) => findAgentOfCall(reading, named))),
  ])
  // Before answers are looked up: one that is known must not say what another call did.
  const refused = notes.map(({ id }, at) => refusalOf(() => requireReached(reaches[at], id, tickets.get(id))))
  const wanted = notes
    .map((note, at) => ({ ...note, agent: agents[at] }))
    .filter((_each, at) => refused[at] === undefined)
  // Two callers may say the same within a minute.
  const askedOf = ({ id, note, named }: Note) => [
    'ticket_activity',
    id,
    note,
    ...(named?.id === undefined ? [] : [named.id]),
  ]
  const answers = await answerEachOnce(env, { wanted, askedOf }, (fresh) => post(env, fresh))
  const left = answers.values()
  return reaches.map((reach, at) => {
    const posted = refused[at] ?? left.next().value ?? new Refusal('not-found', 'agent-ticket-not-found')
    return { call: reach?.call, posted }
  })
})

function charsOf({ note }: Note): number {
  return note.length
}

async function post(env: Env, notes: readonly (Note & { agent: string | undefined })[]) {
  const model = 'helpdesk.ticket'
  await messagePosts(
    env,
    notes.map(({ id, note: text, agent: authorName }) => ({
      ...{ model, id, text, authorName },
      ...({ type: 'comment', subtype: 'comment' } as const),
    })),
  )
  return notes.map(({ id }) => ({
    message: 'Note added to ticket successfully',
    ticket_id: id,
    say: `I have added the note to ticket number ${id}.`,
  }))
}

/** The refusal that it ends with; undefined when it passes. Throws everything else. */
function refusalOf(check: () => void): Refusal | undefined {
  try {
    check()
    return undefined
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown
    throw thrown
  }
}

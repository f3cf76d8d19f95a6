import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { answerOnce } from '../../deliveries/tools/tool-answers.ts'
import {
  requireIdArgument,
  requireTextArgument,
  TEXT_CHARS_MAX,
  textArgument,
} from '../../deliveries/tools/tool-arguments.ts'
import { type ToolArguments, ToolRefusal, type ToolUse } from '../../deliveries/tools/tool-table.ts'
import { Refusal } from '../../errors.ts'
import { findReach } from '../../ledger/calls/call-reach.ts'
import type { Env } from '../../platform/access/env.ts'
import { messagePost } from '../../platform/chatter/chatter.ts'
import { told } from '../../platform/records/told.ts'
import { PRIORITIES } from '../tickets/ticket.ts'
import { requireReached } from './reach.ts'

interface Changes {
  name: string | null
  description: string | null
  priority: string | null
  stage_id: number | null
}

interface LockedTicket {
  id: number
  team_id: number | null
  partner_id: number | null
  made_in_call: number | null
}

const LOCK = statement<LockedTicket, { ticket_id: number }>(
  'helpdesk_ticket_lock',
  sql`select id, team_id, partner_id, made_in_call from helpdesk_ticket where id = ${param('ticket_id')} for update`,
)
const STAGES = statement<{ id: number; name: string; is_own: boolean }, { team_id: number | null }>(
  'helpdesk_stage_list',
  sql`select s.id, s.name, (r.team_id is not null) as is_own from helpdesk_stage s
      left join helpdesk_stage_team_rel r on r.stage_id = s.id and r.team_id = ${param('team_id')}::bigint
      order by (r.team_id is null), s.sequence, s.id`,
)
const UPDATE = statement<{ id: number }, Changes & { ticket_id: number }>(
  'helpdesk_ticket_update',
  sql`with changed as (
        update helpdesk_ticket set name = coalesce(${param('name')}::text, name),
          description = coalesce(${param('description')}::text, description),
          priority = coalesce(${param('priority')}::text, priority),
          stage_id = coalesce(${param('stage_id')}::bigint, stage_id), write_date = now() at time zone 'utc'
        where id = ${param('ticket_id')} returning id
      )
      select changed.id from changed,
        lateral (select ${told('helpdesk.ticket', sql`changed.id`)}) told`,
)

/** Changes what was sent of a ticket; a call that changes nothing, or names an unknown stage, writes nothing. */
export async function updateTicket(env: Env, args: ToolArguments, use: ToolUse): Promise<object> {
  const ticketId = requireIdArgument(args, 'ticket_id', 'Ticket ID is required')
  const ticket = await lockTicket(env, ticketId, use)
  const changes = await readChanges(env, ticket.team_id, args)
  if (Object.values(changes).every((value) => value === null)) {
    const message = 'No updates provided'
    throw new ToolRefusal('malformed', `${message}: say what is to change.`, { message, ticket_id: ticketId })
  }
  await env.db.run(UPDATE, { ...changes, ticket_id: ticketId })
  return { message: 'Ticket updated successfully', ticket_id: ticketId, say: `Ticket number ${ticketId} is updated.` }
}

/** Posts a note as a comment; the same note on the same ticket within 90 seconds is posted once. */
export async function addTicketNote(env: Env, args: ToolArguments, use: ToolUse): Promise<object> {
  const ticketId = requireIdArgument(args, 'ticket_id', 'Ticket ID is required')
  const note = requireTextArgument(args, 'note', 'Note content is required', TEXT_CHARS_MAX)
  // Before the answer is looked up: one that is known must not tell what another call did.
  await lockTicket(env, ticketId, use)
  return answerOnce(env, ['ticket_activity', ticketId, note], async () => {
    await messagePost(env, { model: 'helpdesk.ticket', id: ticketId, text: note, type: 'comment', subtype: 'comment' })
    const say = `I have added the note to ticket number ${ticketId}.`
    return { message: 'Note added to ticket successfully', ticket_id: ticketId, say }
  })
}

/** The ticket, locked, when the call that is named reaches it. */
async function lockTicket(env: Env, id: number, { named, about }: ToolUse): Promise<LockedTicket> {
  const reach = await findReach(env, named)
  about.call = reach?.call
  const [ticket] = await env.db.run(LOCK, { ticket_id: id })
  return requireReached(reach, id, ticket)
}

async function readChanges(env: Env, teamId: number | null, args: ToolArguments): Promise<Changes> {
  const stageName = textArgument(args, 'stage_name')
  return {
    name: textArgument(args, 'subject') ?? null,
    description: textArgument(args, 'description', TEXT_CHARS_MAX) ?? null,
    priority: readPriority(args),
    stage_id: stageName === undefined ? null : await findStage(env, teamId, stageName),
  }
}

function readPriority(args: ToolArguments): string | null {
  const priority = textArgument(args, 'priority')
  if (priority === undefined) return null
  if (PRIORITIES.some(([value]) => value === priority)) return priority
  const allowed = PRIORITIES.map(([value, label]) => `${value} (${label})`).join(', ')
  throw new Refusal('malformed', `The priority must be one of ${allowed}.`)
}

async function findStage(env: Env, teamId: number | null, wanted: string): Promise<number> {
  const stages = await env.db.run(STAGES, { team_id: teamId })
  const stage = chooseStage(stages, wanted)
  if (stage !== undefined) return stage.id
  const names = [...new Set(stages.map((each) => each.name))].join(', ')
  throw new Refusal('malformed', `There is no stage "${wanted}". The stages are: ${names}.`)
}

/** The stage meant by a name, ignoring case: exact before beginning before containing, the team's own first. */
export function chooseStage<Stage extends { name: string; is_own: boolean }>(
  stages: readonly Stage[],
  wanted: string,
): Stage | undefined {
  const text = wanted.toLowerCase()
  const ways: ((name: string) => boolean)[] = [
    (name) => name === text,
    (name) => name.startsWith(text),
    (name) => name.includes(text),
  ]
  for (const isOwn of [true, false]) {
    for (const isMeant of ways) {
      const found = stages.find((stage) => stage.is_own === isOwn && isMeant(stage.name.toLowerCase()))
      if (found !== undefined) return found
    }
  }
  return undefined
}

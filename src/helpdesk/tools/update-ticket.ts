import { Type } from 'typebox'
import { tool, toolReply } from '../../deliveries/tools/tool.ts'
import { TEXT_CHARS_MAX, text } from '../../deliveries/tools/tool-arguments.ts'
import { Refusal } from '../../errors.ts'
import { asAgent } from '../../ledger/calls/call-reach.ts'
import { nameForAgents } from '../../names.ts'
import type { Env } from '../../platform/access/env.ts'
import { PRIORITIES } from '../tickets/ticket.ts'
import { chooseStage, listStages, updateTicket } from '../tickets/update-ticket.ts'
import { lockReachedTicket, ticketId } from './reach.ts'

/** Changes what was sent of a ticket; a call that changes nothing, or names an unknown stage, writes nothing. */
export const updateTicketTool = tool({
  path: '/update_ticket',
  name: 'helpdesk_update_ticket',
  summary: 'Change a ticket',
  description: 'Changes a ticket. Confirm the change with the caller first and pass only what changes.',
  timeoutSeconds: 20,
  input: {
    ticket_id: ticketId,
    subject: text({ isCut: true, isWorded: true, from: { agent: 'New subject.' } }),
    description: text({ charsMax: TEXT_CHARS_MAX, isCut: true, from: { agent: 'New description.' } }),
    priority: text({ from: { agent: 'One of 0 (Low), 1 (Medium), 2 (High), 3 (Urgent).' } }),
    stage_name: text({
      from: { agent: 'Name of the stage: Inbox, In Progress, On Hold, Resolved or Closed.' },
    }),
  },
  reply: toolReply({ message: Type.String(), ticket_id: Type.Integer() }),
  refuses: [400, 404],
  refusalExtra: { message: Type.String(), ticket_id: Type.Integer() },
  access: 'write',
  async run(env, args, use) {
    const id = args.ticket_id
    const ticket = await lockReachedTicket(env, id, use)
    const stageName = args.stage_name
    const changes = {
      name: args.subject ?? null,
      description: args.description ?? null,
      priority: checkPriority(args.priority),
      stage_id: stageName === undefined ? null : await findStage(env, ticket.team_id, stageName),
    }
    if (Object.values(changes).every((value) => value === null)) {
      const details = { message: 'No updates provided', ticket_id: id }
      throw new Refusal('malformed', 'agent-no-updates', {}, { details })
    }
    await updateTicket(await asAgent(env, use.named), id, changes)
    return { message: 'Ticket updated successfully', ticket_id: id, say: `Ticket number ${id} is updated.` }
  },
})

function checkPriority(priority: string | undefined): (typeof PRIORITIES)[number][0] | null {
  if (priority === undefined) return null
  // "2.0" is what a sender that keeps every number as a float makes of 2.
  const level = priority.replace(/\.0{1,9}$/, '')
  const known = PRIORITIES.find(([value]) => value === level)
  if (known !== undefined) return known[0]
  const allowed = PRIORITIES.map(([value, label]) => `${value} (${label})`).join(', ')
  throw new Refusal('malformed', 'agent-priority', { allowed })
}

async function findStage(env: Env, teamId: number | null, wanted: string): Promise<number> {
  const stages = await listStages(env.db, teamId)
  const stage = chooseStage(stages, wanted)
  if (stage !== undefined) return stage.id
  const names = [...new Set(stages.map((each) => nameForAgents(each.name)))].join(', ')
  throw new Refusal('malformed', 'agent-stage', { wanted, names })
}

import { Type } from 'typebox'
import { FlagArgument, IdArgument, toolArguments, toolReply } from '../../deliveries/tools/tool-shapes.ts'
import type { ToolDescription } from '../../deliveries/tools/tool-table.ts'

const Text = Type.String()
const Summary = {
  ticket_id: Type.Integer(),
  ticket_name: Text,
  stage: Text,
  create_date: Text,
  description: Text,
}
const Done = toolReply({ message: Text, ticket_id: Type.Integer() })

/** What the helpdesk tools take and answer, by path (docs/reference/contract.md#helpdesk-tools). */
export const HELPDESK_SHAPES = {
  '/create_ticket': {
    summary: 'Create a ticket',
    arguments: toolArguments(
      { call_id: IdArgument() },
      {
        subject: Text,
        description: Text,
        team_name: Text,
        partner_id: IdArgument(),
        email: Text,
        phone: Text,
      },
    ),
    reply: toolReply({
      ticket_id: Type.Integer(),
      ticket_number: Type.Integer(),
      ticket_name: Text,
      message: Text,
    }),
  },
  '/search_tickets': {
    summary: 'Tickets of a contact',
    arguments: toolArguments({ partner_id: IdArgument() }, { only_open: FlagArgument() }),
    reply: toolReply({ tickets: Type.Array(Type.Object(Summary)), message: Type.Optional(Text) }),
  },
  '/fetch_ticket': {
    summary: 'One ticket',
    arguments: toolArguments({ ticket_id: IdArgument() }),
    reply: toolReply({
      ...Summary,
      partner_name: Text,
      partner_email: Text,
      partner_phone: Text,
      team: Text,
      assigned_user: Text,
      priority: Text,
    }),
  },
  '/update_ticket': {
    summary: 'Change a ticket',
    arguments: toolArguments(
      { ticket_id: IdArgument() },
      { subject: Text, description: Text, priority: Text, stage_name: Text },
    ),
    reply: Done,
  },
  '/ticket_activity': {
    summary: 'Post a note on a ticket',
    arguments: toolArguments({ ticket_id: IdArgument(), note: Text }),
    reply: Done,
  },
} satisfies Record<string, ToolDescription>

import { Type } from 'typebox'
import { IdArgument, toolArguments, toolReply } from '../../deliveries/tools/tool-shapes.ts'
import type { ToolDescription } from '../../deliveries/tools/tool-table.ts'

const Text = Type.String()
const Zone = Type.String({ description: 'A name such as Europe/Zurich, or an offset from UTC in hours.' })
const Status = { status: Type.Integer(), detail: Text }
const Meeting = Type.Object({
  id: Type.Integer(),
  name: Text,
  start: Text,
  stop: Text,
  user_id: Type.Union([
    { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }], minItems: 2, maxItems: 2 },
    Type.Null(),
  ]),
  location: Text,
  description: Text,
})

/** What the voice agent's tools take and answer, by path (docs/reference/contract.md#voice-agent-webhooks). */
export const VOICEAI_SHAPES = {
  '/transfer': {
    summary: 'Transfer the live call to a published extension',
    arguments: toolArguments({ channel_sid: Text, exten: Type.Union([Text, Type.Integer()]) }),
    reply: toolReply({ message: Text, exten: Text }),
  },
  '/create_partner': {
    summary: 'Create a contact for the caller',
    arguments: toolArguments({ call_id: IdArgument(), name: Text }),
    reply: toolReply({ partner_id: Type.Integer(), message: Text }),
  },
  '/get_available_slots': {
    summary: 'Free slots of a day',
    arguments: toolArguments(
      { user_id: IdArgument() },
      { start: Type.String({ description: 'The day, written YYYY-MM-DD.' }), timezone: Zone },
    ),
    reply: toolReply({ slots: Type.Array(Type.Object({ start: Text, stop: Text })), timezone: Text }),
  },
  '/create_event': {
    summary: 'Book a meeting',
    arguments: toolArguments(
      {
        user_id: IdArgument(),
        start: Type.String({ description: 'Local time, written YYYY-MM-DD HH:MM:SS.' }),
        stop: Type.String({ description: 'Local time, written YYYY-MM-DD HH:MM:SS.' }),
      },
      { name: Text, timezone: Zone, call_id: IdArgument(), partner_id: IdArgument() },
    ),
    reply: toolReply({ ...Status, event_id: Type.Integer() }),
  },
  '/get_current_date': {
    summary: 'Current date and time',
    arguments: toolArguments({}),
    reply: toolReply({ current_date: Text, timezone: Text }),
  },
  '/get_meetings': {
    summary: 'Meetings of a contact',
    arguments: toolArguments({ partner_id: IdArgument() }),
    reply: toolReply({ status: Type.Integer(), meetings: Type.Array(Meeting) }),
  },
  '/remove_meeting': {
    summary: 'Cancel a meeting',
    arguments: toolArguments({ event_id: IdArgument() }, { call_id: IdArgument(), partner_id: IdArgument() }),
    reply: toolReply(Status),
  },
} satisfies Record<string, ToolDescription>

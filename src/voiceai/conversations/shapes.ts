import { Type } from 'typebox'
import type { RowDescription } from '../../deliveries/webhooks/webhook-table.ts'
import { jsonBody } from '../../platform/api/api-operation.ts'
import { DYNAMIC_VARIABLES } from './dynamic-variables.ts'

const Text = Type.Optional(Type.String())

/**
 * What the platform asks before a conversation (docs/reference/providers.md#conversation-initiation); every field is
 * read on its own.
 */
export const INITIATION_SHAPE: RowDescription = {
  summary: 'Dynamic variables for a conversation that opens',
  request: Type.Object(
    {
      caller_id: Text,
      agent_id: Text,
      called_number: Text,
      call_sid: Text,
      conversation_id: Text,
      sip_headers: Type.Optional(Type.Unknown()),
    },
    { additionalProperties: true },
  ),
  reply: jsonBody(
    Type.Object({
      type: Type.Literal('conversation_initiation_client_data'),
      dynamic_variables: Type.Object(Object.fromEntries(DYNAMIC_VARIABLES.map((name) => [name, Type.String()])), {
        additionalProperties: Type.String(),
      }),
      conversation_config_override: Type.Optional(Type.Object({ agent: Type.Object({ language: Type.String() }) })),
    }),
  ),
}

/** What the platform reports after a conversation (docs/reference/providers.md#post-call-deliveries). */
export const POST_CALL_SHAPE: RowDescription = {
  summary: 'What a conversation was, after it ended',
  request: Type.Object(
    {
      type: Type.Optional(
        Type.String({ description: 'post_call_transcription, post_call_audio or call_initiation_failure' }),
      ),
      event_timestamp: Type.Optional(Type.Integer()),
      data: Type.Optional(
        Type.Object(
          {
            agent_id: Text,
            conversation_id: Text,
            transcript: Type.Optional(Type.Array(Type.Unknown())),
            full_audio: Type.Optional(Type.String({ description: 'Base64.' })),
            failure_reason: Text,
            metadata: Type.Optional(Type.Object({}, { additionalProperties: true })),
            analysis: Type.Optional(Type.Object({}, { additionalProperties: true })),
          },
          { additionalProperties: true },
        ),
      ),
    },
    { additionalProperties: true },
  ),
  reply: { contentType: 'text/plain', schema: Type.Literal('') },
}

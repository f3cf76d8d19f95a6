import { audioOf } from '../rest/conversations.ts'
import type { Json } from '../rest/schemas.ts'
import type { Workspace } from '../workspace.ts'
import { conversationRecord } from './conversation-record.ts'
import type { PostCall } from './post-call.ts'

/** Keeps a conversation that is over, and delivers it and its sound. */
export function finishConversation(
  { workspace, postCall }: { workspace: Workspace; postCall: PostCall },
  facts: Parameters<typeof conversationRecord>[0],
): void {
  const record = conversationRecord(facts)
  const { agent_id: agentId, conversation_id: conversationId } = record
  workspace.conversations.set(conversationId, record as unknown as Json)
  postCall.deliver('post_call_transcription', record)
  if (!record.has_audio) return
  const audio = { agent_id: agentId, conversation_id: conversationId, full_audio: audioOf(record).toString('base64') }
  postCall.deliver('post_call_audio', audio)
}

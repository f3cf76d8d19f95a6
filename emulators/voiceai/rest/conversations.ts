import { mp3File } from '../../audio.ts'
import { type HttpReply, type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import type { ConversationRecord } from '../conversation/conversation-record.ts'
import type { Workspace } from '../workspace.ts'
import { notFound } from './api-error.ts'
import { cursorPage } from './pages.ts'

/** Conversations that are over, and their audio. */
export function conversationRoutes(workspace: Workspace): HttpRoute[] {
  const find = ({ params }: HttpRequest): ConversationRecord => {
    const conversation = workspace.conversations.get(params.id ?? '')
    if (conversation === undefined) throw notFound('conversation', params.id ?? '')
    return conversation as unknown as ConversationRecord
  }
  const path = '/v1/convai/conversations'
  return [
    { method: 'GET', path, handle: (request) => list(workspace, request) },
    { method: 'GET', path: `${path}/:id`, handle: (request) => jsonReply(200, find(request)) },
    {
      method: 'GET',
      path: `${path}/:id/audio`,
      handle(request) {
        const conversation = find(request)
        if (!conversation.has_audio) throw notFound('audio', conversation.conversation_id)
        return { status: 200, headers: { 'content-type': 'audio/mpeg' }, body: audioOf(conversation) }
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:id`,
      handle(request) {
        workspace.conversations.delete(find(request).conversation_id)
        return jsonReply(200, {})
      },
    },
  ]
}

function list(workspace: Workspace, request: HttpRequest): HttpReply {
  const { query } = request
  const agentId = query.get('agent_id')
  const since = Number(query.get('call_start_after_unix') ?? 0)
  const until = Number(query.get('call_start_before_unix') ?? Number.MAX_SAFE_INTEGER)
  const found = [...workspace.conversations.values()]
    .map((each) => each as unknown as ConversationRecord)
    .filter(({ agent_id: id }) => agentId === null || id === agentId)
    .filter(({ metadata }) => metadata.start_time_unix_secs >= since && metadata.start_time_unix_secs <= until)
    .reverse()
    .map((each) => ({
      agent_id: each.agent_id,
      agent_name: each.agent_name,
      conversation_id: each.conversation_id,
      start_time_unix_secs: each.metadata.start_time_unix_secs,
      call_duration_secs: each.metadata.call_duration_secs,
      message_count: each.transcript.length,
      status: each.status,
      call_successful: each.analysis?.call_successful ?? 'unknown',
    }))
  return cursorPage(request, found, { key: 'conversations' })
}

/** The conversation as one sound file; everything that was said is in it. */
export function audioOf({ transcript, metadata }: ConversationRecord): Buffer {
  const words = transcript.flatMap(({ role, message }) => (message === null ? [] : [`${role}: ${message}`])).join('\n')
  return mp3File({ seconds: metadata.call_duration_secs, words })
}

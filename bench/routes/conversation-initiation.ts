import { agentHeaders, type BenchRoute, legSid, phoneNumber, spread } from '../route.ts'

/** What a voice agent is told before it speaks: the call, its contact, what was said before, who can be reached. */
export const conversationInitiation: BenchRoute = {
  name: 'conversation_initiation',
  path: '/connect_voiceai/conversation_initiation',
  writes: {},
  request(n, loaded) {
    const call = spread(n, loaded.calls)
    return {
      headers: agentHeaders(loaded),
      body: JSON.stringify({
        caller_id: phoneNumber(call % loaded.contacts),
        agent_id: 'agent_bench',
        called_number: '+41440000000',
        call_sid: legSid(call),
        conversation_id: `conv_initiation_${n}`,
      }),
    }
  },
}

import { createHmac } from 'node:crypto'
import { type BenchRoute, legSid, phoneNumber, spread } from '../route.ts'

/** Legs that telephony has not logged, so that each delivery makes a call of its own. */
const UNKNOWN_LEG = 1_000_000_000
const MS_PER_SECOND = 1_000

/** A transcript: kept and committed first, then worked into one call and one recording in a second transaction. */
export const postCall: BenchRoute = {
  name: 'post_call',
  path: '/connect_voiceai/post_call',
  writes: { connect_inbox: 1, connect_call: 1, connect_recording: 1 },
  request(n, loaded) {
    const body = JSON.stringify(delivery(n, phoneNumber(spread(n, loaded.contacts))))
    const time = Math.floor(Date.now() / MS_PER_SECOND)
    const signature = createHmac('sha256', loaded.postCallSecret).update(`${time}.${body}`).digest('hex')
    return {
      headers: { 'content-type': 'application/json', 'voiceai-signature': `t=${time},v0=${signature}` },
      body,
    }
  },
}

function delivery(n: number, caller: string): object {
  return {
    type: 'post_call_transcription',
    event_timestamp: 1_759_931_652,
    data: {
      agent_id: 'agent_bench',
      agent_name: 'Reception',
      conversation_id: `conv_bench_${n}`,
      status: 'done',
      transcript: TURNS,
      metadata: {
        start_time_unix_secs: Math.floor(Date.now() / MS_PER_SECOND),
        call_duration_secs: 50,
        cost: 296,
        termination_reason: 'client ended',
        phone_call: {
          type: 'twilio',
          direction: 'inbound',
          agent_number: '+41440000000',
          external_number: caller,
          call_sid: legSid(UNKNOWN_LEG + n),
        },
      },
      analysis: { call_successful: 'success', transcript_summary: 'The caller reported that the heating is cold.' },
      conversation_initiation_client_data: { dynamic_variables: {} },
    },
  }
}

/** A conversation of usual length, about four kilobytes. */
const TURNS = Array.from({ length: 16 }, (_, turn) => ({
  role: turn % 2 === 0 ? 'agent' : 'user',
  message:
    turn % 2 === 0
      ? 'I am sorry to hear that. Could you tell me what the display shows, and since when it has been like this?'
      : 'It says E 12, and it has been cold since last night. We have switched it off and on again, but it stays so.',
  tool_calls: null,
  tool_results: null,
  time_in_call_secs: turn * 3,
}))

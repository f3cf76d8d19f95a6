import { sql } from '../database/drizzle.ts'

// For statements of other rooms: what answering a call reads of the voice-agent area, in the same round trip.

/** The voice agents, as routing needs them. */
export const VOICE_AGENTS = sql`(select id, name, agent_uid, connect_method, language, fallback_exten, fallback_message
  from connect_voiceai_agent)`

/** The speech that was generated from texts; `file` is the audio. */
export const GENERATED_SPEECH = sql`(select id, text, filename, file from connect_voiceai_file)`

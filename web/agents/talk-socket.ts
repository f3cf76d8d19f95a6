/** Who said something in a conversation that somebody tries an agent with. */
export type Speaker = 'agent' | 'caller'

/** What happens in such a conversation. */
export interface TalkEvents {
  began(): void
  said(speaker: Speaker, words: string): void
  /** The agent was interrupted: this is what it really said. */
  corrected(words: string): void
  used(tool: string, hasFailed: boolean): void
  /** Once; without a reason when the agent ended it, with an empty one when the connection was lost. */
  ended(reason: string | undefined): void
}

/** A conversation that is open, or about to be. */
export interface Talking {
  say(words: string): void
  close(): void
}

/** A microphone, and what is heard of the agent; sound is 16-bit samples in base64. */
export interface Sound {
  /** Passes on what the microphone hears. */
  heard(listener: (base64: string) => void): void
  play(base64: string): void
  /** What was not played yet is not played any more. */
  hush(): void
  close(): void
}

/** Which the platform's conversations speak (`MAIN_PROTOCOL` of @elevenlabs/client 1.25.0). */
const PROTOCOL = 'convai'
const NORMAL = 1000

/**
 * Talks by text, and with sound by voice too, over the platform's own WebSocket (its AsyncAPI: @elevenlabs/types 0.23.0). The opening goes first, in any case:
 * with it the tools of the copy know that nothing of what they do is kept.
 */
export function openTalk(url: string, opening: unknown, events: TalkEvents, sound?: Sound): Talking {
  const socket = new WebSocket(url, PROTOCOL)
  let interrupted = 0
  const play = ({ type, audio_event: audio, interruption_event: interruption }: PlatformEvent): void => {
    if (type === 'interruption') {
      interrupted = interruption?.event_id ?? interrupted
      sound?.hush()
    }
    // What was on its way when the caller began to speak.
    const isLate = (audio?.event_id ?? 0) < interrupted
    if (type === 'audio' && audio?.audio_base_64 && !isLate) sound?.play(audio.audio_base_64)
  }
  const send = (message: unknown): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }
  socket.addEventListener('open', () => send(opening))
  socket.addEventListener('message', ({ data }) => {
    const event = readEvent(String(data))
    if (event.type === 'ping') send({ type: 'pong', event_id: event.ping_event?.event_id })
    tell(event, events)
    if (sound === undefined) return
    if (event.type === 'conversation_initiation_metadata') sound.heard((chunk) => send({ user_audio_chunk: chunk }))
    play(event)
  })
  socket.addEventListener('close', ({ code, reason }) => {
    sound?.close()
    events.ended(code === NORMAL ? undefined : reason)
  })
  return {
    say(words) {
      send({ type: 'user_message', text: words })
      events.said('caller', words)
    },
    close() {
      sound?.close()
      socket.close(NORMAL)
    },
  }
}

interface PlatformEvent {
  type?: string
  ping_event?: { event_id?: number }
  audio_event?: { audio_base_64?: string; event_id?: number }
  interruption_event?: { event_id?: number }
  agent_response_event?: { agent_response?: string }
  agent_response_correction_event?: { corrected_agent_response?: string }
  agent_tool_response?: { tool_name?: string; is_error?: boolean }
  user_transcription_event?: { user_transcript?: string }
}

/** What the platform sent; nothing of what it is not known for. */
export function readEvent(text: string): PlatformEvent {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? (read as PlatformEvent) : {}
  } catch {
    return {}
  }
}

/** Tells what the platform sent, as far as somebody sees it. */
export function tell(event: PlatformEvent, events: TalkEvents): void {
  const { type, agent_response_event: said, agent_response_correction_event: corrected } = event
  const { agent_tool_response: tool, user_transcription_event: heard } = event
  if (type === 'conversation_initiation_metadata') events.began()
  if (type === 'agent_response' && said?.agent_response) events.said('agent', said.agent_response)
  if (type === 'agent_response_correction') events.corrected(corrected?.corrected_agent_response ?? '')
  if (type === 'user_transcript' && heard?.user_transcript) events.said('caller', heard.user_transcript)
  if (type === 'agent_tool_response') events.used(tool?.tool_name ?? '', tool?.is_error === true)
}

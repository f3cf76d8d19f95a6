import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call, callLeaving } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { oneQuery } from '../data/queries.ts'
import { openTalk, type Sound, type Speaker, type TalkEvents, type Talking } from './talk-socket.ts'
import type { Deafness, NoMicrophone } from './talk-sound.ts'
import { AGENT } from './use-agent.ts'

const TRIAL = 'connect.voiceai_trial'

/** What somebody sees of the conversation, in its order. */
export type TalkLine =
  | { kind: 'said'; speaker: Speaker; words: string }
  /** `at`: which use of that tool it is. */
  | { kind: 'used'; tool: string; hasFailed: boolean; at: number }

/** What a tool was asked and answered. */
export interface Step {
  tool: string
  asked: string
  answered: string
  status: number
  ms: number
}

export interface TalkWish {
  draft: boolean
  kind: 'text' | 'voice'
  caller: string | null
  partner: number | null
}

interface Talk {
  stage: 'idle' | 'starting' | 'open' | 'over'
  trial: number | undefined
  lines: readonly TalkLine[]
  isDraft: boolean
  isVoice: boolean
  isEmulated: boolean
  missing: readonly string[]
  /** Why it broke off. */
  reason: string | undefined
  /** Why it cannot be by voice. */
  deaf: Deafness | undefined
}

const IDLE: Talk = {
  ...{
    stage: 'idle',
    trial: undefined,
    lines: [],
    isDraft: false,
    isVoice: false,
    isEmulated: false,
    missing: [],
    reason: undefined,
    deaf: undefined,
  },
}

export interface TalkView extends Talk {
  steps: readonly Step[]
  /** Throws what the service refuses. */
  start(wish: TalkWish): Promise<void>
  say(words: string): void
  end(): Promise<void>
}

/** A conversation with the copy of an agent; it ends with the page. */
export function useTalk(agent: number): TalkView {
  const queries = useQueryClient()
  const [talk, setTalk] = useState(IDLE)
  const open = useRef<{ trial: number; talking: Talking }>(undefined)
  const isHere = useRef(true)
  const isStarting = useRef(false)
  const { data } = useQuery({
    ...oneQuery(TRIAL, talk.trial ?? 0, ['steps']),
    enabled: talk.stage === 'open',
  })
  const change = (part: (before: Talk) => Partial<Talk>): void => setTalk((before) => ({ ...before, ...part(before) }))
  const eventsOf = (trial: number): TalkEvents => ({
    began: () => change(() => ({ stage: 'open' })),
    said: (speaker, words) => change(({ lines }) => ({ lines: withSaid(lines, speaker, words) })),
    corrected: (words) => change(({ lines }) => ({ lines: corrected(lines, words) })),
    used(tool, hasFailed) {
      change(({ lines }) => ({ lines: [...lines, { kind: 'used', tool, hasFailed, at: usesOf(lines, tool) }] }))
      void queries.invalidateQueries({ queryKey: keysOf(TRIAL) })
    },
    ended(reason) {
      if (open.current?.trial !== trial) return
      open.current = undefined
      change(() => ({ stage: 'over', reason }))
      void endQuietly(trial)
    },
  })
  useEffect(() => {
    isHere.current = true
    const leave = (tell: (trial: number) => unknown): void => {
      const { trial, talking } = open.current ?? {}
      open.current = undefined
      talking?.close()
      if (trial !== undefined) tell(trial)
    }
    const leaveDocument = (): void => leave((trial) => callLeaving(TRIAL, 'end', { ids: [trial] }))
    window.addEventListener('pagehide', leaveDocument)
    return () => {
      isHere.current = false
      window.removeEventListener('pagehide', leaveDocument)
      leave(endQuietly)
    }
  }, [])
  const begin = async (wish: TalkWish): Promise<void> => {
    setTalk({ ...IDLE, stage: 'starting', isVoice: wish.kind === 'voice' })
    let sound: Sound | undefined
    try {
      // Asked for first: without a microphone no copy is made.
      if (wish.kind === 'voice') sound = await (await import('./talk-sound.ts')).openSound()
      const started = await call(AGENT, 'start_trial', { ids: [agent], ...wish })
      const { trial, is_draft: isDraft, is_emulated: isEmulated, missing_tools: missing } = started
      if (!isHere.current) {
        sound?.close()
        return endQuietly(trial)
      }
      change(() => ({ trial, isDraft, isEmulated, missing }))
      open.current = { trial, talking: openTalk(started.url, started.opening, eventsOf(trial), sound) }
    } catch (error) {
      sound?.close()
      const deaf = deafnessOf(error)
      setTalk({ ...IDLE, deaf })
      if (deaf === undefined) throw error
    }
  }
  return {
    ...talk,
    steps: (data?.steps ?? []) as unknown as readonly Step[],
    async start(wish) {
      // A second one would leave the microphone of the first open.
      if (isStarting.current || open.current !== undefined) return
      isStarting.current = true
      await begin(wish).finally(() => {
        isStarting.current = false
      })
    },
    say: (words) => open.current?.talking.say(words),
    async end() {
      const { trial, talking } = open.current ?? {}
      open.current = undefined
      change(() => ({ stage: 'over' }))
      talking?.close()
      if (trial !== undefined) await call(TRIAL, 'end', { ids: [trial] })
    },
  }
}

/** The service ends it by itself, should this not arrive. */
async function endQuietly(trial: number): Promise<void> {
  await call(TRIAL, 'end', { ids: [trial] }).catch(() => undefined)
}

/** The code of sound is loaded when it is needed, so its error is known by its name. */
function deafnessOf(error: unknown): Deafness | undefined {
  return error instanceof Error && error.name === 'NoMicrophone' ? (error as NoMicrophone).why : undefined
}

function usesOf(lines: readonly TalkLine[], tool: string): number {
  return lines.filter((line) => line.kind === 'used' && line.tool === tool).length
}

/** What was written is not shown again when the platform repeats it as heard. */
function withSaid(lines: readonly TalkLine[], speaker: Speaker, words: string): readonly TalkLine[] {
  const last = lines.at(-1)
  const isRepeated = speaker === 'caller' && last?.kind === 'said' && last.speaker === speaker && last.words === words
  return isRepeated ? lines : [...lines, { kind: 'said', speaker, words }]
}

/** The last words of the agent, as far as it came. */
function corrected(lines: readonly TalkLine[], words: string): TalkLine[] {
  const last = lines.findLastIndex((line) => line.kind === 'said' && line.speaker === 'agent')
  return lines.map((line, at) => (at === last ? { kind: 'said', speaker: 'agent', words } : line))
}

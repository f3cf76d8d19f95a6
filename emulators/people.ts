import { CallEnded, type Line, type Party } from './line.ts'
import type { Problems } from './problems.ts'

/** One thing that a person does on the phone. */
export type Act = (line: Line, person: { readonly name: string; readonly problems: Problems }) => Promise<void>

/** Waits until these words are heard, whatever the capitals; the scenario fails when the call ends before. */
export function hear(words: string): Act {
  const wanted = words === '' ? 'something' : `"${words}"`
  return async (line, { name, problems }) => {
    const heard: string[] = []
    const isIt = (utterance: string): boolean => utterance.toLowerCase().includes(words.toLowerCase())
    try {
      do heard.push(await line.listen())
      while (!heard.some(isIt))
    } catch (error) {
      if (!(error instanceof CallEnded)) throw error
      const instead = heard.length === 0 ? 'nothing more' : heard.map((each) => `"${each}"`).join(', ')
      problems.add({
        where: 'scenario',
        message: `${name} waited to hear ${wanted} and heard ${instead}`,
      })
      throw error
    }
  }
}

/** Hears whatever is said, where the words are the service's own and may change; silence is a complaint. */
export function hearSomething(): Act {
  return hear('')
}

export function say(words: string, seconds?: number): Act {
  return (line) => line.say(words, seconds)
}

export function press(keys: string): Act {
  return (line) => line.press(keys)
}

export function wait(seconds: number): Act {
  return (line) => line.clock.sleep(seconds, line.ended)
}

export function hangUp(): Act {
  return async (line) => line.hangUp()
}

/** Something beside the call, such as a look at the service while the call is going on. */
export function meanwhile(work: () => Promise<void>): Act {
  return (line) => line.clock.during(work)
}

/** Does one thing after the other for as long as the call lasts, then stays on the line. */
export async function act(
  line: Line,
  acts: readonly Act[],
  person: { readonly name: string; readonly problems: Problems },
): Promise<void> {
  try {
    for (const each of acts) await each(line, person)
  } catch (error) {
    if (!(error instanceof CallEnded)) throw error
  }
}

/** How somebody reacts to the ringing of the phone. */
export type Reaction =
  | { readonly kind: 'answers'; readonly afterSeconds: number; readonly acts: readonly Act[] }
  | { readonly kind: 'refuses'; readonly as: 'busy' | 'no-answer' | 'failed'; readonly sipCode: number }
  | { readonly kind: 'rings on' }

const PICK_UP_SECONDS = 3

export function answers(acts: readonly Act[] = [], { afterSeconds = PICK_UP_SECONDS } = {}): Reaction {
  return { kind: 'answers', afterSeconds, acts }
}

export const isBusy: Reaction = { kind: 'refuses', as: 'busy', sipCode: 486 }
export const declines: Reaction = { kind: 'refuses', as: 'busy', sipCode: 603 }
export const isOffline: Reaction = { kind: 'refuses', as: 'no-answer', sipCode: 480 }
export const doesNotExist: Reaction = { kind: 'refuses', as: 'failed', sipCode: 404 }
export const doesNotAnswer: Reaction = { kind: 'rings on' }

/** Somebody who can be called, with one reaction for each call that comes and the last one for all after it. */
export function person(name: string, problems: Problems, reactions: readonly Reaction[]): Party {
  let calls = 0
  return {
    async ring({ callSid }, signal) {
      const reaction = reactions[Math.min(calls, reactions.length - 1)] ?? doesNotAnswer
      calls += 1
      if (reaction.kind === 'refuses') return { kind: reaction.as, sipCode: reaction.sipCode }
      if (reaction.kind === 'rings on') return ringOn(signal)
      const who = { name: `${name} (${callSid})`, problems }
      const { afterSeconds, acts } = reaction
      return { kind: 'answered', afterSeconds, talk: (line: Line) => act(line, acts, who) }
    },
  }
}

/** Never decides; the caller or the provider gives up first. */
function ringOn(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

import { wordsIn } from '../../audio.ts'
import { speechSeconds } from '../../line.ts'
import type { MarkupElement } from '../markup/element.ts'
import { unspeakable } from '../markup/speech.ts'
import type { Carrier } from './carrier.ts'
import { absoluteAddress, numberOf, type Stage } from './stage.ts'

const LOOPS_MAX = 1_000
const FETCH_TIMEOUT_MS = 15_000
const PLAYED_SECONDS = 3
const TONE_SECONDS = 0.2

/** Plays a prompt to the party of the leg; it is heard once it has been played to its end. */
export async function playPrompt(stage: Stage, prompt: MarkupElement, signal: AbortSignal): Promise<void> {
  const { clock } = stage.carrier
  switch (prompt.name) {
    case 'Pause':
      return clock.sleep(numberOf(prompt.attributes.length, 1), signal)
    case 'Say':
      if (unspeakable(prompt) !== undefined) return
      return repeat(prompt, () => speak(stage, spokenText(prompt), signal))
    case 'Play':
      if (prompt.attributes.digits !== undefined) {
        return clock.sleep(prompt.attributes.digits.length * TONE_SECONDS, signal)
      }
      return repeat(prompt, async () => playFile(stage, prompt, signal))
    default:
      stage.carrier.problems.add({ where: 'telco', code: 12200, message: `<${prompt.name}> is no prompt` })
  }
}

async function repeat({ attributes: { loop } }: MarkupElement, once: () => Promise<void>): Promise<void> {
  const times = numberOf(loop, 1)
  for (let time = 0; time < (times === 0 ? LOOPS_MAX : times); time += 1) await once()
}

async function speak({ leg, carrier }: Stage, words: string, signal: AbortSignal): Promise<void> {
  await carrier.clock.sleep(speechSeconds(words), signal)
  leg.handset.hear(words)
}

async function playFile(stage: Stage, prompt: MarkupElement, signal: AbortSignal): Promise<void> {
  const { carrier, leg } = stage
  const address = absoluteAddress(stage, prompt.text.trim()).split('#', 1)[0] ?? ''
  const isOfService = carrier.link.localAddressOf(address) !== undefined
  const words = isOfService ? await fetchWords(carrier, address) : `(audio ${address})`
  if (words === undefined) return
  await carrier.clock.sleep(PLAYED_SECONDS, signal)
  leg.handset.hear(words)
}

/** The provider fetches a file without telling anything about the call. Undefined when there is nothing to play. */
async function fetchWords({ clock, link, problems }: Carrier, url: string): Promise<string | undefined> {
  const request = { method: 'GET', url, headers: {}, body: '', timeoutMs: FETCH_TIMEOUT_MS } as const
  const outcome = await clock.during(() => link.send(request))
  const type = outcome.kind === 'answered' ? (outcome.headers['content-type'] ?? '') : ''
  if (outcome.kind === 'answered' && outcome.status === 200 && type.startsWith('audio/')) {
    return wordsIn(outcome.body) ?? `(audio ${url})`
  }
  const what = outcome.kind === 'answered' ? `HTTP ${outcome.status}, ${type}` : outcome.message
  problems.add({ where: 'telco', code: 11200, message: `${url} cannot be played: ${what}` })
  return undefined
}

/** The text of a `Say`, that of its speech marks included. */
function spokenText({ text, children }: MarkupElement): string {
  return [text, ...children.map(spokenText)]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ')
}

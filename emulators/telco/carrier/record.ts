import { CallEnded } from '../../line.ts'
import type { MarkupElement } from '../markup/element.ts'
import { absoluteAddress, actionOf, methodOf, type Next, numberOf, type Stage } from './stage.ts'

interface Limits {
  readonly silenceSeconds: number
  readonly lengthMaxSeconds: number
  readonly finishKeys: string
}

/** How a recording went on so far. */
interface Take {
  digits: string
  /** When something was last heard, in seconds since the beep; 0 for nothing. */
  lastSoundAt: number
  readonly words: string[]
}

const BEEP_SECONDS = 1
const MS_PER_SECOND = 1_000

/** Records what the caller says after the beep; the document of the action goes on (C5). */
export async function record(stage: Stage, element: MarkupElement): Promise<Next> {
  const { carrier, leg, signal } = stage
  const { attributes } = element
  leg.answer()
  leg.handset.sounds.clear()
  if (attributes.playBeep !== 'false') {
    await carrier.clock.sleep(BEEP_SECONDS, signal)
    leg.handset.hear('(beep)')
  }
  const callback = attributes.recordingStatusCallback
  const recording = carrier.recorder.start({
    leg,
    source: 'RecordVerb',
    channels: 1,
    callback: callback === undefined ? undefined : absoluteAddress(stage, callback),
    method: methodOf(attributes.recordingStatusCallbackMethod),
    events: attributes.recordingStatusCallbackEvent,
  })
  const taken: Take = { digits: '', lastSoundAt: 0, words: [] }
  const finish = (digits: string): Next => {
    const seconds = recording.stop({ seconds: Math.ceil(taken.lastSoundAt), words: taken.words.join(' ') })
    const fields = {
      RecordingUrl: recording.url,
      RecordingSid: recording.sid,
      RecordingDuration: String(seconds),
      Digits: digits,
    }
    return actionOf(stage, element, { fields, fallback: stage.address })
  }
  try {
    await listen(stage, readLimits(element), taken)
  } catch (reason) {
    const next = finish('hangup')
    // Nobody is there any more, so the answer is for nobody; before anything was said there is no request at all.
    const isAsked = reason instanceof CallEnded && taken.lastSoundAt > 0
    if (isAsked && typeof next === 'object' && next.kind === 'address') await carrier.askAbout(leg, next)
    throw reason
  }
  return finish(taken.digits)
}

function readLimits({ attributes }: MarkupElement): Limits {
  const silence = numberOf(attributes.timeout, 5)
  return {
    silenceSeconds: silence === 0 ? Number.POSITIVE_INFINITY : silence,
    lengthMaxSeconds: numberOf(attributes.maxLength, 3_600),
    finishKeys: attributes.finishOnKey ?? '1234567890*#',
  }
}

/** Returns at a finishing key, after silence, or when the recording is as long as it may be. */
async function listen({ leg, carrier, signal }: Stage, limits: Limits, taken: Take): Promise<void> {
  const { clock } = carrier
  const startMs = clock.now().getTime()
  const passed = (): number => (clock.now().getTime() - startMs) / MS_PER_SECOND
  let isSpeaking = false
  try {
    for (let left = limits.lengthMaxSeconds; left > 0; left = limits.lengthMaxSeconds - passed()) {
      const patience = isSpeaking ? left : Math.min(left, limits.silenceSeconds)
      const sound = await leg.handset.sounds.nextWithin(patience, clock, signal)
      if (sound === undefined) return
      isSpeaking = sound.kind === 'speaking'
      if (sound.kind === 'speech') addWords(taken, sound.words, passed())
      if (sound.kind !== 'key' || !limits.finishKeys.includes(sound.key)) continue
      taken.digits = sound.key
      return
    }
  } finally {
    if (isSpeaking) taken.lastSoundAt = passed()
  }
}

function addWords(taken: Take, words: string, at: number): void {
  taken.words.push(words)
  taken.lastSoundAt = at
}

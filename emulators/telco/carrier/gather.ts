import type { HeardSound } from '../../line.ts'
import type { MarkupElement } from '../markup/element.ts'
import { deafness } from '../markup/speech.ts'
import { playPrompt } from './prompts.ts'
import { actionOf, type Next, numberOf, type Stage } from './stage.ts'

interface Wanted {
  readonly digits: boolean
  readonly speech: boolean
  readonly timeoutSeconds: number
  readonly digitsMax: number
  readonly finishKey: string
}

interface CallerInput {
  digits: string
  finishedOn: string
  speech: string | undefined
}

/** Longer than any prompt takes. */
const PROMPT_SECONDS_MAX = 86_400
const CONFIDENCE = '0.9241'

/** Plays its prompts while it listens; what was given goes to the action, and nothing given goes on (C3). */
export async function gather(stage: Stage, element: MarkupElement): Promise<Next> {
  const { leg, signal } = stage
  leg.answer()
  if (deafness(element) !== undefined) return undefined
  leg.handset.sounds.clear()
  const wanted = readWanted(element)
  const stopPrompts = new AbortController()
  const prompting = playPrompts(stage, element, AbortSignal.any([signal, stopPrompts.signal]))
  try {
    const given = await listen(stage, wanted, stopPrompts)
    const fields = fieldsOf(given, element.attributes.language)
    const isEmpty = given.digits === '' && given.speech === undefined
    if (isEmpty && element.attributes.actionOnEmptyResult !== 'true') return undefined
    return actionOf(stage, element, { fields, fallback: stage.address })
  } finally {
    stopPrompts.abort()
    await prompting
  }
}

function readWanted({ attributes }: MarkupElement): Wanted {
  const input = (attributes.input ?? 'dtmf').split(' ')
  return {
    digits: input.includes('dtmf'),
    speech: input.includes('speech'),
    timeoutSeconds: numberOf(attributes.timeout, 5),
    digitsMax: numberOf(attributes.numDigits, Number.POSITIVE_INFINITY),
    finishKey: attributes.finishOnKey ?? '#',
  }
}

async function playPrompts(stage: Stage, element: MarkupElement, signal: AbortSignal): Promise<void> {
  try {
    for (const prompt of element.children) await playPrompt(stage, prompt, signal)
    stage.leg.handset.sounds.put({ kind: 'prompts-over' })
  } catch {
    // Input or the end of the call stops a prompt.
  }
}

async function listen(stage: Stage, wanted: Wanted, stopPrompts: AbortController): Promise<CallerInput> {
  const { leg, signal, carrier } = stage
  const given: CallerInput = { digits: '', finishedOn: '', speech: undefined }
  let arePromptsOver = false
  let patience = PROMPT_SECONDS_MAX
  for (;;) {
    const sound = await leg.handset.sounds.nextWithin(patience, carrier.clock, signal)
    if (sound === undefined) return given
    if (isWanted(sound, wanted, given)) {
      arePromptsOver = true
      stopPrompts.abort()
      if (take(sound, wanted, given)) return given
    }
    arePromptsOver ||= sound.kind === 'prompts-over'
    patience = patienceAfter(sound, wanted, arePromptsOver)
  }
}

/** Prompts are played to their end, and somebody who is speaking is waited for. */
function patienceAfter({ kind }: HeardSound, { speech, timeoutSeconds }: Wanted, arePromptsOver: boolean): number {
  const isSpeaking = kind === 'speaking' && speech
  return arePromptsOver && !isSpeaking ? timeoutSeconds : PROMPT_SECONDS_MAX
}

function isWanted(sound: HeardSound, wanted: Wanted, given: CallerInput): boolean {
  if (sound.kind === 'key') return wanted.digits
  return sound.kind === 'speech' && wanted.speech && given.digits === ''
}

/** Adds what was heard; true when that completes the input. */
function take(sound: HeardSound, wanted: Wanted, given: CallerInput): boolean {
  if (sound.kind === 'speech') {
    given.speech = sound.words
    return true
  }
  if (sound.kind !== 'key') return false
  if (sound.key === wanted.finishKey) {
    given.finishedOn = sound.key
    return true
  }
  given.digits += sound.key
  return given.digits.length >= wanted.digitsMax
}

function fieldsOf({ digits, finishedOn, speech }: CallerInput, language = 'en-US'): Record<string, string> {
  if (speech !== undefined) return { SpeechResult: speech, Confidence: CONFIDENCE, Language: language }
  return { Digits: digits, FinishedOnKey: finishedOn, msg: 'Gather End' }
}

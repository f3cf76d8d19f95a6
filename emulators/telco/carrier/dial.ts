import type { MarkupElement } from '../markup/element.ts'
import { refuseCallerId } from './caller-id.ts'
import { DialAttempt, type DialledLeg } from './dial-attempt.ts'
import type { Fields } from './fields.ts'
import { Redirected } from './leg.ts'
import type { RunningRecording } from './recorder.ts'
import { absoluteAddress, actionOf, methodOf, type Next, numberOf, type Stage } from './stage.ts'
import { readTargets, type Target } from './targets.ts'

/** How a dial ended, for its action. */
interface DialResult {
  readonly status: 'completed' | 'busy' | 'no-answer' | 'failed' | 'canceled'
  readonly leg: DialledLeg | undefined
  readonly isBridged: boolean
  readonly recording: RunningRecording | undefined
}

const TIME_LIMIT_SECONDS = 14_400

/** Rings somebody and connects the caller; afterwards its action decides, or the next verb (C4). */
export async function dial(stage: Stage, element: MarkupElement): Promise<Next> {
  const { carrier, leg, isScreening } = stage
  if (isScreening) {
    carrier.problems.add({ where: 'telco', code: 13201, message: 'a document for the callee may not dial' })
    return 'end'
  }
  if (element.attributes.answerOnBridge !== 'true') leg.answer()
  const attempt = new DialAttempt(stage, element)
  const connection = new Connection(stage, element, attempt)
  try {
    const result = await connection.make(readAllowedTargets(stage, element))
    return actionOf(stage, element, { fields: dialFields(result), fallback: undefined })
  } catch (reason) {
    attempt.giveUp()
    const action = actionOf(stage, element, { fields: dialFields(connection.interrupted()), fallback: undefined })
    // The action is asked for all the same, also when the call was given another document; its answer is for nobody.
    if (action?.kind === 'address') await carrier.askAbout(leg, action)
    throw reason
  }
}

/** The targets that the provider would call; what it refuses is a problem of the run. */
function readAllowedTargets({ carrier, leg }: Stage, element: MarkupElement): Target[] {
  const { targets, problems } = readTargets(element)
  for (const message of problems) carrier.problems.add({ where: 'telco', code: 12200, message })
  return targets.filter((target) => {
    const refusal = refuseCallerId(carrier.account, { leg, target, callerId: element.attributes.callerId })
    if (refusal !== undefined) carrier.problems.add({ where: 'telco', ...refusal })
    return refusal === undefined
  })
}

/** One dial from the first ring to the end of the conversation. */
class Connection {
  readonly #stage: Stage
  readonly #element: MarkupElement
  readonly #attempt: DialAttempt
  #recording: RunningRecording | undefined
  #bridged: DialledLeg | undefined

  constructor(stage: Stage, element: MarkupElement, attempt: DialAttempt) {
    this.#stage = stage
    this.#element = element
    this.#attempt = attempt
  }

  async make(targets: readonly Target[]): Promise<DialResult> {
    if (targets.length === 0) return { status: 'failed', leg: undefined, isBridged: false, recording: undefined }
    if (this.#recordsFrom('ringing')) this.#startRecording()
    const answered = await this.#attempt.ring(targets)
    if (answered === undefined) return this.#unanswered()
    if (await this.#isDeclined(answered)) return this.#result(answered, 'completed')
    await this.#bridge(answered)
    return this.#result(answered, 'completed')
  }

  /** What the action is told when the dialling leg went away. */
  interrupted(): DialResult {
    if (this.#bridged !== undefined) return this.#result(this.#bridged, 'completed')
    this.#stage.leg.handset.part()
    return this.#result(this.#attempt.dialled[0], 'canceled')
  }

  #unanswered(): DialResult {
    const legs = this.#attempt.dialled
    const statuses = new Set(legs.map(({ leg }) => leg.status))
    const [only] = statuses
    const status = statuses.size === 1 && (only === 'busy' || only === 'failed') ? only : 'no-answer'
    return this.#result(legs[0], status)
  }

  #result(dialled: DialledLeg | undefined, status: DialResult['status']): DialResult {
    this.#recording?.stop()
    return { status, leg: dialled, isBridged: this.#bridged !== undefined, recording: this.#recording }
  }

  /** The callee hears its own document first, and may put the phone down. */
  async #isDeclined({ leg, target: { screening } }: DialledLeg): Promise<boolean> {
    if (screening === undefined) return false
    if (this.#element.attributes.answerOnBridge !== 'true') {
      const message = `the caller hears nothing while ${leg.to} hears a document of its own: the dial lacks answerOnBridge`
      this.#stage.carrier.problems.add({ where: 'telco', message })
    }
    const address = absoluteAddress(this.#stage, screening.address)
    await this.#stage.screen(leg, { kind: 'address', address, method: screening.method, fields: {} })
    this.#stage.signal.throwIfAborted()
    return leg.isOver
  }

  async #bridge(dialled: DialledLeg): Promise<void> {
    const { carrier, leg: caller, signal } = this.#stage
    const { leg: callee } = dialled
    caller.answer()
    this.#bridged = dialled
    if (this.#recordsFrom('answer')) this.#startRecording()
    caller.handset.join(callee.handset)
    const limit = numberOf(this.#element.attributes.timeLimit, TIME_LIMIT_SECONDS)
    const led = callee.beginProgram()
    try {
      await carrier.clock.sleep(limit, AbortSignal.any([signal, led, callee.handset.ended]))
      carrier.problems.add({
        where: 'scenario',
        message: `the call to ${callee.to} lasted until its limit of ${limit} s`,
      })
    } catch {
      signal.throwIfAborted()
    } finally {
      caller.handset.part()
    }
    // A document for the dialled leg ends the dial and not that leg: the caller goes on with the action, or the next verb.
    if (led.reason instanceof Redirected) this.#stage.lead(callee, led.reason.source)
    else callee.end('completed', 200)
  }

  #recordsFrom(moment: 'answer' | 'ringing'): boolean {
    return this.#element.attributes.record?.startsWith(`record-from-${moment}`) ?? false
  }

  #startRecording(): void {
    const { attributes } = this.#element
    const callback = attributes.recordingStatusCallback
    this.#recording = this.#stage.carrier.recorder.start({
      leg: this.#stage.leg,
      source: 'DialVerb',
      channels: attributes.record?.endsWith('-dual') ? 2 : 1,
      track: attributes.recordingTrack ?? 'both',
      callback: callback === undefined ? undefined : absoluteAddress(this.#stage, callback),
      method: methodOf(attributes.recordingStatusCallbackMethod),
      events: attributes.recordingStatusCallbackEvent,
    })
  }
}

/** What the action learns (A5). */
function dialFields({ status, leg: dialled, isBridged, recording }: DialResult): Fields {
  if (dialled === undefined) return { DialCallStatus: status }
  const { leg, target } = dialled
  return {
    DialCallStatus: status,
    DialCallSid: leg.sid,
    DialBridged: String(isBridged),
    ...(leg.isAnswered ? { DialCallDuration: String(leg.durationSeconds) } : {}),
    ...(recording === undefined ? {} : recordingFields(recording)),
    ...(target.kind === 'sip'
      ? { DialSipCallId: `${leg.sid.toLowerCase()}@0.0.0.0`, DialSipResponseCode: String(leg.sipCode ?? 200) }
      : {}),
  }
}

function recordingFields(recording: RunningRecording): Fields {
  return { RecordingUrl: recording.url, RecordingSid: recording.sid, RecordingDuration: String(recording.stop()) }
}

import { type Static, Type } from 'typebox'
import { asError, Refusal } from '../../errors.ts'
import { beginRecordingTurn, refreshRecordingState, setRecordingState } from '../../ledger/legs/recording-state.ts'
import type { Env, OpenEnv } from '../../platform/access/env.ts'
import { type OutsideMethod, outsideMethod } from '../../platform/model/model.ts'
import type { FetchedRecording, TelcoClient } from '../../ports/telco-client.ts'
import { statusUrl } from '../applications/webhook-url.ts'
import { askProvider } from '../calls/ask-provider.ts'
import { type Leg, requireLiveLegs, requireOne } from '../calls/live-legs.ts'

/** How the recording of a call stands, and which leg is recorded. */
const RecordingState = Type.Object({
  state: Type.Union([Type.Literal('on'), Type.Literal('off')]),
  channel_sid: Type.Union([Type.String(), Type.Null()]),
  recording_sid: Type.Union([Type.String(), Type.Null()]),
})
type RecordingState = Static<typeof RecordingState>

/** What the provider calls a recording that is being made. */
const RUNNING = ['in-progress', 'paused']
interface Running {
  leg: Leg
  recording: FetchedRecording
}

/** A method of the recording of a live call: `work` is given the legs of the call. */
function recordingMethod(
  label: string,
  operation: 'read' | 'write',
  work: (open: OpenEnv, legs: readonly Leg[]) => Promise<RecordingState>,
): OutsideMethod {
  return outsideMethod({
    label,
    operation,
    reply: RecordingState,
    runOutside: async (open, ids) => work(open, await open((env) => requireLiveLegs(env, requireOne(ids)))),
  })
}

/** Starts recording a live call, unless the provider is recording it already. */
export function startRecordingMethod(client: TelcoClient): OutsideMethod {
  return recordingMethod('Start recording', 'write', (open, legs) =>
    inTurn(open, legs, 'starting', async (first) => {
      const running = await findRunning(client, legs)
      if (running !== undefined) return saveState(open, legs, running)
      const statusCallback = await open(recordingReportUrl)
      const recording = await askProvider(() => client.startRecording(first.sid, { statusCallback }))
      return saveState(open, legs, { leg: first, recording })
    }),
  )
}

/** Stops every recording of a live call, whichever leg it is on. */
export function stopRecordingMethod(client: TelcoClient): OutsideMethod {
  return recordingMethod('Stop recording', 'write', (open, legs) =>
    inTurn(open, legs, 'stopping', async () => {
      for (const leg of legs) {
        const running = (await listRecordings(client, leg)).filter(isRunning)
        for (const { sid } of running) await askProvider(() => client.stopRecording(leg.sid, sid))
      }
      return saveState(open, legs, undefined)
    }),
  )
}

/** Asks the provider whether a live call is being recorded. */
export function recordingStateMethod(client: TelcoClient): OutsideMethod {
  return recordingMethod('Recording state', 'read', async (open, legs) =>
    saveState(open, legs, await findRunning(client, legs), refreshRecordingState),
  )
}

async function findRunning(client: TelcoClient, legs: readonly Leg[]): Promise<Running | undefined> {
  for (const leg of legs) {
    const recording = (await listRecordings(client, leg)).find(isRunning)
    if (recording !== undefined) return { leg, recording }
  }
  return undefined
}

function listRecordings(client: TelcoClient, leg: Leg): Promise<FetchedRecording[]> {
  return askProvider(() => client.listCallRecordings(leg.sid))
}

function isRunning({ status }: FetchedRecording): boolean {
  return RUNNING.includes(status)
}

/** One leg is recorded, so no other one is; or none is. */
async function saveState(
  open: OpenEnv,
  legs: readonly Leg[],
  running: Running | undefined,
  save: typeof setRecordingState = setRecordingState,
): Promise<RecordingState> {
  await open(async (env) => {
    for (const { id } of legs) {
      const ref = id === running?.leg.id ? running.recording.sid : null
      await save(env, { id, state: ref === null ? 'off' : 'on', ref })
    }
  })
  if (running === undefined) return { state: 'off', channel_sid: null, recording_sid: null }
  return { state: 'on', channel_sid: running.leg.sid, recording_sid: running.recording.sid }
}

/** Does one thing with the recording of a call while nobody else does; the first leg keeps the turn and what went wrong. */
async function inTurn<Result>(
  open: OpenEnv,
  [first]: readonly Leg[],
  state: 'starting' | 'stopping',
  work: (first: Leg) => Promise<Result>,
): Promise<Result> {
  if (first === undefined) throw new Refusal('conflict', 'call-over')
  const isBegun = await open((env) => beginRecordingTurn(env, first.id, state))
  if (!isBegun) throw new Refusal('conflict', 'recording-being-started-stopped-at-this')
  try {
    return await work(first)
  } catch (error) {
    const { message } = asError(error)
    await open((env) => setRecordingState(env, { id: first.id, state: 'error', ref: null, error: message }))
    throw error
  }
}

async function recordingReportUrl({ settings }: Env): Promise<string | undefined> {
  return statusUrl(settings.apiUrl, '/telco/webhook/recordingstatus', settings.telcoEdge) ?? undefined
}

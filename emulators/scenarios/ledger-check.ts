import { isDeepStrictEqual } from 'node:util'
import { wordsIn } from '../audio.ts'
import type { LegSummary, RecordingSummary, TelcoEmulator } from '../telco/start.ts'
import type { ServiceApi, ServiceRecord } from './service-api.ts'

/** What the provider already had before a scenario. */
export interface Before {
  readonly legs: ReadonlySet<string>
  readonly recordings: ReadonlySet<string>
}

export function lookBefore(telco: TelcoEmulator): Before {
  return {
    legs: new Set(telco.legs.map(({ sid }) => sid)),
    recordings: new Set(telco.recordings.map(({ sid }) => sid)),
  }
}

/** What the service's ledger has in another way than the provider lived it, whatever the scenario is about. */
export async function compareLedger(service: ServiceApi, telco: TelcoEmulator, before: Before): Promise<string[]> {
  const legs = telco.legs.filter(({ sid, isEndReported }) => isEndReported && !before.legs.has(sid))
  const recordings = telco.recordings.filter(({ sid, isReported }) => isReported && !before.recordings.has(sid))
  const [ofLegs, ofRecordings] = [await compareLegs(service, legs), await compareRecordings(service, recordings)]
  return [...ofLegs, ...ofRecordings]
}

async function compareLegs(service: ServiceApi, legs: readonly LegSummary[]): Promise<string[]> {
  const where = { sid: legs.map(({ sid }) => sid) }
  const stored = await service.list('connect.channel', where, ['sid', 'parent_sid', 'status', 'duration', 'call'])
  return legs.flatMap(({ sid, parentSid, status, durationSeconds, to }) => {
    const found = stored.filter((each) => each.sid === sid)
    const [leg] = found
    if (leg === undefined || found.length > 1) return [`the ledger has ${found.length} legs for ${sid} to ${to}`]
    const should = { status, duration: durationSeconds, parent_sid: parentSid ?? null }
    const is = { status: leg.status, duration: leg.duration, parent_sid: leg.parent_sid || null }
    const wrong = isDeepStrictEqual(is, should) ? [] : [`${JSON.stringify(is)}, not ${JSON.stringify(should)}`]
    const lost = leg.call === null ? ['it belongs to no call'] : []
    return [...wrong, ...lost].map((complaint) => `the leg ${sid} to ${to}: ${complaint}`)
  })
}

async function compareRecordings(service: ServiceApi, recordings: readonly RecordingSummary[]): Promise<string[]> {
  // A voicemail belongs to its call, and is no recording of one.
  const ofCalls = recordings.filter(({ source }) => source !== 'RecordVerb')
  const where = { sid: ofCalls.map(({ sid }) => sid) }
  const stored = await service.list('connect.recording', where, ['sid', 'duration', 'call'])
  const compared = ofCalls.map((recording) =>
    compareRecording(
      service,
      recording,
      stored.filter(({ sid }) => sid === recording.sid),
    ),
  )
  return (await Promise.all(compared)).flat()
}

async function compareRecording(
  service: ServiceApi,
  { sid, seconds, words }: RecordingSummary,
  stored: readonly ServiceRecord[],
): Promise<string[]> {
  const [recording] = stored
  if (recording === undefined || stored.length > 1) return [`the ledger has ${stored.length} recordings for ${sid}`]
  const { duration, call, id } = recording
  if (duration !== seconds || call === null) {
    return [`the recording ${sid} has ${String(duration)} s of ${seconds}, and the call ${String(call)}`]
  }
  const heard = wordsIn(await service.audio(`/connect/recording/${id}`))
  return heard === words ? [] : [`the recording ${sid} says "${heard}", not "${words}"`]
}

import { mp3File, waveFile } from '../../audio.ts'
import { type HttpReply, type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import type { Carrier } from '../carrier/carrier.ts'
import { methodOf } from '../carrier/stage.ts'
import type { WireRecord } from '../store.ts'
import { formOf } from './classic-resource.ts'
import { isInDateFilter } from './date-filter.ts'
import { classicPage } from './pages.ts'
import { badRequest, notFound } from './rest-error.ts'

const CURRENT = 'Twilio.CURRENT'

/** Recordings: of the account, of one call, and their audio. */
export function recordingRoutes(carrier: Carrier): HttpRoute[] {
  return [
    { method: 'GET', path: '/Recordings.json', handle: (request) => list(carrier, request, undefined) },
    {
      method: 'GET',
      path: '/Recordings/:sid.json',
      handle: (request) => jsonReply(200, find(carrier, request)),
    },
    { method: 'DELETE', path: '/Recordings/:sid.json', handle: (request) => remove(carrier, request) },
    { method: 'GET', path: '/Recordings/:sid', handle: (request) => audio(carrier, request, 'wav') },
    { method: 'GET', path: '/Recordings/:sid.wav', handle: (request) => audio(carrier, request, 'wav') },
    { method: 'GET', path: '/Recordings/:sid.mp3', handle: (request) => audio(carrier, request, 'mp3') },
    ...ofCall(carrier),
  ]
}

function ofCall(carrier: Carrier): HttpRoute[] {
  const path = '/Calls/:call/Recordings'
  return [
    {
      method: 'GET',
      path: `${path}.json`,
      handle: (request) => list(carrier, request, request.params.call),
    },
    { method: 'POST', path: `${path}.json`, handle: (request) => start(carrier, request) },
    { method: 'GET', path: `${path}/:sid.json`, handle: (request) => jsonReply(200, find(carrier, request)) },
    { method: 'DELETE', path: `${path}/:sid.json`, handle: (request) => remove(carrier, request) },
    { method: 'POST', path: `${path}/Twilio.CURRENT.json`, handle: (request) => stop(carrier, request) },
    { method: 'POST', path: `${path}/:sid.json`, handle: (request) => stop(carrier, request) },
  ]
}

function list(carrier: Carrier, request: HttpRequest, call: string | undefined): HttpReply {
  const { query } = request
  const wanted = call ?? query.get('CallSid') ?? undefined
  const records = carrier.account.recordings
    .list()
    .filter((record) => wanted === undefined || record.call_sid === wanted)
    .filter((record) => isInDateFilter(query, 'DateCreated', record.date_created))
  return classicPage(request, 'recordings', records)
}

function find({ account }: Carrier, { params, path }: HttpRequest): WireRecord {
  const record = account.recordings.find(params.sid ?? '')
  if (record === undefined || (params.call !== undefined && record.call_sid !== params.call)) throw notFound(path)
  return record
}

function remove(carrier: Carrier, request: HttpRequest): HttpReply {
  carrier.account.recordings.remove(find(carrier, request).sid)
  return { status: 204 }
}

function start(carrier: Carrier, request: HttpRequest): HttpReply {
  const leg = carrier.findLeg(request.params.call ?? '')
  if (leg === undefined) throw notFound(request.path)
  const form = formOf(request)
  if (leg.status !== 'in-progress') throw badRequest(21220, 'Requested resource is not eligible for recording')
  const recording = carrier.recorder.start({
    leg,
    source: 'StartCallRecordingAPI',
    channels: form.get('RecordingChannels') === 'dual' ? 2 : 1,
    track: form.get('RecordingTrack') ?? 'both',
    callback: form.get('RecordingStatusCallback') ?? undefined,
    method: methodOf(form.get('RecordingStatusCallbackMethod') ?? undefined),
    events: form.getAll('RecordingStatusCallbackEvent').join(' ') || undefined,
  })
  leg.handset.ended.addEventListener('abort', () => recording.stop(), { once: true })
  return jsonReply(200, carrier.account.recordings.find(recording.sid))
}

function stop(carrier: Carrier, request: HttpRequest): HttpReply {
  const form = formOf(request)
  const isCurrent = request.path.endsWith(`/${CURRENT}.json`)
  const sid = (isCurrent ? carrier.recorder.begun(request.params.call ?? '')?.sid : request.params.sid) ?? ''
  const record = find(carrier, { ...request, params: { ...request.params, sid } })
  const status = form.get('Status') ?? ''
  if (!['stopped', 'paused', 'in-progress'].includes(status)) throw badRequest(20001, `Invalid Status ${status}`)
  if (record.status !== 'in-progress' && record.status !== 'paused') {
    throw badRequest(21220, 'Recording is not in progress')
  }
  if (status === 'stopped') carrier.recorder.begun(sid)?.stop()
  else carrier.account.recordings.change(record, { status })
  return jsonReply(200, { ...carrier.account.recordings.find(sid), status })
}

/** Audio is there when the recording is ready, not before. */
function audio({ account, recorder }: Carrier, { params, path, headers }: HttpRequest, type: 'wav' | 'mp3'): HttpReply {
  const record = account.recordings.find(params.sid ?? '')
  if (record?.status !== 'completed') throw notFound(path)
  const sound = { seconds: Number(record.duration), words: recorder.wordsOf(record.sid) }
  const body = type === 'mp3' ? mp3File(sound) : waveFile(sound)
  const contentType = type === 'mp3' ? 'audio/mpeg' : 'audio/x-wav'
  return part(body, headers.range, contentType)
}

/** The whole file or the range that was asked for. */
function part(body: Buffer, range: string | undefined, contentType: string): HttpReply {
  const match = /^bytes=(\d+)-(\d*)$/.exec(range ?? '')
  const common = { 'content-type': contentType, 'accept-ranges': 'bytes' }
  if (match === null) return { status: 200, headers: common, body }
  const first = Number(match[1])
  const last = Math.min(match[2] === '' ? body.length - 1 : Number(match[2]), body.length - 1)
  if (first > last) return { status: 416, headers: { ...common, 'content-range': `bytes */${body.length}` } }
  const headers = { ...common, 'content-range': `bytes ${first}-${last}/${body.length}` }
  return { status: 206, headers, body: body.subarray(first, last + 1) }
}

// The thread that reads a large delivery, so that parsing it holds nobody up: see read-large-post-call.ts.
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { isTooDeep, parseJson } from '../../json.ts'
import { type PostCall, readPostCall } from './post-call-payload.ts'

/** Lists and objects inside one another: what is deeper is no delivery, and would be parsed for half a minute. */
const LEVELS_MAX = 1_000

/** The text of a delivery: its bytes, or the file that has them. */
export type LargePostCall = { bytes: Uint8Array } | { file: string }

/** What was read of it; `sound` is its audio, decoded. */
export interface ReadLargePostCall {
  postCall: PostCall | undefined
  sound: Uint8Array | undefined
}

parentPort?.postMessage(read(workerData as LargePostCall))

function read(given: LargePostCall): ReadLargePostCall {
  const bytes = 'file' in given ? readFileSync(given.file) : Buffer.from(given.bytes)
  const postCall = isTooDeep(bytes, LEVELS_MAX) ? undefined : readPostCall(parseJson(bytes.toString('utf8')))
  if (postCall?.kind !== 'audio') return { postCall, sound: undefined }
  return { postCall: { ...postCall, audio: undefined }, sound: Buffer.from(postCall.audio ?? '', 'base64') }
}

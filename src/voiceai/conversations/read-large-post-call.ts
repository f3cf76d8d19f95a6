import { Worker } from 'node:worker_threads'
import { Refusal } from '../../errors.ts'
import type { LargePostCall, ReadLargePostCall } from './post-call-thread.ts'

/** A longer text is parsed in a thread: on the event loop a worst case of this length takes about 20 ms. */
export const LOOP_BYTES_MAX = 256 * 1024
/** Memory that one text may take when it is parsed; 64 MiB of the smallest values take less. */
const MEMORY_MB_MAX = 2_048

/**
 * Reads large deliveries in a thread, one after the other. What was read is small: a transcript and a summary are cut at
 * their limits. The thread lives for one delivery, because few are large.
 */
export class LargePostCalls {
  #last: Promise<unknown> = Promise.resolve()

  /** Throws a Refusal for what takes more memory than a delivery may, and what the reading itself threw. */
  read(given: LargePostCall): Promise<ReadLargePostCall> {
    const turn = this.#last.catch(() => undefined).then(() => readInThread(given))
    this.#last = turn
    return turn
  }
}

function readInThread(given: LargePostCall): Promise<ReadLargePostCall> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadLargePostCall>()
  // A copy: the caller still needs the bytes.
  const handed = 'file' in given ? given : { bytes: new Uint8Array(given.bytes) }
  const thread = new Worker(new URL('./post-call-thread.ts', import.meta.url), {
    workerData: handed,
    transferList: 'file' in handed ? [] : [handed.bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB_MAX },
    execArgv: [],
    env: {},
  })
  thread.once('message', resolve)
  thread.once('error', (error: NodeJS.ErrnoException) => reject(isOutOfMemory(error) ? tooMuch() : error))
  thread.once('exit', () => reject(new Error('the thread ended before it had read the delivery')))
  return promise.finally(() => thread.terminate())
}

function isOutOfMemory({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function tooMuch(): Refusal {
  return new Refusal('too-large', 'api-delivery-has-too-many-values')
}

import { createServer, type Socket } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'

/** Of each message but the first: its kind, and after that its length, which counts itself. */
const KIND_BYTES = 1
const LENGTH_BYTES = 4
const TERMINATE = 'X'.charCodeAt(0)

/**
 * Serves the engine on a socket in PostgreSQL's own protocol (protocol-message-formats of its documentation), to one connection:
 * whole messages go in, and what the engine says goes out.
 */
export function serveEngine(engine: PGlite, path: string): Promise<void> {
  const server = createServer((socket) => connected(engine, socket))
  server.maxConnections = 1
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(path, resolve)
  return promise
}

function connected(engine: PGlite, socket: Socket): void {
  const messages = new Messages()
  let turn = Promise.resolve()
  socket.on('data', (chunk: Uint8Array) => {
    const whole = messages.push(chunk)
    if (whole === undefined) return
    turn = turn.then(async () => {
      socket.write(await answerOf(engine, whole))
    })
    // An engine that fails otherwise than in its protocol is broken: the service starts another one.
    turn.catch(() => process.kill(process.pid, 'SIGKILL'))
  })
  socket.on('error', () => undefined)
}

/**
 * The bytes that the engine answers. `execProtocolRaw` also reads them itself, which takes as long as finding a page of rows, and keeps
 * every row for as long as the process lives; only it answers the first message, which has no kind.
 */
async function answerOf(engine: PGlite, whole: Uint8Array): Promise<Uint8Array> {
  if (whole[0] === 0) return engine.execProtocolRaw(whole, { syncToFs: false })
  const said: Uint8Array[] = []
  // They are in the engine's own memory, which the next ones overwrite.
  await engine.execProtocolRawStream(whole, { syncToFs: false, onRawData: (bytes) => void said.push(bytes.slice()) })
  return Buffer.concat(said)
}

/** Puts what arrives together to whole messages. */
class Messages {
  #chunks: Uint8Array[] = []
  #bytes = 0
  /** Bytes without which no message is whole. */
  #needed = LENGTH_BYTES
  #hasBegun = false

  /** The messages that are whole now, without a goodbye, which the engine would take for its own end; undefined without any. */
  push(chunk: Uint8Array): Uint8Array | undefined {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes < this.#needed) return undefined
    const all = Buffer.concat(this.#chunks)
    const end = this.#endOfWhole(all)
    const rest = all.subarray(end)
    this.#chunks = [rest]
    this.#bytes = rest.length
    return end === 0 ? undefined : new Uint8Array(all.subarray(0, end))
  }

  /** Where the last whole message ends; a goodbye counts as one that is never whole. */
  #endOfWhole(all: Buffer): number {
    for (let end = 0; ; this.#hasBegun = true) {
      const kind = this.#hasBegun ? KIND_BYTES : 0
      this.#needed = kind + LENGTH_BYTES
      if (all.length - end < this.#needed) return end
      if (this.#hasBegun && all[end] === TERMINATE) return end
      this.#needed = kind + all.readUInt32BE(end + kind)
      if (all.length - end < this.#needed) return end
      end += this.#needed
    }
  }
}

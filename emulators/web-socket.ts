import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** RFC 6455, section 1.3: what the key of a handshake is answered with. */
const HANDSHAKE_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
/** RFC 6455, section 5.2. */
const OPCODE = { continuation: 0x0, text: 0x1, close: 0x8, ping: 0x9, pong: 0xa } as const
const FINAL_BIT = 0x80
const MASK_BIT = 0x80
const OPCODE_BITS = 0x0f
const LENGTH_BITS = 0x7f
const LENGTH_IN_2_BYTES = 126
const LENGTH_IN_8_BYTES = 127
const SHORT_MAX = 125
const UINT16_MAX = 0xffff
const MASK_BYTES = 4
const MESSAGE_BYTES_MAX = 4 * 1024 * 1024
/** The reason of a close has room for 123 bytes beside its code (RFC 6455, sections 5.5 and 5.5.1). */
const REASON_BYTES_MAX = 123

/** Codes that a connection closes with (RFC 6455, section 7.4.1). */
export const CLOSED = { normal: 1000, protocolError: 1002, noText: 1003, notUtf8: 1007, refused: 1008, tooBig: 1009 }

interface Listeners {
  text(message: string): void
  /** Called once, no matter who closes. */
  closed(): void
}

interface Frame {
  readonly opcode: number
  readonly isFinal: boolean
  readonly payload: Buffer
}

/** One side of a WebSocket, that of the server: texts only, no extensions. */
export class WebSocketPeer {
  readonly #socket: Duplex
  #on: Listeners = { text: () => undefined, closed: () => undefined }
  #unread: Buffer = Buffer.alloc(0)
  #message: Buffer[] = []
  #isOver = false

  private constructor(socket: Duplex) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.on('error', () => this.#end())
    socket.on('close', () => this.#end())
  }

  /** Answers the handshake; a request that is none gets 400. */
  static accept(
    { headers, method }: IncomingMessage,
    socket: Duplex,
    { protocol }: { protocol: string },
  ): WebSocketPeer | undefined {
    const key = headers['sec-websocket-key']
    if (method !== 'GET' || key === undefined || headers['sec-websocket-version'] !== '13') {
      socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
      return undefined
    }
    const accept = createHash('sha1')
      .update(key + HANDSHAKE_GUID)
      .digest('base64')
    const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim())
    const chosen = offered.includes(protocol) ? `sec-websocket-protocol: ${protocol}\r\n` : ''
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n${chosen}\r\n`,
    )
    return new WebSocketPeer(socket)
  }

  listen(listeners: Listeners): void {
    this.#on = listeners
  }

  send(message: string): void {
    if (!this.#isOver) this.#socket.write(frameOf(OPCODE.text, Buffer.from(message)))
  }

  close(code: number, reason = ''): void {
    if (this.#isOver) return
    const said = Buffer.from(reason).subarray(0, REASON_BYTES_MAX)
    const payload = Buffer.alloc(2 + said.length)
    payload.writeUInt16BE(code)
    said.copy(payload, 2)
    this.#socket.end(frameOf(OPCODE.close, payload))
    this.#end()
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#on.closed()
  }

  #read(chunk: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, chunk])
    let read = readFrame(this.#unread)
    while (typeof read === 'object' && !this.#isOver) {
      this.#unread = this.#unread.subarray(read.length)
      this.#take(read.frame)
      read = readFrame(this.#unread)
    }
    if (typeof read === 'number') this.close(read)
  }

  #take({ opcode, isFinal, payload }: Frame): void {
    if (opcode === OPCODE.text || opcode === OPCODE.continuation) this.#takePart(opcode, isFinal, payload)
    else if (opcode === OPCODE.ping) this.#socket.write(frameOf(OPCODE.pong, payload))
    else if (opcode === OPCODE.close) this.close(payload.length >= 2 ? payload.readUInt16BE() : CLOSED.normal)
    else if (opcode !== OPCODE.pong) this.close(CLOSED.noText)
  }

  #takePart(opcode: number, isFinal: boolean, payload: Buffer): void {
    const isFirst = this.#message.length === 0
    this.#message.push(payload)
    const bytes = this.#message.reduce((sum, { length }) => sum + length, 0)
    if (isFirst !== (opcode === OPCODE.text)) this.close(CLOSED.protocolError)
    else if (bytes > MESSAGE_BYTES_MAX) this.close(CLOSED.tooBig)
    else if (isFinal) this.#tell(Buffer.concat(this.#message.splice(0)))
  }

  #tell(whole: Buffer): void {
    let text: string
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(whole)
    } catch {
      this.close(CLOSED.notUtf8)
      return
    }
    this.#on.text(text)
  }
}

/** The first frame of what arrived; a number is the code with which a wrong one closes the connection. */
function readFrame(bytes: Buffer): { frame: Frame; length: number } | 'incomplete' | number {
  const [first, second] = bytes
  if (first === undefined || second === undefined) return 'incomplete'
  // A client masks what it sends (section 5.1).
  if ((second & MASK_BIT) === 0) return CLOSED.protocolError
  const size = readSize(bytes, second & LENGTH_BITS)
  if (size === undefined) return 'incomplete'
  if (size.payload > MESSAGE_BYTES_MAX) return CLOSED.tooBig
  const start = size.headBytes + MASK_BYTES
  const length = start + size.payload
  if (bytes.length < length) return 'incomplete'
  const mask = bytes.subarray(size.headBytes, start)
  const payload = Buffer.from(bytes.subarray(start, length))
  for (let at = 0; at < payload.length; at += 1) payload[at] = (payload[at] ?? 0) ^ (mask[at % MASK_BYTES] ?? 0)
  return { frame: { opcode: first & OPCODE_BITS, isFinal: (first & FINAL_BIT) !== 0, payload }, length }
}

function readSize(bytes: Buffer, short: number): { payload: number; headBytes: number } | undefined {
  const HEAD_BYTES = 2
  if (short <= SHORT_MAX) return { payload: short, headBytes: HEAD_BYTES }
  const more = short === LENGTH_IN_2_BYTES ? 2 : 8
  if (bytes.length < HEAD_BYTES + more) return undefined
  const payload = more === 2 ? bytes.readUInt16BE(HEAD_BYTES) : Number(bytes.readBigUInt64BE(HEAD_BYTES))
  return { payload, headBytes: HEAD_BYTES + more }
}

function frameOf(opcode: number, payload: Buffer): Buffer {
  return Buffer.concat([headOf(opcode, payload.length), payload])
}

function headOf(opcode: number, length: number): Buffer {
  const first = FINAL_BIT | opcode
  if (length <= SHORT_MAX) return Buffer.from([first, length])
  if (length <= UINT16_MAX) {
    const head = Buffer.from([first, LENGTH_IN_2_BYTES, 0, 0])
    head.writeUInt16BE(length, 2)
    return head
  }
  const head = Buffer.alloc(2 + 8)
  head[0] = first
  head[1] = LENGTH_IN_8_BYTES
  head.writeBigUInt64BE(BigInt(length), 2)
  return head
}

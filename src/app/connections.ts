import { BlockList, isIP, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { networkOf } from '../platform/identity/passwords/network-of.ts'
import { forgetVerified, isVerified } from '../verified-sockets.ts'

/** Connections that one address may hold without having proved who it is. */
const CONNECTIONS_OF_AN_ADDRESS_MAX = 64
/** Connections at once. Each may hold `FREE_BYTES` of an unverified body. */
const CONNECTIONS_MAX = 1_000
/** What is let in beyond that, for as long as the oldest stranger takes to go. */
const CONNECTIONS_SPARE = 100
/** How long a new connection is left alone: connections that come together have not had time to send their heads. */
const GRACE_MS = 1_000
/** How often the connections of each address are counted. */
const COUNT_EVERY_MS = 500

type TrustProxy = Config['trustProxy']

interface Connection {
  socket: Socket
  /** The network of the holder: of the other end, or of the address that a trusted proxy forwards; undefined before it has. */
  address: string | undefined
  openedAt: number
}

/**
 * Keeps room for senders who are known. An address that has not proved who it is holds 64 connections at most; when all
 * together are too many, the oldest such connection makes room for the new one.
 */
export class Connections {
  // In the order in which they came, so that the oldest is met first.
  readonly #open = new Map<Socket, Connection>()
  readonly #isProxy: (address: string | undefined) => boolean

  constructor(trustProxy: TrustProxy) {
    this.#isProxy = proxyTest(trustProxy)
  }

  /** Watches every connection of the server until it closes. */
  watch(http: FastifyInstance): void {
    const { server } = http
    server.maxConnections = CONNECTIONS_MAX + CONNECTIONS_SPARE
    server.on('connection', (socket: Socket) => this.#opened(socket))
    const counting = setInterval(() => this.#limitAddresses(), COUNT_EVERY_MS)
    counting.unref()
    http.addHook('onClose', async () => clearInterval(counting))
    http.addHook('onRequest', (request, reply, done) => {
      const { socket } = request.raw
      this.#requested(socket, networkOf(request.ip))
      if (this.#isProxy(socket.remoteAddress)) reply.raw.once('close', () => this.#answered(socket))
      done()
    })
  }

  #opened(socket: Socket): void {
    const address = this.#isProxy(socket.remoteAddress) ? undefined : networkOf(socket.remoteAddress ?? '')
    this.#open.set(socket, { socket, address, openedAt: performance.now() })
    socket.once('close', () => this.#open.delete(socket))
    if (this.#open.size > CONNECTIONS_MAX) this.#closeOldestStranger()
  }

  #requested(socket: Socket, address: string): void {
    const connection = this.#open.get(socket)
    if (connection === undefined || connection.address === address) return
    connection.address = address
    if (!this.#isProxy(socket.remoteAddress)) return
    // A proxy keeps its connections: anyone who asks over it now has come now.
    this.#open.delete(socket)
    this.#open.set(socket, { socket, address, openedAt: performance.now() })
  }

  /** A proxy sends the requests of many over one connection: until the next one it is nobody's. */
  #answered(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    forgetVerified(socket)
    connection.address = undefined
  }

  #closeOldestStranger(): void {
    for (const { socket } of this.#open.values()) {
      if (isVerified(socket)) continue
      this.#close(socket)
      return
    }
  }

  #limitAddresses(): void {
    const strangers = [...this.#open.values()].filter(({ socket }) => !isVerified(socket))
    const patient = performance.now() - GRACE_MS
    for (const [address, held] of Map.groupBy(strangers, (each) => each.address)) {
      if (address === undefined) continue
      const tooMany = held.slice(0, Math.max(0, held.length - CONNECTIONS_OF_AN_ADDRESS_MAX))
      for (const { socket } of tooMany.filter(({ openedAt }) => openedAt < patient)) this.#close(socket)
    }
  }

  #close(socket: Socket): void {
    this.#open.delete(socket)
    socket.destroy()
  }
}

/** Whether a connection from an address is a trusted proxy's. */
function proxyTest(trustProxy: TrustProxy): (address: string | undefined) => boolean {
  if (trustProxy === false) return () => false
  if (typeof trustProxy === 'number') return () => trustProxy > 0
  const proxies = new BlockList()
  for (const each of trustProxy) {
    const [address = '', bits] = each.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) proxies.addAddress(address, family)
    else proxies.addSubnet(address, Number(bits), family)
  }
  return (address) => address !== undefined && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

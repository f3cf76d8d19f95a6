import net from 'node:net'

/** The way to the service, which can be cut: a browser sees no more of a service that stops. */
export class Line {
  readonly url: string
  readonly #port: number
  readonly #target: URL
  readonly #sockets = new Set<net.Socket>()
  #server: net.Server
  #isSilent = false

  private constructor(server: net.Server, port: number, target: URL) {
    this.#server = server
    this.#port = port
    this.#target = target
    this.url = `http://127.0.0.1:${port}`
  }

  static async to(url: string): Promise<Line> {
    const server = net.createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const line = new Line(server, (server.address() as net.AddressInfo).port, new URL(url))
    server.on('connection', (socket) => line.#join(socket))
    return line
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  async mend(): Promise<void> {
    if (this.#server.listening) return
    this.#server = net.createServer((socket) => this.#join(socket))
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve))
  }

  /** Nothing comes through any more, and nobody says so: as when a network is gone. */
  silence(isSilent: boolean): void {
    this.#isSilent = isSilent
    for (const socket of this.#sockets) {
      if (isSilent) socket.pause()
      else socket.resume()
    }
  }

  #join(socket: net.Socket): void {
    const there = net.connect(Number(this.#target.port), this.#target.hostname)
    for (const [one, other] of [
      [socket, there],
      [there, socket],
    ] as const) {
      this.#sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        this.#sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
      if (this.#isSilent) one.pause()
    }
  }
}

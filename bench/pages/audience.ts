import { type ClientRequest, get } from 'node:http'
import type { Person } from './company-data.ts'

/** Browsers that listen to what is new and show nothing. */
export class Audience {
  heard = 0
  readonly #requests: ClientRequest[] = []

  get size(): number {
    return this.#requests.length
  }

  /** So many streams, shared out to the people; each has said hello. */
  static async open(address: string, people: readonly Person[], streams: number): Promise<Audience> {
    const audience = new Audience()
    for (let nth = 0; nth < streams; nth += 1) {
      const person = people[nth % people.length]
      if (person !== undefined) await audience.#listen(address, person)
    }
    return audience
  }

  close(): void {
    for (const request of this.#requests) request.destroy()
  }

  #listen(address: string, { cookie, login }: Person): Promise<void> {
    return new Promise((resolve, reject) => {
      const request = get(`${address}/api/live`, { headers: { cookie }, agent: false }, (stream) => {
        if (stream.statusCode !== 200) reject(new Error(`${login} gets no stream: ${stream.statusCode}`))
        stream.setEncoding('utf8').on('data', (text: string) => {
          if (text.includes('event: hello')) resolve()
          if (text.includes('event: records')) this.heard += 1
        })
        stream.on('error', () => undefined)
      })
      request.on('error', reject)
      this.#requests.push(request)
    })
  }
}

// A call that has arrived is answered however long it takes: who hears nothing sends it again, and it would be written twice.
import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MaybeSavedError } from '../../../src/database/database.ts'
import { answerJsonErrors } from '../../../src/platform/api/rpc-routes.ts'
import { untilAnswered } from '../../../src/platform/api/until-answered.ts'

/** Milliseconds of silence after which this server closes a connection. */
const SILENCE_MS = 200

let isLate: Promise<void>
let goOn: () => void
const closed: string[] = []
const server = createServer((request, response) => {
  const { socket } = request
  socket.on('timeout', () => closed.push(request.url ?? ''))
  const answer = () => isLate.then(() => response.end('done'))
  if (request.url === '/patient') void untilAnswered(socket, answer)
  else void answer()
}).setTimeout(SILENCE_MS)

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => server.close(resolve)))

/** The answer, or the code of the error. */
function fetched(path: string): Promise<string> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve) => {
    ask({ port, path, agent: false }, (answer) => {
      answer.setEncoding('utf8').on('data', resolve)
    })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
      .end()
  })
}

it('a call that takes longer than a connection may be silent is answered, and silence counts again afterwards', async () => {
  ;({ promise: isLate, resolve: goOn } = Promise.withResolvers<void>())
  const patient = fetched('/patient')
  // The other one is closed for its silence; by then the patient one has been silent as long.
  expect(await fetched('/impatient')).toBe('ECONNRESET')
  expect(closed).toEqual(['/impatient'])
  goOn()
  expect(await patient).toBe('done')
  const socket = {
    timeout: SILENCE_MS,
    set: [] as number[],
    setTimeout(ms: number) {
      this.set.push(ms)
      return this as never
    },
  }
  await expect(untilAnswered(socket, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(socket.set).toEqual([0, SILENCE_MS])
})

it('a call whose commit was cut off is told that it may have been saved', async () => {
  const app = fastify()
  answerJsonErrors(app, { log: { error: () => undefined } } as never)
  app.get('/', () => {
    throw new MaybeSavedError(new Error('Connection terminated unexpectedly'))
  })
  const answer = await app.inject('/')
  expect(answer.statusCode).toBe(503)
  expect(answer.json()).toMatchObject({
    message: 'The database went away while it saved this, and may have saved it: look before you try again.',
    context: { code: 'maybe-saved', kind: 'unavailable' },
  })
})

import { request } from 'node:http'
import { percentile } from '../meter.ts'
import type { Person } from './company-data.ts'

const P50 = 50
const P95 = 95
const REFUSED_CHARS = 160

/** What a page asks the service. */
export interface Question {
  name: string
  path: string
  args: object
}

export interface Answered {
  status: number
  ms: number
  body: string
}

/** What became of one question that was asked several times. */
export interface Timed {
  who: string
  name: string
  p50: number
  p95: number
  slowest: number
  /** Rows of the last answer, or what it said instead. */
  answer: string
}

/** Asks as the page of somebody who is signed in; the time is until the last byte of the answer. */
export function ask(address: string, { cookie }: Person, { path, args }: Question): Promise<Answered> {
  const body = JSON.stringify(args)
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const headers = {
      cookie,
      'content-type': 'application/json',
      'x-requested-with': 'fetch',
      'sec-fetch-site': 'same-origin',
    }
    const sent = request(`${address}${path}`, { method: 'POST', headers }, (message) => {
      let text = ''
      message.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      message.on('end', () => {
        resolve({ status: message.statusCode ?? 0, ms: performance.now() - began, body: text })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Asks so many times, one after the other, and says how long it took. */
export async function time(address: string, person: Person, question: Question, times: number): Promise<Timed> {
  const all: number[] = []
  let last: Answered | undefined
  for (let nth = 0; nth < times; nth += 1) {
    last = await ask(address, person, question)
    all.push(last.ms)
  }
  all.sort((a, b) => a - b)
  return {
    who: person.login,
    name: question.name,
    p50: percentile(all, P50),
    p95: percentile(all, P95),
    slowest: all.at(-1) ?? Number.NaN,
    answer: describe(last),
  }
}

function describe(answered: Answered | undefined): string {
  if (answered === undefined) return ''
  if (answered.status !== 200) return `${answered.status} ${answered.body.slice(0, REFUSED_CHARS)}`
  const value: unknown = JSON.parse(answered.body)
  if (Array.isArray(value)) return `${value.length} rows`
  return typeof value === 'object' ? 'an object' : String(value)
}

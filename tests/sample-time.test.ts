import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { sampleUntil } from '../scripts/sample-time.ts'

const SAMPLES = path.join(import.meta.dirname, '../samples')
const NOW = new Date('2031-03-04T05:06:07.890Z')
const AT = NOW.getTime() / 1_000

it('the sample of a conversation has just ended, as long as it was, and its tool said the time of then', () => {
  const { event_timestamp: eventAt, data } = JSON.parse(
    sampleUntil(readFileSync(path.join(SAMPLES, 'transcription.json'), 'utf8'), NOW),
  )
  expect(eventAt).toBe(Math.floor(AT))
  expect([eventAt - data.metadata.start_time_unix_secs, eventAt - data.metadata.accepted_time_unix_secs]).toEqual([
    52, 50,
  ])
  const [said] = data.transcript.flatMap(
    (turn: { tool_results: { result_value: string }[] | null }) => turn.tool_results ?? [],
  )
  expect(JSON.parse(said.result_value).current_date).toBe('2031-03-04 05:05:25.000000')
})

it.each(readdirSync(SAMPLES))('nothing in %s is of another day', (name) => {
  const fresh = sampleUntil(readFileSync(path.join(SAMPLES, name), 'utf8'), NOW)
  expect(JSON.parse(fresh).event_timestamp).toBe(Math.floor(AT))
  expect(fresh).not.toMatch(/\b17599\d{5}\b|\b2025-/)
})

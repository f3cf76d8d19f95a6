import { describe, expect, test } from 'vitest'
import { readTurns } from '../../../src/voiceai/conversations/post-call-turns.ts'

const ASKED = { tool_name: 'create_ticket', request_id: 'r1', params_as_json: '{"subject":"Boiler"}' }
const ANSWERED = {
  tool_name: 'create_ticket',
  request_id: 'r1',
  result_value: '{"ticket_id":1}',
  tool_latency_secs: 0.009,
}

describe('the turns of a conversation', () => {
  test('turns have their time in milliseconds, their words, and whether they were interrupted', () => {
    const turn = { role: 'user', message: ' My boiler leaks. ', time_in_call_secs: 7, interrupted: true }
    expect(readTurns([turn])).toEqual([
      { at_ms: 7_000, role: 'user', text: 'My boiler leaks.', interrupted: true, tools: [] },
    ])
  })

  test('turns join what a tool was asked with what it answered', () => {
    const [turn] =
      readTurns([{ role: 'agent', time_in_call_secs: 8, tool_calls: [ASKED], tool_results: [ANSWERED] }]) ?? []
    expect(turn?.tools).toEqual([
      {
        name: 'create_ticket',
        request_id: 'r1',
        arguments: '{"subject":"Boiler"}',
        answer: '{"ticket_id":1}',
        is_error: false,
        took_ms: 9,
      },
    ])
  })

  test('turns keep an answer that comes in a turn of its own', () => {
    const turns = readTurns([{ tool_results: [{ ...ANSWERED, is_error: true }] }])
    expect(turns?.[0]?.tools).toMatchObject([{ name: 'create_ticket', arguments: null, is_error: true }])
  })

  test.each([[undefined], [null], ['text'], [[]], [[null, 7, { message: 4 }]]])('turns of %j are none', (given) => {
    expect(readTurns(given)).toBeUndefined()
  })

  test('turns are as many and as long as may be kept, whatever is sent', () => {
    const long = { role: 'agent', message: 'x'.repeat(300_000) }
    expect(readTurns([long, long])).toHaveLength(1)
    expect(readTurns(Array.from({ length: 5_000 }, () => ({ message: 'a' })))).toHaveLength(2_000)
    expect(readTurns([{ message: 'a', time_in_call_secs: -1e300, tool_calls: 'no' }])?.[0]?.at_ms).toBe(0)
  })
})

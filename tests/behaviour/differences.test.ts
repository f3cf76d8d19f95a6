import { describe, expect, test } from 'vitest'
import { differencesOf } from './differences.ts'
import type { Exchange, Recording } from './recorder.ts'

function anExchange(target: string, body: string): Exchange {
  return { part: 'api', name: 'user', request: { method: 'GET', target }, reply: { status: 200, headers: {}, body } }
}

function aRecording(changes: Partial<Recording>): Recording {
  const empty = { exchanges: [], commands: [], providers: [], retries: [], complaints: [], rows: {} }
  return { commit: 'abc', database: 'embedded', ...empty, ...changes }
}

describe('the comparison of two recordings', () => {
  test('finds nothing in the same', () => {
    const recording = aRecording({ exchanges: [anExchange('/a', '{"x":1}')], rows: { end: { call: [{ id: 1 }] } } })
    expect(differencesOf(recording, structuredClone(recording))).toEqual([])
  })

  test('names the request, the field of its answer and both values', () => {
    const [old, young] = ['{"call":{"status":"busy"}}', '{"call":{"status":"failed"}}']
    const lines = differencesOf(
      aRecording({ exchanges: [anExchange('/a', old)] }),
      aRecording({ exchanges: [anExchange('/a', young)] }),
    )
    expect(lines).toEqual([
      'exchange 1: api / user / GET /a: reply: body: call: status\n  before: "busy"\n  after:  "failed"',
    ])
  })

  test('shows texts that have the same values and are written otherwise', () => {
    const lines = differencesOf(
      aRecording({ exchanges: [anExchange('/a', '{"x":1,"y":2}')] }),
      aRecording({ exchanges: [anExchange('/a', '{"y":2,"x":1}')] }),
    )
    expect(lines).toHaveLength(1)
  })

  test('tells one request more from all that come after it', () => {
    const [a, b, c] = [anExchange('/a', '1'), anExchange('/b', '2'), anExchange('/c', '3')]
    const [two, three] = [aRecording({ exchanges: [a, c] }), aRecording({ exchanges: [a, b, c] })]
    expect(differencesOf(two, three)).toEqual(['exchange only after: 2: api / user / GET /b'])
    expect(differencesOf(three, two)).toEqual(['exchange only before: 2: api / user / GET /b'])
  })

  test('finds a changed, a missing and a new row', () => {
    const lines = differencesOf(
      aRecording({ rows: { end: { call: [{ id: 1, status: 'busy' }, { id: 2 }] } } }),
      aRecording({ rows: { end: { call: [{ id: 1, status: 'failed' }, { id: 3 }] } } }),
    )
    expect(lines).toEqual([
      'end: call 1: id 1: status\n  before: "busy"\n  after:  "failed"',
      'end: call only before: 2: id 2',
      'end: call only after: 2: id 3',
    ])
  })

  test('takes random values for the same when each stands for one of the other recording', () => {
    const [old, young] = ['["<random 1>","<random 2>","<random 1>"]', '["<random 5>","<random 1>","<random 5>"]']
    const compare = (text: string): string[] =>
      differencesOf(
        aRecording({ exchanges: [anExchange('/a', old)] }),
        aRecording({ exchanges: [anExchange('/a', text)] }),
      )
    expect(compare(young)).toEqual([])
    expect(compare('["<random 5>","<random 1>","<random 1>"]')).not.toEqual([])
    expect(compare('["<random 5>","<random 5>","<random 5>"]')).not.toEqual([])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Conversation, readPostCall } from '../../../src/voiceai/conversations/post-call-payload.ts'
import { FIXTURES, parseFixture } from '../../fixtures/post-call.ts'

describe('readPostCall', () => {
  it.each(FIXTURES)('tells what kind of delivery %s is', (name) => {
    const kinds = { transcript: 'transcript', audio: 'audio', failure: 'failure', unknown: 'unknown' } as const
    const [start = 'unknown'] = name.split('-')
    expect(readPostCall(parseFixture(name))?.kind).toBe(kinds[start as keyof typeof kinds])
  })

  it('reads all there is of a transcript', () => {
    expect(readPostCall(parseFixture('transcript'))).toEqual({
      kind: 'transcript',
      conversation: {
        conversationId: 'conv_1',
        agentUid: 'agent_1',
        callSid: 'CA00000000000000000000000000000001',
        callIds: [7_000_001],
        externalNumber: '+14155550100',
        announcement: 'not_played',
        agentNumber: '+14155550199',
        isOutbound: false,
        isSuccessful: true,
        hasFailed: false,
        result: 'success',
        durationSeconds: 50,
        transcript: expect.stringContaining('heating'),
        summary: 'Caller reported a broken unit.',
        startedAtMs: 1_759_931_600_000,
        terminationReason: 'client ended',
        isSilent: false,
        analysis: { costCredits: 296, language: 'en' },
        turns: [
          expect.objectContaining({ at_ms: 0, role: 'agent', text: 'Hello, how can I help?', tools: [] }),
          expect.objectContaining({ at_ms: 4_000, role: 'user', text: 'My heating is broken.', tools: [] }),
          expect.objectContaining({
            at_ms: 12_000,
            tools: [
              expect.objectContaining({ name: 'helpdesk_create_ticket', answer: '{"ticket_id":9}', took_ms: 400 }),
            ],
          }),
          expect.objectContaining({ at_ms: 14_000, role: 'agent', tools: [] }),
        ],
      },
    })
  })

  it('readPostCall of a transcript that is too long keeps the beginning, and says at its end that it was cut', () => {
    const transcript = transcriptOf([{ role: 'user', message: 'x'.repeat(400_001) }]) ?? ''
    expect(transcript.length).toBeLessThanOrEqual(400_000)
    expect(transcript).toMatch(
      /^user: x+\n\[The transcript is longer than 400,000 characters; its end is left out\.\]$/,
    )
    const whole = `user: ${'y'.repeat(400_000 - 'user: '.length)}`
    expect(transcriptOf([{ role: 'user', message: whole.slice('user: '.length) }])).toBe(whole)
  })

  it('readPostCall of anything at all never throws, and gives values that can be stored', () => {
    const part = fc.jsonValue({ maxDepth: 4 })
    const body = fc.oneof(
      fc.anything(),
      part,
      fc.record(
        {
          type: fc.oneof(
            fc.constantFrom('post_call_transcription', 'post_call_audio', 'call_initiation_failure', ''),
            part,
          ),
          data: fc.oneof(
            part,
            fc.dictionary(fc.constantFrom('conversation_id', 'transcript', 'metadata', 'analysis', 'full_audio'), part),
          ),
        },
        { requiredKeys: [] },
      ),
    )
    fc.assert(
      fc.property(body, (value) => {
        const read = readPostCall(value)
        if (read?.kind === 'transcript') expectStorable(read.conversation)
      }),
    )
  })
})

describe('the transcript', () => {
  it('a transcript has one line for each turn with words, and nothing else', () => {
    const turn = fc.record({ role: fc.constantFrom('user', 'agent'), message: fc.stringMatching(/^[ a-z]{0,20}$/) })
    fc.assert(
      fc.property(fc.array(turn), (turns) => {
        const spoken = turns.filter(({ message }) => message.trim() !== '')
        const lines = transcriptOf(turns)?.split('\n') ?? []
        expect(lines).toEqual(spoken.map(({ role, message }) => `${role}: ${message.trim()}`))
      }),
    )
  })

  it.each([undefined, null, 'text', 7, {}, [], [null], [{}], [{ message: 7 }], [[]]])(
    'a transcript of %j is nothing',
    (turns) => {
      expect(transcriptOf(turns)).toBeUndefined()
    },
  )
})

function transcriptOf(transcript: unknown): string | undefined {
  const read = readPostCall({ type: 'post_call_transcription', data: { transcript } })
  return read?.kind === 'transcript' ? read.conversation.transcript : undefined
}

function expectStorable({ callIds, durationSeconds, ...parts }: Conversation): void {
  expect(callIds.every((id) => id > 0)).toBe(true)
  expect(Number.isInteger(durationSeconds) && durationSeconds >= 0).toBe(true)
  const texts = Object.values(parts).filter((part) => typeof part === 'string')
  for (const text of texts) {
    expect(text.isWellFormed()).toBe(true)
    expect(text).not.toContain('\0')
  }
}

// What is written is, byte for byte, what the provider's own builder writes.
import fc from 'fast-check'
import VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js'
import { describe, expect, test } from 'vitest'
import { legalText, renderMarkup, type Verb, verb } from '../../../src/telco/markup/verb.ts'
import { anyCharacter } from '../../support/any-text.ts'

type Parent = Pick<VoiceResponse, 'addChild' | 'addText'>

function byTheProvider(verbs: readonly Verb[]): string {
  const response = new VoiceResponse()
  for (const each of verbs) append(response, each)
  return response.toString().replace(/^<\?xml[^>]*\?>/, '')
}

// Its builder throws for some characters that XML cannot carry, and writes others that the provider cannot read.
function append(parent: Parent, { name, attributes, children }: Verb): void {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined)
  const values = given.map(([key, value]) => [key, legalText(Array.isArray(value) ? value.join(' ') : String(value))])
  const element = parent.addChild(name, Object.fromEntries(values))
  for (const child of children) {
    if (typeof child === 'string') element.addText(legalText(child))
    else append(element, child)
  }
}

const names = fc.constantFrom('Say', 'Dial', 'Client', 'Gather', 'Parameter', 'Play')
const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.constantFrom('&amp;', '<Say>', ']]>', '"quoted" & \'so\'', ' ', '\r\n\t', 'ünï 日本 😀', ''),
)
const attributes = fc.dictionary(
  fc.constantFrom('action', 'callerId', 'timeout', 'statusCallbackEvent', 'record'),
  fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text, { maxLength: 3 }), fc.constant(undefined)),
)
const { verbs } = fc.letrec<{ verbs: Verb[]; verb: Verb }>((tie) => ({
  verbs: fc.array(tie('verb'), { maxLength: 4 }),
  verb: fc.record({
    name: names,
    attributes,
    // Texts side by side are one: the reader cannot tell them apart.
    children: fc.oneof({ depthSize: 'small' }, fc.tuple(text), tie('verbs')),
  }),
}))

describe('written markup', () => {
  test('any verbs are written as the provider writes them', () => {
    fc.assert(
      fc.property(verbs, (each) => {
        expect(renderMarkup(each)).toBe(byTheProvider(each))
      }),
    )
  })

  test.each([
    ['no verbs', []],
    ['an element without text', [verb('Say', {}, [''])]],
    ['a text with markup in it', [verb('Say', {}, ['Press <1> & "wait"'])]],
    ['lines in an attribute', [verb('Dial', { action: 'a\tb\nc\rd' })]],
  ])('%s is written as the provider writes it', (_what, each: Verb[]) => {
    expect(renderMarkup(each)).toBe(byTheProvider(each))
  })
})

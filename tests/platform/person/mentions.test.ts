// What is found of a person in what others wrote: every usual written form, nothing else, and in time that grows with the text.
import { describe, expect, it } from 'vitest'
import { Mentions } from '../../../src/platform/person/mentions.ts'

const ZOE = new Mentions({
  names: ['Zoë Miller'],
  numbers: ['+14155550210', '+41791112233'],
  emails: ['zoe@miller.example'],
})

describe('a number', () => {
  it.each([
    ['+14155550210', '•••'],
    ['call (415) 555-0210!', 'call •••!'],
    ['1-415-555-0210', '•••'],
    ['0014155550210', '•••'],
    ['+41 (0)79 111 22 33', '•••'],
    ['0791112233', '•••'],
    ['079 111 22 33, ask', '•••, ask'],
    ['From=%2B14155550210&To=x', 'From=•••&To=x'],
    ['tel:+1&nbsp;415&nbsp;555&nbsp;0210', 'tel:•••'],
    ['\\u002b1 415\\u00a0555 0210', '•••'],
    ['４１５ ５５５ ０２１０', '•••'],
  ])('a mention is found in %j', (text, redacted) => {
    expect(ZOE.redact(text)).toBe(redacted)
  })

  it.each(['94155550210', '41555502109', '+49 4155550210', '415 555 021', '2415555021099', 'CA415x5550210'])(
    'is not found in %j, which is another one',
    (text) => {
      expect(ZOE.redact(text)).toBe(text)
    },
  )

  it('a number that is short is found with its code only', () => {
    const short = new Mentions({ names: [], numbers: ['+298201234'], emails: [] })
    expect(short.redact('+298 201234, and 201234 crowns')).toBe('•••, and 201234 crowns')
  })
})

describe('an address', () => {
  it.each([
    ['Zoe@Miller.example', '•••'],
    ['<zoe@miller.example>.', '<•••>.'],
    ['to=zoe%40miller.example&x', 'to=•••&x'],
    ['zoe&#64;miller.example', '•••'],
  ])('a mention is found in %j', (text, redacted) => {
    expect(ZOE.redact(text)).toBe(redacted)
  })

  it.each(['joe.zoe@miller.example', 'zoe@miller.example.org', 'zoe@miller.examples'])(
    'is not found in %j, which is another one',
    (text) => {
      expect(ZOE.redact(text)).toBe(text)
    },
  )
})

describe('a name', () => {
  it('a name is found in records of the person, and where a number or an address of theirs stands, and nowhere else', () => {
    expect(ZOE.redact('Zoe Miller told me')).toBe('Zoe Miller told me')
    expect(ZOE.redact('Zoe Miller told me', { withNames: true })).toBe('••• told me')
    expect(ZOE.redact('Zoe Miller (415-555-0210) told me')).toBe('••• (•••) told me')
  })

  it.each(['ZOE  MILLER', 'Miller, Zoë', 'Zo%C3%AB%20Miller', 'Zo&#235;&nbsp;Miller', 'Zoe_Miller', 'Zoe\nMiller'])(
    'is found written as %j',
    (text) => {
      expect(ZOE.redact(text, { withNames: true })).toBe('•••')
    },
  )

  it.each([
    ["Sean O'Neill", 'Sean O\u2019Neill'],
    ["Sean O'Neill", 'sean oneill'],
    ["Sean O'Neill", 'O`Neill, Sean'],
    ['\u02bbIolani Ka\u02bbahumanu', "'Iolani Ka'ahumanu"],
    ["Ka'ahumanu Iolani", '\u02bbIolani Ka\u02bbahumanu'],
    ['\u02bbIolani Ka\u02bbahumanu', 'Iolani Kaahumanu'],
    ['Anna Müller-Weiß', 'Müller-Weiß, Anna'],
  ])('%s is found written as %s', (name, text) => {
    const aimed = new Mentions({ names: [name], numbers: [], emails: [] })
    expect(aimed.redact(`${text} told me`, { withNames: true })).toMatch(/^['\u02bb]?••• told me$/)
  })

  it.each(['Zoe', 'Zoey Miller', 'Zoe Millers', 'Zoe went to the miller', 'Miller'])('is not found in %j', (text) => {
    expect(ZOE.redact(text, { withNames: true })).toBe(text)
  })
})

describe('JSON', () => {
  it('JSON is redacted value by value: keys and form stay, whatever the name', () => {
    const aimed = new Mentions({ names: ['Field Priority', 'Null True'], numbers: ['+14155550210'], emails: [] })
    const value = [{ field: 'priority', '+14155550210': 14155550210, text: 'field, priority', list: [null, true, 'x'] }]
    const expected = [{ field: 'priority', '+14155550210': '•••', text: '•••', list: [null, true, 'x'] }]
    expect(aimed.redactJson(value, { withNames: true })).toEqual(expected)
  })
})

it('texts that are made to be slow are read once', () => {
  const twenty = Array.from({ length: 12 }, () => '20').join(' ')
  const aimed = new Mentions({
    names: [twenty, 'a a a a a a a a a a a b'],
    numbers: ['+12020202021'],
    emails: ['aaaaaaaaaaaaaaaa@aaaaaaaaaaaa.example'],
  })
  const attacks = ['20 ', '%20', '20', 'a ', 'a', 'aaaaaaaaaaaaaaaa@', '&#32;', '+1', '•', '%', '\\u0020', '&']
  for (const attack of attacks) {
    const text = attack.repeat(Math.ceil(200_000 / attack.length))
    expect(aimed.redact(text, { withNames: true }).length).toBeLessThanOrEqual(text.length)
    expect(aimed.isIn(`${text}_`)).toBe(false)
  }
})

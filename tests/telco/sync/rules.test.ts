import { describe, expect, test } from 'vitest'
import { isShrunk } from '../../../src/sync/shrinkage.ts'
import { showMoney } from '../../../src/telco/account/money.ts'
import {
  approvalName,
  mediaOfTemplate,
  readContentTypes,
  toContentTypes,
} from '../../../src/telco/whatsapp/template-content.ts'
import { findLanguage, templateLanguage } from '../../../src/telco/whatsapp/template-language.ts'

test.each([
  ['nothing is gone', { found: 0, known: 0, gone: 0 }, false],
  ['one of one', { found: 0, known: 1, gone: 1 }, true],
  ['one of two', { found: 1, known: 2, gone: 1 }, false],
  ['two of three', { found: 1, known: 3, gone: 2 }, false],
  ['three of four', { found: 1, known: 4, gone: 3 }, true],
  ['nine of ten', { found: 1, known: 10, gone: 9 }, true],
  ['ten of twenty', { found: 10, known: 20, gone: 10 }, false],
  ['eleven of twenty', { found: 9, known: 20, gone: 11 }, true],
  ['all of them, and others are there', { found: 20, known: 20, gone: 20 }, true],
])('a list is doubted: %s', (_what, change, isDoubted) => {
  expect(isShrunk(change)).toBe(isDoubted)
})

test.each([
  ['12.30', 'USD', '$12.30 USD'],
  ['-0.5', 'USD', '-$0.50 USD'],
  ['1234.5', 'eur', '€1,234.50 EUR'],
  ['7', 'CHF', 'CHF 7.00'],
  ['', 'USD', 'USD'],
  ['n/a', 'USD', 'n/a USD'],
])('the balance %s %s is shown as %s', (amount, currency, shown) => {
  expect(showMoney({ amount, currency }).replaceAll('\u00a0', ' ').trim()).toBe(shown)
})

const KNOWN = ['text', 'media', 'location', 'list-picker', 'quick-reply', 'card', 'carousel', 'whatsapp/authentication']

describe('the content of a template', () => {
  test.each([
    ['text', 'Hello', null, { 'twilio/text': { body: 'Hello' } }],
    [
      'media',
      'Look',
      ['https://a.example/1.png'],
      { 'twilio/media': { body: 'Look', media: ['https://a.example/1.png'] } },
    ],
    [
      'quick-reply',
      'OK?',
      [{ id: 'y', title: 'Yes' }],
      { 'twilio/quick-reply': { body: 'OK?', actions: [{ id: 'y', title: 'Yes' }] } },
    ],
    [
      'list-picker',
      'Pick',
      [{ item: 'a' }],
      { 'twilio/list-picker': { button: 'Options', body: 'Pick', items: [{ item: 'a' }] } },
    ],
    ['card', 'Title', [{ type: 'URL' }], { 'twilio/card': { title: 'Title', actions: [{ type: 'URL' }] } }],
    ['carousel', 'See', [{ title: 'a' }], { 'twilio/carousel': { body: 'See', cards: [{ title: 'a' }] } }],
    ['location', null, [{ latitude: 1, longitude: 2 }], { 'twilio/location': { latitude: 1, longitude: 2 } }],
    [
      'whatsapp/authentication',
      null,
      [{ type: 'COPY_CODE' }],
      { 'whatsapp/authentication': { actions: [{ type: 'COPY_CODE' }] } },
    ],
  ])('the content of a template of the kind %s goes to the provider and comes back', (type, body, actions, types) => {
    expect(toContentTypes({ type, body, actions, media: null })).toEqual(types)
    expect(readContentTypes(types, KNOWN)).toEqual({ type, body, actions, media: null })
  })

  test.each([
    ['card', { title: 'Offer' }],
    ['whatsapp/card', { body: 'Offer' }],
  ])('the media in the header of a %s go to the provider and come back', (type, text) => {
    const media = ['https://a.example/{{1}}.png']
    const types = { [type.includes('/') ? type : `twilio/${type}`]: { ...text, media } }
    const written = { type, body: 'Offer', actions: null, media }
    expect(toContentTypes(written)).toEqual(types)
    expect(readContentTypes(types, [type])).toEqual(written)
    expect(mediaOfTemplate(written)).toEqual(media)
  })

  test('templates of media and of carousels have theirs among the actions', () => {
    const cards = [
      { title: 'a', media: 'https://a.example/1.png' },
      { title: 'b' },
      { title: 'c', media: 'https://a.example/3.png' },
    ]
    const none = { media: null, body: null }
    expect(mediaOfTemplate({ ...none, type: 'media', actions: ['https://a.example/1.mp4', 7] })).toEqual([
      'https://a.example/1.mp4',
    ])
    expect(mediaOfTemplate({ ...none, type: 'carousel', actions: cards })).toEqual([cards[0]?.media, cards[2]?.media])
    expect(mediaOfTemplate({ ...none, type: 'quick-reply', actions: [{ id: 'y' }] })).toEqual([])
  })

  test('keeps what it held beyond our fields', () => {
    const previous = { 'twilio/card': { title: 'Old', subtitle: 'Below', media: ['https://a.example'] } }
    expect(toContentTypes({ type: 'card', body: 'New', actions: null, media: null }, previous)).toEqual({
      'twilio/card': { title: 'New', subtitle: 'Below', media: ['https://a.example'] },
    })
  })

  test('the content of a template of several kinds is read as the first one that is known, of others not at all', () => {
    const types = { 'twilio/schedule': {}, 'twilio/text': { body: 'Hello' } }
    expect(readContentTypes(types, KNOWN)).toMatchObject({ type: 'text' })
    expect(readContentTypes({ 'twilio/schedule': {} }, KNOWN)).toBeUndefined()
  })
})

test.each([
  ['Welcome!', 'welcome'],
  ['Order 12 — shipped', 'order_12_shipped'],
  ['Ärger', 'a_rger'],
  ['日本', 'template'],
])('the template %j is submitted as %s', (name, approval) => {
  expect(approvalName(name)).toBe(approval)
})

const LANGUAGES = ['en_US', 'en_GB', 'de_DE', 'de_CH', 'nb_NO', 'pt_BR', 'ar_001'].map((code, id) => ({ id, code }))

test.each([
  ['en', 'en_US'],
  ['en_GB', 'en_GB'],
  ['pt-BR', 'pt_BR'],
  ['de', 'de_DE'],
  ['no', 'nb_NO'],
  ['nb', 'nb_NO'],
  ['ar', 'ar_001'],
  ['tlh', undefined],
])('a template in %s is in our language %s', (given, code) => {
  expect(findLanguage(given, LANGUAGES)?.code).toBe(code)
})

test.each([
  ['en_US', 'en_US'],
  ['de_CH', 'de'],
  ['nb_NO', 'nb'],
  ['zh_CN', 'zh_CN'],
])('our language %s is %s for templates', (code, given) => {
  expect(templateLanguage(code)).toBe(given)
})

// What a WhatsApp template holds beside its text, which a person writes in rows and the service stores as one list.
import { expect, test } from 'vitest'
import {
  type Content,
  contentLine,
  contentOf,
  contentOfRows,
  hasPlace,
  movedContent,
  rowsOfContent,
  shownContent,
  targetName,
  withKind,
  withPart,
} from '../../web/records/template-content.ts'

const TEMPLATES = 'connect.message_content_template'

function contentFor(kind: string): Content {
  const content = contentOf(kind)
  if (content === undefined) throw new Error(`No rows for ${kind}.`)
  return content
}

test('buttons are rows of what they do, say and lead to, and keep what has no place in a row', () => {
  const content = contentFor('call-to-action')
  const stored = [
    { type: 'URL', title: 'Open', url: 'https://example.com/{{1}}', id: 'one' },
    { type: 'PHONE_NUMBER', title: 'Call', phone: '+14155550100' },
  ]
  const rows = rowsOfContent(content, stored) ?? []
  expect(rows.map((row) => row[targetName(row) ?? ''])).toEqual(['https://example.com/{{1}}', '+14155550100'])
  expect(contentOfRows(content, rows)).toEqual(stored)
  expect(contentOfRows(content, [...rows, { type: 'URL' }])).toEqual(stored)
  expect(contentOfRows(content, [{ type: 'URL' }])).toBeNull()
  expect(movedContent(rows, 0, 1)).toEqual(stored.toReversed())
  expect(movedContent(rows, 1, 1)).toBeUndefined()
})

test('a button that does something else leads no longer where it led', () => {
  const button = { type: 'URL', title: 'Open', url: 'https://example.com' }
  expect(withKind(button, 'PHONE_NUMBER')).toEqual({ type: 'PHONE_NUMBER', title: 'Open' })
  expect(withPart(button, 'title', '')).toEqual({ type: 'URL', url: 'https://example.com' })
})

test('entries of a list have ids of their own, media are texts, and a place is one row', () => {
  const list = contentFor('list-picker')
  expect(list.fresh?.([{ id: '2', item: 'Red' }])).toEqual({ id: '3' })
  const media = contentFor('media')
  expect(rowsOfContent(media, ['https://example.com/a.png'])).toEqual([{ media: 'https://example.com/a.png' }])
  expect(contentOfRows(media, [{ media: 'https://example.com/a.png' }, {}])).toEqual(['https://example.com/a.png'])
  expect(contentFor('location').rowsMax).toBe(1)
})

test('what a program wrote in another shape has no rows, and is not replaced by none', () => {
  expect(rowsOfContent(contentFor('quick-reply'), ['Yes'])).toBeUndefined()
  expect(rowsOfContent(contentFor('quick-reply'), { title: 'Yes' })).toBeUndefined()
  expect(contentOf('flows')).toBeUndefined()
})

test('rows stay while they are typed, also when the service orders their parts, and follow a value set elsewhere', () => {
  const content = contentFor('quick-reply')
  const typed = [{ type: 'QUICK_REPLY', title: 'Yes' }, { type: 'QUICK_REPLY' }]
  expect(shownContent(content, typed, [{ title: 'Yes', type: 'QUICK_REPLY' }])).toBe(typed)
  expect(shownContent(content, typed, null)).toEqual([])
})

test('a text has no buttons, and only a card has media of its own', () => {
  expect(hasPlace(TEMPLATES, 'actions', { content_type: 'text', actions: null })).toBe(false)
  expect(hasPlace(TEMPLATES, 'actions', { content_type: 'quick-reply' })).toBe(true)
  expect(hasPlace(TEMPLATES, 'media', { content_type: 'media' })).toBe(false)
  expect(hasPlace(TEMPLATES, 'media', { content_type: 'card' })).toBe(true)
  expect(hasPlace(TEMPLATES, 'actions', { content_type: 'text', actions: [{ title: 'Old' }] })).toBe(true)
  expect(hasPlace('connect.recording', 'media', {})).toBe(true)
})

test('the content of a template in one line is what people read of it', () => {
  const buttons = [
    { type: 'URL', title: 'Open', url: 'https://example.com', id: 'one' },
    { type: 'QUICK_REPLY', title: 'Yes', id: 'two' },
  ]
  expect(contentLine(buttons)).toBe('Open: https://example.com, Yes')
  expect(contentLine([{ id: '1', item: 'Red', description: 'A colour' }])).toBe('Red')
  expect(contentLine(['https://example.com/a.png'])).toBe('https://example.com/a.png')
  expect(contentLine(null)).toBe('')
})

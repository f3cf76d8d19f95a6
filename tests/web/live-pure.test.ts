// What a change makes old, and what becomes of a list, without a browser.
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { describe, expect, test } from 'vitest'
import { MODELS_OF, storyQuery } from '../../web/contacts/story-data.ts'
import { type Change, isCounted, isOld, isTold } from '../../web/data/invalidation.ts'
import { keyOf } from '../../web/data/keys.ts'
import { tellsNewer } from '../../web/data/live.ts'
import { follow, isPagedList, noNews, patched } from '../../web/data/patch-pages.ts'
import { listQuery, pagesQuery } from '../../web/data/queries.ts'
import { readAnew } from '../../web/data/read-anew.ts'

const CALL_7: Change = { model: 'connect.call', ids: [7] }
const LEG_OF_7: Change = { model: 'connect.channel', ids: [3], calls: [7] }

test('a page is old when the service says so itself, not when an older tab passes on what it was told', () => {
  expect(tellsNewer({ kind: 'hello', build: 'new' }, 'old')).toBe(true)
  expect(tellsNewer({ kind: 'hello', build: 'new' }, 'new')).toBe(false)
  expect(tellsNewer({ kind: 'open', build: 'old' }, 'new')).toBe(false)
  expect(tellsNewer({ kind: 'hello', build: '' }, 'new')).toBe(false)
})

describe('what was read', () => {
  test.each([
    ['its list', ['connect.call', 'list', {}], CALL_7],
    ['its record', ['connect.call', 'one', 7, ['caller']], CALL_7],
    ['any record, when it does not say which', ['connect.call', 'one', 8], { model: 'connect.call', ids: null }],
    ['a count', ['connect.call', 'count', {}], CALL_7],
    ['figures', ['connect.call', 'figures', 'today'], CALL_7],
    ['the timeline of the call that a leg is of', ['connect.call', 'timeline', 7], LEG_OF_7],
    [
      'the timeline of any call, when it does not say of which',
      ['connect.call', 'timeline', 8],
      { ...LEG_OF_7, calls: null },
    ],
    ['the legs of a call, by the call', keyOf('connect.call', 'legs', 7), CALL_7],
    ['the legs of a call, by the recording of one', keyOf('connect.call', 'legs', 7), LEG_OF_7],
    ['conversations, by their messages', ['connect.conversation', 'list', {}], { model: 'connect.message', ids: [1] }],
    ['why a call failed, by a run', ['connect.call', 'explain', 7], { model: 'connect.sync_run', ids: [2] }],
    [
      'how much is unread, by what one has read',
      ['connect.message', 'counts'],
      { model: 'connect.conversation.reader', ids: [1] },
    ],
  ] as const)('a change makes %s old', (_what, key, change) => expect(isOld(key, [change])).toBe(true))

  test.each(Object.values(MODELS_OF))('a contact’s story is old after a change of %s', (model) =>
    expect(isOld(storyQuery(4, undefined).queryKey, [{ model, ids: [7] }])).toBe(true),
  )

  test('a contact’s notes are old after a call, which leaves one, and like its story they are read now and then', () => {
    const notes = keyOf('res.partner', 'posts', 4)
    expect(isOld(notes, [CALL_7])).toBe(true)
    expect([notes, storyQuery(4, undefined).queryKey].map(isCounted)).toEqual([true, true])
    expect(isCounted(keyOf('helpdesk.ticket', 'posts', 4))).toBe(false)
  })

  test.each([
    ['another record', ['connect.call', 'one', 8], CALL_7],
    ['another model', ['res.partner', 'list', {}], CALL_7],
    ['the timeline of another call', ['connect.call', 'timeline', 8], LEG_OF_7],
    ['a list of calls, by a leg', ['connect.call', 'list', {}], LEG_OF_7],
    ['the legs of another call', keyOf('connect.call', 'legs', 8), CALL_7],
    ['what fields there are', ['connect.call', 'fields'], CALL_7],
  ] as const)('a change leaves %s as it is', (_what, key, change) => expect(isOld(key, [change])).toBe(false))

  test('what the stream does not tell of grows old by itself', () => {
    expect([isTold(['connect.call', 'list']), isTold(['search', 'x']), isTold(['connect.job', 'list'])]).toEqual([
      true,
      false,
      false,
    ])
    // A report that changes a leg is told as a change of its call.
    expect(isTold(['connect.channel', 'pages'])).toBe(false)
    expect([isCounted(['connect.call', 'count', {}]), isCounted(['connect.call', 'list'])]).toEqual([true, false])
  })
})

describe('a list that is shown', () => {
  const shown = new Set([5, 4, 3])

  test('changed rows stay where they stand, and a page without any is the same', () => {
    const page = [
      { id: 5, name: 'a' },
      { id: 4, name: 'b' },
    ]
    expect(patched(page, new Map([[4, { id: 4, name: 'c' }]]))).toEqual([page[0], { id: 4, name: 'c' }])
    expect(patched(page, new Map([[9, { id: 9, name: 'c' }]]))).toBe(page)
    const list = pagesQuery('res.partner', { fields: ['name'] }).queryKey
    const whole = listQuery('res.partner', { fields: ['name'] }).queryKey
    expect([isPagedList(list, { pages: [page] }), isPagedList(list, undefined)]).toEqual([true, false])
    expect([isPagedList(whole, page), isPagedList(keyOf('connect.message', 'conversations', 'open', ''), {})]).toEqual([
      false,
      false,
    ])
    // The same question in the other shape is another key.
    const search = { domain: [], fields: ['name'], order: 'id desc' } as const
    expect(pagesQuery('res.partner', search).queryKey).not.toEqual(listQuery('res.partner', search).queryKey)
  })

  test('newer records that fit are counted, and those that fit no more are named', () => {
    const once = follow(noNews(), { ids: [6, 7, 5, 1], shown, fits: new Set([6, 1]) })
    expect(once).toEqual({ fresh: [6], unfit: [5] })
    // What changed back is neither; what came before the last row comes with its page.
    expect(follow(once, { ids: [6, 5], shown, fits: new Set([5]) })).toEqual({ fresh: [], unfit: [] })
  })
})

test('what is read for the first time while it changes is read again', async () => {
  const queries = new QueryClient()
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  let asked = 0
  const queryKey = ['connect.call', 'list']
  const queryFn = () => answers[asked++]?.promise ?? Promise.reject(new Error('asked too often'))
  const seen: unknown[] = []
  const stop = new QueryObserver(queries, { queryKey, queryFn, staleTime: Number.POSITIVE_INFINITY }).subscribe(
    ({ data }) => seen.push(data),
  )
  const query = queries.getQueryCache().find({ queryKey })
  if (query === undefined) throw new Error('nothing is read')
  const done = readAnew(queries, query)
  answers[0]?.resolve('before')
  answers[1]?.resolve('after')
  await done
  expect([asked, seen.at(-1)]).toEqual([2, 'after'])
  stop()
})

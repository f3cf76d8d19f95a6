// Refusals of the API that any model meets, and those of notes, files, views and settings: each by its code, its status and its
// sentence.
import { afterAll, beforeAll, describe, it } from 'vitest'
import { GROUP } from '../../src/platform/access/identity.ts'
import { aPartner } from '../fixtures/records.ts'
import { expectRefused, expectRefusedCall, type Refused, type RefusedCall } from '../support/refusals.ts'
import { insertRow } from '../support/rows.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

let app: TestApp
let admin: Caller
/** Works with Connect, and keeps nothing. */
let user: Caller
/** Administers Connect, and is no user manager. */
let keeper: Caller
let partner: number

beforeAll(async () => {
  app = await TestApp.start()
  admin = app.admin
  user = await app.person([GROUP.connectUser])
  keeper = await app.person([GROUP.connectAdmin])
  partner = await aPartner(app)
})
afterAll(() => app.stop())

const settings = async () => (await admin.ask<number[]>('connect.settings', 'search'))[0]
const many = <Each>(count: number, each: Each) => Array.from({ length: count }, () => each)

describe('values that cannot be written', () => {
  const CASES: readonly RefusedCall[] = [
    [
      'not-number',
      'helpdesk.stage/create',
      { vals_list: { name: 'x', sequence: 1.5 } },
      422,
      '"helpdesk.stage.sequence" must be a whole number.',
    ],
    [
      'too-long',
      'res.users/create',
      { vals_list: { name: 'x'.repeat(201), login: 'x' } },
      422,
      '"res.users.name" has more than 200 characters.',
    ],
    [
      'no-record-inside',
      'res.partner/write',
      () => ({ ids: [partner], vals: { child_ids: [[1, 2_000_000_000, { name: 'x' }]] } }),
      404,
      'There is no record 2000000000 of res.partner in "child_ids" of this record.',
    ],
    [
      'has-more-than-bytes',
      'connect.voiceai_file/create',
      { vals_list: { text: 'x', file: 'A'.repeat(14_000_000) } },
      422,
      '"connect.voiceai_file.file" has more than 10485760 bytes.',
    ],
    [
      'api-sets-too-many-links',
      'helpdesk.team/create',
      { vals_list: many(2, { name: 'x', member_ids: Array.from({ length: 6_000 }, () => 1) }) },
      422,
      'One call may set at most 10000 links: send it in parts.',
    ],
    [
      'connect-message-content-template-must-json',
      'connect.message_content_template/create',
      { vals_list: { friendly_name: 'x', language: 'en_US', variables: [] } },
      422,
      '"connect.message_content_template.variables" must be a JSON object.',
    ],
    [
      'not-date',
      'connect.telco.business_hours/create',
      { vals_list: { name: 'x', tz: 'UTC', holiday_ids: [[0, 0, { name: 'y', date_from: '2030-02-30' }]] } },
      422,
      '"connect.telco.holiday.date_from" must be a date written YYYY-MM-DD.',
    ],
    [
      'not-record',
      'res.partner/create',
      { vals_list: { name: 'x', parent_id: -1 } },
      422,
      '"res.partner.parent_id" must be the id of a record.',
    ],
    [
      'api-command-without-values',
      'res.partner/create',
      { vals_list: { name: 'x', child_ids: [[0, 0]] } },
      422,
      '"res.partner.child_ids" has a command [0,0,{...}] without the values of a new record.',
    ],
    [
      'api-written-with-commands-only-each-with',
      'res.partner/create',
      { vals_list: { name: 'x', child_ids: [[2, 0]] } },
      422,
      '"res.partner.child_ids" is written with commands [0,0,{...}], [1,id,{...}] and [2,id] only, each of a record of res.partner.',
    ],
    [
      'api-must-hold-ids-records',
      'helpdesk.team/create',
      { vals_list: { name: 'x', member_ids: [[6, 0, [-1]]] } },
      422,
      '"helpdesk.team.member_ids" must hold ids of records.',
    ],
    [
      'api-must-list-ids',
      'helpdesk.team/create',
      { vals_list: { name: 'x', member_ids: 'y' } },
      422,
      '"helpdesk.team.member_ids" must be a list of ids.',
    ],
    [
      'api-empty-record',
      'connect.call/create',
      { vals_list: {} },
      422,
      'A new record of connect.call needs at least one field.',
    ],
    [
      'api-writes-too-much',
      'res.partner/create',
      { vals_list: { name: 'x', comment: 'y'.repeat(5_000_000) } },
      413,
      'One call may write at most 4 MB, counted for each record: send it in parts.',
    ],
    [
      'api-sets-too-many-passwords',
      'res.users/create',
      { vals_list: many(21, { login: 'x', name: 'x', password: 'y' }) },
      422,
      'One call may set at most 20 passwords: send it in parts.',
    ],
    [
      'changed-inside-at-most',
      'res.partner/write',
      () => ({ ids: [partner], vals: { child_ids: many(101, [2, partner]) } }),
      422,
      'At most 100 records inside another can be changed or removed at once.',
    ],
    [
      'api-unchanged-since-context-must-write-stamp',
      'res.partner/write',
      () => ({ ids: [partner], vals: {}, context: { unchanged_since: 'noon' } }),
      422,
      'The "unchanged_since" of the context must be the "write_stamp" of the record.',
    ],
    [
      'api-with-unchanged-since-one-record-changed',
      'res.partner/write',
      () => ({ ids: [partner, partner + 1], vals: {}, context: { unchanged_since: '2030-01-01 00:00:00' } }),
      422,
      'With "unchanged_since" one record is changed at a time.',
    ],
    [
      'field-not-yours-write',
      'res.users/write',
      () => ({ ids: [user.userId], vals: { password_hash: 'x' } }),
      403,
      'You are not allowed to change the field "password_hash" of res.users.',
    ],
    [
      'field-of-reported-record',
      'connect.call/write',
      async () => ({ ids: [await aCallOf(user)], vals: { status: 'failed' } }),
      422,
      'The field "status" of connect.call is filled in automatically and cannot be changed by hand.',
    ],
    [
      'field-of-own-draft',
      'connect.message/write',
      async () => ({
        ids: [
          await insertRow(app.db, 'connect_message', {
            message_type: 'SMS',
            status: 'sent',
            body: 'x',
            from_number: '+15550100001',
            to_number: '+15550100002',
            direction: 'outgoing',
          }),
        ],
        vals: { body: 'y' },
      }),
      422,
      'The field "body" of connect.message can be changed in a draft of one’s own only.',
    ],
    [
      'hours-overlap',
      'connect.telco.business_hours/create',
      {
        vals_list: {
          name: 'x',
          tz: 'UTC',
          opening_ids: [
            [0, 0, { dayofweek: '0', hour_from: 8, hour_to: 12 }],
            [0, 0, { dayofweek: '0', hour_from: 11, hour_to: 17 }],
          ],
        },
      },
      422,
      '"connect.telco.opening.hour_from" overlaps other hours: Monday has 08:00 to 12:00 and 11:00 to 17:00.',
    ],
  ]
  it.each(CASES)('%s: %s', (...refused) => expectRefusedCall(admin, refused))
})

describe('searches that cannot be made', () => {
  const CASES: readonly RefusedCall[] = [
    [
      'api-cannot-grouped-by',
      'res.partner/read_group',
      { by: ['create_date'] },
      422,
      'res.partner cannot be grouped by "create_date": say "create_date:hour", "create_date:day", "create_date:week", "create_date:month", "create_date:quarter", "create_date:year".',
    ],
    [
      'api-method-has-no-argument',
      'res.partner/search',
      { domains: [] },
      422,
      'The method res.partner/search has no argument "domains".',
    ],
    [
      'api-condition-can-only-have-operator',
      'res.partner/search',
      { domain: [[1, '>', 0]] },
      422,
      'The condition [1, ...] can only have the operator "=" or "!=".',
    ],
    [
      'api-conditions-this-domain',
      'res.partner/search',
      { domain: many(21, ['name', 'like', 'x']) },
      422,
      'The conditions of this domain look for more than 20 texts: use fewer conditions with "like" or "ilike".',
    ],
    [
      'api-not-number-which-compared-with',
      'connect.voiceai_agent/search',
      { domain: [['temperature', '>', 'warm']] },
      422,
      '"warm" is not a number, which "connect.voiceai_agent.temperature" is compared with.',
    ],
    [
      'api-text-compared-with-has-characters-no',
      'res.partner/search',
      { domain: [['name', '=', 'a\0']] },
      422,
      'The text compared with "res.partner.name" has characters that no stored text has.',
    ],
    [
      'api-field-cannot-searched-sorted-by',
      'connect.settings/search',
      { domain: [['auth_token', '=', 'x']] },
      422,
      'The field "auth_token" of connect.settings cannot be searched or sorted by.',
    ],
    [
      'api-argument-names-at-most',
      'res.partner/read_group',
      { by: many(5, 'name') },
      422,
      'The argument "by" names at most 3 fields.',
    ],
    [
      'api-argument-names-twice',
      'res.partner/read_group',
      { by: ['name', 'name'] },
      422,
      'The argument "by" names "name" twice.',
    ],
    [
      'api-cannot-reckoned',
      'res.partner/read_group',
      { measures: ['name:sum'] },
      422,
      '"name:sum" cannot be reckoned of res.partner: of numbers there are sum, avg, min and max, of dates min and max.',
    ],
    [
      'api-field-cannot-grouped-reckoned',
      'res.partner/read_group',
      { by: ['child_ids'] },
      422,
      'The field "child_ids" of res.partner cannot be grouped by or reckoned.',
    ],
    [
      'api-no-field-such-as',
      'res.partner/read_group',
      { by: ['name by day'] },
      422,
      '"name by day" is no field such as "agent", "create_date:day", "duration:sum".',
    ],
    [
      'api-no-time-zone',
      'res.partner/read_group',
      { tz: 'Mars' },
      422,
      '"Mars" is no time zone, such as Europe/Zurich.',
    ],
    [
      'api-groups-sorted-by',
      'res.partner/read_group',
      { by: ['lang'], order: 'name' },
      422,
      'Groups are sorted by "lang", "__count", with "desc" behind it downwards.',
    ],
    [
      'api-argument-not-usable',
      'res.partner/search',
      { limit: 'x' },
      422,
      'The argument "limit" of res.partner/search is not usable: must be integer.',
    ],
  ]
  it.each(CASES)('%s: %s', (...refused) => expectRefusedCall(admin, refused))
})

describe('what a user of Connect may not', () => {
  const CASES: readonly RefusedCall[] = [
    [
      'field-not-yours-read',
      'res.users/read',
      () => ({ ids: [user.userId], fields: ['group_ids'] }),
      403,
      'You are not allowed to read the field "group_ids" of res.users.',
    ],
    [
      'you-may-name-nobody-but-yourself',
      'connect.call/create',
      () => ({ vals_list: { caller: '101', called: '102', caller_user: admin.userId } }),
      403,
      'In "caller_user" of connect.call you may name nobody but yourself.',
    ],
    [
      'you-not-allowed-call-this-method',
      'connect.call/delete_voicemail',
      { ids: [1] },
      403,
      'You are not allowed to call this method of connect.call.',
    ],
    [
      'view-your-own-everybody-s-which',
      'connect.view/create',
      () => ({ vals_list: { name: 'x', model: 'res.partner', query: {}, user: admin.userId } }),
      403,
      'A view is your own or everyone’s. Only administrators can create views for everyone.',
    ],
    [
      'connect-view-model-must-name-model',
      'connect.view/create',
      { vals_list: { name: 'x', model: 'x', query: {} } },
      422,
      '"connect.view.model" must be the name of a model.',
    ],
    [
      'connect-view-query-must-json-object',
      'connect.view/create',
      { vals_list: { name: 'x', model: 'res.partner', query: [] } },
      422,
      '"connect.view.query" must be a JSON object of at most 4000 characters.',
    ],
    [
      'post-empty',
      'res.partner/message_post',
      () => ({ ids: [partner], body: ' ' }),
      422,
      'The "body" of a message is blank: a message has a text, or a file.',
    ],
    [
      'note-too-long',
      'res.partner/message_post',
      () => ({ ids: [partner], body: 'x'.repeat(70_000) }),
      422,
      'Notes can have up to 64 kB. Send longer text as a file.',
    ],
    [
      'api-argument-ids-names-no-notice',
      'connect.notice/mark_read',
      { ids: [] },
      422,
      'The argument "ids" names no notice.',
    ],
    [
      'api-argument-ids-names-no-conversation',
      'connect.conversation/mark_read',
      { ids: [] },
      422,
      'The argument "ids" names no conversation.',
    ],
  ]
  it.each(CASES)('%s: %s', (...refused) => expectRefusedCall(user, refused))
})

describe('what an administrator who is no user manager may not', () => {
  const CASES: readonly RefusedCall[] = [
    [
      'field-protected',
      'connect.settings/search',
      { domain: [['auth_token', '=', 'x']] },
      403,
      'The field "auth_token" of connect.settings is protected.',
    ],
    [
      'field-may-written-by-managers-only',
      'connect.settings/write',
      async () => ({ ids: [await settings()], vals: { auth_token: 'x' } }),
      403,
      'The field "auth_token" of connect.settings may be written by managers only.',
    ],
  ]
  it.each(CASES)('%s: %s', (...refused) => expectRefusedCall(keeper, refused))
})

describe('settings that cannot be saved', () => {
  const CASES: readonly RefusedCall[] = [
    [
      'required',
      'connect.settings/write',
      async () => ({ ids: [await settings()], vals: { voiceai_agent_token: '' } }),
      422,
      '"connect.settings.voiceai_agent_token" is required.',
    ],
    [
      'api-must-address-https-connect-example-com',
      'connect.settings/write',
      async () => ({ ids: [await settings()], vals: { api_url: 'https://x.example/?a=b' } }),
      422,
      '"api_url" must be an address such as https://connect.example.com, without a query.',
    ],
    [
      'settings-mobile-countries',
      'connect.settings/write',
      async () => ({ ids: [await settings()], vals: { mobile_countries: 'XX' } }),
      422,
      'There is no country "XX" with telephone numbers. Write codes such as CH DE.',
    ],
  ]
  it.each(CASES)('%s: %s', (...refused) => expectRefusedCall(admin, refused))
})

describe('bodies that are no call', () => {
  const URL = '/json/2/res.partner/search'
  const CASES: readonly (readonly [...Refused, body: string, type: string])[] = [
    ['api-body-not-valid-json', 400, 'The body is not valid JSON.', '{', 'application/json'],
    [
      'api-body-must-json-object-named-arguments',
      400,
      'The body must be a JSON object of named arguments.',
      '[]',
      'application/json',
    ],
    ['api-body-must-application-json', 415, 'The body must be application/json.', 'a=1', 'text/plain'],
    [
      'api-body-has-more-than-names-values',
      413,
      'The body has more than 20000 names or 100000 values: send it in parts.',
      `{"domain":[${'1,'.repeat(2_000_000)}1]}`,
      'application/json',
    ],
  ]
  it.each(CASES)('%s', async (code, status, sentence, body, type) => {
    const headers = { authorization: `bearer ${admin.key}`, 'content-type': type }
    expectRefused(await app.post(URL, body, headers), [code, status, sentence])
  })

  it('a call by another method than POST', async () => {
    expectRefused(await app.request(URL), ['api-api-called-with-post', 405, 'The API is called with POST.'])
  })

  it('a file that is not sent as its bytes', async () => {
    const headers = { authorization: `bearer ${user.key}`, 'content-type': 'application/json' }
    expectRefused(await app.post('/api/attachment?name=x.txt', '{}', headers), [
      'api-file-sent-as',
      415,
      'A file is sent as application/octet-stream.',
    ])
  })

  it('a file of somebody who does not work here', async () => {
    const stranger = await app.person([])
    await admin.ask('res.users', 'write', { ids: [stranger.userId], vals: { share: true } })
    const headers = { authorization: `bearer ${stranger.key}`, 'content-type': 'application/octet-stream' }
    expectRefused(await app.post('/api/attachment?name=x.txt', 'x', headers), [
      'files-not-allowed',
      403,
      'You are not allowed to send files.',
    ])
  })

  it('a search of everything without a text', async () => {
    const headers = { authorization: `bearer ${user.key}` }
    expectRefused(await app.post('/api/search', {}, headers), [
      'api-send-search',
      422,
      'Send "text" of 1 to 200 characters, and "limit" up to 20.',
    ])
  })
})

function aCallOf({ userId }: Caller): Promise<number> {
  return insertRow(app.db, 'connect_call', { caller: '101', called: '102', caller_user: userId, status: 'completed' })
}

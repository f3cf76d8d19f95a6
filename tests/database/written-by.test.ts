// Every `update` of the code says when a row was changed and by whom, as the records do (src/platform/model/written-by.ts). What
// is left out is listed here, with the reason.
import { expect, it } from 'vitest'
import { readSources } from '../support/source-files.ts'

/** No record that people write: the row says itself how far the service is with something, or it is nobody's but one person's. */
const OWN_STATE = 'a row of the service’s own work, or of one person: its columns say when and by whom'
/** A form that somebody has open would be refused as changed meanwhile, though nothing that it shows or sends has changed. */
const NOT_A_CHANGE =
  'what the service notes of a record is no change of it: an open form must not be refused because of it'

const LEFT_OUT: Readonly<Record<string, string>> = {
  'src/contacts/erasures.ts': OWN_STATE,
  'src/deliveries/inbox/inbox-model.ts': OWN_STATE,
  'src/deliveries/inbox/inbox-rows.ts': OWN_STATE,
  'src/deliveries/log/forget-deliveries.ts': OWN_STATE,
  'src/deliveries/log/mark-replayed.ts': OWN_STATE,
  'src/deliveries/tools/tool-answers.ts': OWN_STATE,
  'src/platform/attachments/attachment.ts': OWN_STATE,
  'src/platform/identity/identities.ts': OWN_STATE,
  'src/platform/identity/invitation.ts': OWN_STATE,
  'src/platform/identity/second-factor/second-factor.ts': OWN_STATE,
  'src/platform/identity/sessions.ts': OWN_STATE,
  'src/platform/notices/notice.ts': OWN_STATE,
  'src/sync/cancel-run.ts': OWN_STATE,
  'src/sync/sync-progress.ts': OWN_STATE,
  'src/sync/sync-run.ts': OWN_STATE,
  'src/telco/outgoing/outgoing-limits.ts': OWN_STATE,
  'src/helpdesk/tickets/move-ticket.ts': NOT_A_CHANGE,
  'src/ledger/calls/register-call.ts': NOT_A_CHANGE,
  'src/ledger/messages/conversation-rows.ts': NOT_A_CHANGE,
  'src/platform/identity/preferences.ts': NOT_A_CHANGE,
  'src/platform/identity/ways-in.ts': NOT_A_CHANGE,
  'src/platform/secrets/renew-secrets.ts': NOT_A_CHANGE,
  'src/platform/settings/seed-settings.ts': NOT_A_CHANGE,
  'src/platform/settings/number-reader.ts': NOT_A_CHANGE,
  'src/platform/settings/set-up.ts': NOT_A_CHANGE,
  'src/sync/push.ts': NOT_A_CHANGE,
  'src/sync/resource.ts': NOT_A_CHANGE,
  'src/voiceai/agents/agent-resource.ts': NOT_A_CHANGE,
  'src/voiceai/agents/push-number.ts': NOT_A_CHANGE,
  'src/voiceai/knowledge/follow-crawl.ts': NOT_A_CHANGE,
  'src/voiceai/knowledge/knowledge-resource.ts': NOT_A_CHANGE,
  'src/voiceai/tools/tool-resource.ts': NOT_A_CHANGE,
  'src/platform/records/record-write.ts': 'the records themselves',
}
/** Tables of the queue are another program's. */
const OURS = /\bupdate (?!jobs\.)(?:\$\{[^}]*\}|[a-z_]+)(?: (?:as )?[a-z]+)? set\b/g
/** What says it, or is a part of the statement that does. */
const SAYS_IT = /writtenBy\(|\$\{(?:written|STILL_THEIRS|CLAIMED)\}/

/** The updates of a file that do not say who wrote: each runs to the next one, or to the next declaration. */
function silentUpdates(text: string): string[] {
  const flat = text.replaceAll(/\s+/g, ' ')
  return [...flat.matchAll(OURS)].flatMap(({ 0: head, index }) => {
    const rest = flat.slice(index + head.length)
    const next = rest.search(/\bupdate [^ ]+(?: (?:as )?[a-z]+)? set\b| (?:export|const|function|interface) /)
    return SAYS_IT.test(next < 0 ? rest : rest.slice(0, next)) ? [] : [flat.slice(index, index + 100)]
  })
}

const sources = readSources((file) => file.startsWith('src/') && file.endsWith('.ts') && !file.includes('/migrations/'))
const silent = new Map([...sources].map(([file, text]) => [file, silentUpdates(text)] as const))

it('every update says when and by whom', () => {
  const others = [...silent].filter(([file, found]) => found.length > 0 && LEFT_OUT[file] === undefined)
  expect(others).toEqual([])
})

it('what is left out is there', () => {
  expect(Object.keys(LEFT_OUT).filter((file) => (silent.get(file) ?? []).length === 0)).toEqual([])
})

it('an update without it is found', () => {
  expect(
    silentUpdates(
      'await db.query(sql`update t set a = 1`)\nexport const b = sql`update u set c = 1, ` + writtenBy(null)',
    ),
  ).toEqual([expect.stringContaining('update t set')])
})

import { recordLeg } from '../bare-ledger.ts'
import { ringUser } from '../bare-routing.ts'
import { MENU_ID } from '../load-telephony.ts'
import { type BenchRoute, legSid, phoneNumber, spread } from '../route.ts'
import { readSigned, signedRequest, voiceFields } from '../telco-request.ts'

const PATH = `/telco/webhook/callflow/${MENU_ID}/gather`

const MENU = {
  name: 'menu',
  text: `select f.id, f.language, f.voice, f.gather_input, f.gather_input_type, f.gather_timeout, f.gather_digits, f.gather_hints,
      f.prompt_message, f.invalid_input_message, f.record_calls, f.voicemail_enabled, f.voicemail_prompt,
      f.prompt_message_file, f.invalid_input_message_file, f.voicemail_prompt_file,
      (select json_agg(json_build_object('id', x.id, 'filename', x.filename, 'text', x.text)) from connect_voiceai_file x
        where x.id in (f.prompt_message_file, f.invalid_input_message_file, f.voicemail_prompt_file)
          and x.file is not null) as files,
      (select json_agg(c) from (
        select choice_digits as digits, speech, exten from connect_telco_callflow_choice
        where callflow = f.id order by id limit 200) c) as choices,
      (select json_agg(p) from (
        select u.username, d.subdomain, u.client_enabled as client, u.sip_enabled as sip, u.client_priority, u.sip_priority
        from connect_telco_callflow_ring_users_rel r join connect_user u on u.id = r.user_id
        left join connect_telco_domain d on d.id = u.domain
        where r.callflow_id = f.id and u.active is not false
        order by u.name, u.id limit 100) p) as users
    from connect_telco_callflow f where f.id = $1`,
}
const EXTENSION = { name: 'extension', text: 'select id, number, model, res_id from connect_telco_exten where id = $1' }

/** A caller presses a key in a menu, which leads over an extension to a phone user. Nothing is new of the leg. */
export const gather: BenchRoute = {
  name: 'gather',
  path: PATH,
  ratioMin: { embedded: 5, PostgreSQL: 2 },
  writes: {},
  request(n, loaded) {
    const call = spread(n, loaded.calls)
    const fields = voiceFields(legSid(call), phoneNumber(call % loaded.contacts), 'in-progress')
    return signedRequest(PATH, { ...fields, Digits: '1', FinishedOnKey: '', msg: 'Gather End' }, loaded)
  },
  async bare(db, incoming) {
    const fields = readSigned(PATH, incoming)
    if (fields === undefined) return { status: 200, body: '<Response/>', contentType: 'text/xml' }
    const call = await db.transaction((tx) => recordLeg(tx, fields))
    return db.transaction(async (tx) => {
      const [menu] = await tx.query<{ choices: { digits: string; exten: number }[] }>(MENU, [MENU_ID])
      const choice = menu?.choices.find(({ digits }) => digits === fields.Digits)
      const [extension] = await tx.query<{ res_id: number }>(EXTENSION, [choice?.exten])
      return ringUser(tx, { user: extension?.res_id ?? 0, call, caller: fields.From })
    })
  },
}
